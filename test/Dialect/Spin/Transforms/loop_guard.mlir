// RUN: spinc-opt %s --spin-infer-loop-bounds --spin-mark-loops | FileCheck %s
// lop-5: a guard that counts rounds bounds its loop, and the marker counts the
// rounds that get past it. One that does not count from 0 by 1 says nothing.

// CHECK: bound = #spin.bound<affine_map<()[s0] -> (s0)>, "p.length">
// CHECK-SAME: bound = #spin.bound<affine_map<() -> (5)>>
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %bytes = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %size = spin.slice_length %bytes : !spin.slice<i8, packet_l1>
    %c28 = arith.constant 28 : i32
    %ok = arith.cmpi uge, %size, %c28 : i32
    spin.require %ok else drop
    %length = arith.subi %size, %c28 overflow<nuw> : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %c5 = arith.constant 5 : i32
    // CHECK: scf.while
    // CHECK: spin.require %{{.*}} else fail {spin.loop_guard}
    // CHECK-NEXT: spin.loop_marker 0
    %r = scf.while (%n = %c0) : (i32) -> i32 {
      %c = spin.load %bytes[%c1] le proof <"test"> : !spin.slice<i8, packet_l1> -> i8
      %c7 = arith.constant 7 : i8
      %more = arith.cmpi eq, %c, %c7 : i8
      scf.condition(%more) %n : i32
    } do {
    ^bb0(%n: i32):
      %few = arith.cmpi ult, %n, %length : i32
      spin.require %few else fail {spin.loop_guard}
      %next = arith.addi %n, %c1 overflow<nuw> : i32
      scf.yield %next : i32
    }
    // CHECK: scf.for
    // CHECK: spin.require %{{.*}} else fail {spin.loop_guard}
    // CHECK-NEXT: spin.loop_marker 1
    %s = scf.for unsigned %i = %c0 to %length step %c1 iter_args(%n = %c0) -> (i32) : i32 {
      %few = arith.cmpi ult, %n, %c5 : i32
      spin.require %few else fail {spin.loop_guard}
      %next = arith.addi %n, %c1 overflow<nuw> : i32
      scf.yield %next : i32
    }
    spin.return success
  }
}
