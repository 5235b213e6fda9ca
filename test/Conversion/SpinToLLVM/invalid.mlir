// RUN: spinc-opt %s --convert-spin-to-llvm --split-input-file \
// RUN:   --verify-diagnostics

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    // expected-error@+1 {{'spin.load' op has no proof: run spin-prove-bounds first}}
    %b = spin.load %all[%c0] le : !spin.slice<i8, packet_l1> -> i8
    // expected-error@+1 {{'spin.send' op has no proof}}
    %c = spin.send %all : !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

// expected-error@+1 {{has several host regions; the card has one}}
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @a
  spin.host @b
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @a
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c1 = arith.constant 1 : i32
    %h = spin.host_slice @a : !spin.slice<i8, host>
    // expected-error@+1 {{failed to legalize operation 'spin.strided_view'}}
    %v = spin.strided_view %h, %c1, %c1, %c1 proof <"f"> : !spin.slice<i8, host>
    spin.return success
  }
}
