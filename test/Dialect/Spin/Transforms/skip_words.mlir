// RUN: spinc-opt %s --spin-skip-words | FileCheck %s
// What it makes is proved and bounded: the words by the length, and the bytes
// that are left by eight.
// RUN: spinc-opt %s --spin-skip-words --spin-prove-bounds --spin-infer-loop-bounds | FileCheck %s --check-prefix=BOUND
// BOUND: spin.bound = #spin.bound<affine_map<()[s0] -> (s0 floordiv 8)>, "p.length">
// BOUND: spin.bound = #spin.bound<affine_map<() -> (8)>>

spin.context @Skip link(ip) header_bytes(28) guaranteed_bytes(28) mtu(1500) match [] {
  // CHECK-LABEL: spin.handler @payload
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c28 = arith.constant 28 : i32
    %comma = arith.constant 44 : i8
    %true = arith.constant true
    %false = arith.constant false
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %bytes = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %n = arith.subi %bytes, %c28 overflow<nuw> : i32
    %a = spin.subslice %all[%c28, %n] : !spin.slice<i8, packet_l1>
    // CHECK: %[[ENOUGH:.*]] = arith.cmpi uge, %[[N:.*]], %c8
    // CHECK: %[[START:.*]] = scf.if %[[ENOUGH]] -> (i32) {
    // CHECK: %[[LAST:.*]] = arith.subi %[[N]], %c7{{.*}} overflow<nuw>
    // CHECK: scf.while (%[[I:.*]] = %{{.*}}) : (i32) -> i32 {
    // CHECK: %[[MORE:.*]] = arith.cmpi ult, %[[I]], %[[LAST]]
    // CHECK: scf.if %[[MORE]]
    // CHECK: spin.wire_load %{{.*}}[%[[I]]]
    // CHECK: spin.lanes eq
    // CHECK: spin.wire_load
    // CHECK: %[[LANES:.*]] = spin.lanes eq
    // CHECK: %[[ANY:.*]] = arith.ori %{{.*}}, %[[LANES]]
    // CHECK: arith.cmpi eq, %[[ANY]], %c0
    // CHECK: %[[NEAR:.*]] = arith.addi %[[START]], %c8
    // CHECK: %[[END:.*]] = arith.minui %[[N]], %[[NEAR]]
    // CHECK: scf.while (%[[J:.*]] = %[[START]],
    // CHECK: arith.cmpi ult, %[[J]], %[[END]]
    %r:3 = scf.while (%i = %c0, %at = %n, %live = %true) : (i32, i32, i1) -> (i32, i32, i1) {
      %go = scf.if %live -> (i1) {
        %inside = arith.cmpi ult, %i, %n : i32
        scf.yield %inside : i1
      } else {
        scf.yield %false : i1
      }
      scf.condition(%go) %i, %at, %live : i32, i32, i1
    } do {
    ^bb0(%i: i32, %at: i32, %live: i1):
      %x = spin.load %a[%i] le : !spin.slice<i8, packet_l1> -> i8
      %found = arith.cmpi eq, %x, %comma : i8
      %here = arith.select %found, %i, %at : i32
      %on = arith.select %found, %false, %live : i1
      %next = arith.addi %i, %c1 overflow<nuw> : i32
      scf.yield %next, %here, %on : i32, i32, i1
    }
    // A count of what was passed changes all the time; a loop that stores does
    // something.
    // CHECK-NOT: spin.wire_load
    // CHECK: spin.return
    %s:3 = scf.while (%i = %c0, %count = %c0, %live = %true) : (i32, i32, i1) -> (i32, i32, i1) {
      %go = scf.if %live -> (i1) {
        %inside = arith.cmpi ult, %i, %n : i32
        scf.yield %inside : i1
      } else {
        scf.yield %false : i1
      }
      scf.condition(%go) %i, %count, %live : i32, i32, i1
    } do {
    ^bb0(%i: i32, %count: i32, %live: i1):
      %x = spin.load %a[%i] le : !spin.slice<i8, packet_l1> -> i8
      %found = arith.cmpi eq, %x, %comma : i8
      %more = arith.addi %count, %c1 : i32
      %on = arith.select %found, %false, %live : i1
      %next = arith.addi %i, %c1 overflow<nuw> : i32
      scf.yield %next, %more, %on : i32, i32, i1
    }
    %t:2 = scf.while (%i = %c0, %live = %true) : (i32, i1) -> (i32, i1) {
      %go = scf.if %live -> (i1) {
        %inside = arith.cmpi ult, %i, %n : i32
        scf.yield %inside : i1
      } else {
        scf.yield %false : i1
      }
      scf.condition(%go) %i, %live : i32, i1
    } do {
    ^bb0(%i: i32, %live: i1):
      %x = spin.load %a[%i] le : !spin.slice<i8, packet_l1> -> i8
      %found = arith.cmpi eq, %x, %comma : i8
      spin.store %comma, %a[%i] le : i8, !spin.slice<i8, packet_l1>
      %on = arith.select %found, %false, %live : i1
      %next = arith.addi %i, %c1 overflow<nuw> : i32
      scf.yield %next, %on : i32, i1
    }
    spin.return success
  }
}
