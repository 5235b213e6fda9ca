// RUN: spinc-opt %s --spin-expand-pieces --split-input-file \
// RUN:   --verify-diagnostics

spin.context @A link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.host @dst
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c1 = arith.constant 1 : i32
    %dst = spin.host_slice @dst : !spin.slice<i8, host>
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    // expected-error@+1 {{'spin.strided_view' op has no proof: run spin-prove-bounds first}}
    %view = spin.strided_view %dst, %c1, %c1, %c1 : !spin.slice<i8, host>
    // expected-error@+1 {{'spin.for_pieces' op has no proof: run spin-prove-bounds first}}
    spin.for_pieces %view at %c1 data %all : !spin.slice<i8, packet_l1> {
    ^bb0(%host: !spin.slice<i8, host>, %piece: !spin.slice<i8, packet_l1>):
      spin.yield
    }
    spin.return success
  }
}

// -----

spin.context @A link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.host @dst
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %yes = arith.constant true
    %dst = spin.host_slice @dst : !spin.slice<i8, host>
    %a = spin.strided_view %dst, %c1, %c1, %c1 proof <"f"> : !spin.slice<i8, host>
    %b = spin.strided_view %dst, %c1, %c2, %c2 proof <"f"> : !spin.slice<i8, host>
    %view = arith.select %yes, %a, %b : !spin.strided
    // expected-error@+1 {{needs a view made by spin.strided_view}}
    %n = spin.strided_length %view
    spin.return success
  }
}
