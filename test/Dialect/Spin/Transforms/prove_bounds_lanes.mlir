// bnd-5: the amount of a shift is below the width of a lane. What the lanes of
// a result are is not known.
// RUN: spinc-opt %s --spin-prove-bounds --split-input-file --verify-diagnostics

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(4) mtu(1500) match [] {
  spin.handler @holds kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %c7 = arith.constant 7 : i32
    %c15 = arith.constant 15 : i32
    %low = arith.andi %n, %c7 : i32
    %a = spin.lanes shl %n, %low count(4)
    %b = spin.lanes shrs %a, %c15 count(2)
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(4) mtu(1500) match [] {
  spin.handler @off_by_one kind(payload) {
  ^bb0(%p: !spin.packet):
    %c8 = arith.constant 8 : i32
    // expected-error@+3 {{E0413: shift amount may be out of range: 8 is not below 8}}
    // expected-note@+2 {{reason:}}
    // expected-note@+1 {{fix:}}
    %a = spin.lanes shru %c8, %c8 count(4)
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(4) mtu(1500) match [] {
  spin.handler @unknown kind(payload) {
  ^bb0(%p: !spin.packet):
    %a = spin.local count(8) zero : !spin.slice<i8, local>
    %c1 = arith.constant 1 : i32
    %m = spin.lanes minu %c1, %c1 count(4)
    // expected-error@+4 {{E0401}}
    // expected-note@+3 {{reason:}}
    // expected-note@+2 {{witness:}}
    // expected-note@+1 {{fix:}}
    %x = spin.load %a[%m] le : !spin.slice<i8, local> -> i8
    spin.return success
  }
}
