// RUN: spinc-opt --spin-advance-loads %s | FileCheck %s
// RUN: spinc-opt --spin-advance-loads --spin-prove-bounds %s

spin.context @Advance link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // A load comes in front of the store before it, with what computes its index.
  // CHECK-LABEL: spin.handler @payload
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %a = spin.local count(8) : !spin.slice<i32, local>
    %b = spin.local count(8) : !spin.slice<i32, local>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c8 = arith.constant 8 : i32
    %c6 = arith.constant 6 : i32
    %enough = arith.cmpi uge, %n, %c8 : i32
    spin.require %enough else drop
    %low = spin.subslice %all[%c0, %c2] : !spin.slice<i8, packet_l1>
    %high = spin.subslice %all[%c2, %c6] : !spin.slice<i8, packet_l1>
    // CHECK: %[[ONE:.*]] = spin.load %[[A:.*]][%{{.*}}] le
    // CHECK-NEXT: %[[INDEX:.*]] = arith.addi
    // CHECK-NEXT: %[[TWO:.*]] = spin.load %[[A]][%[[INDEX]]] le
    // CHECK-NEXT: %[[SUM:.*]] = arith.xori %[[ONE]]
    // CHECK-NEXT: spin.store %[[SUM]]
    // CHECK-NEXT: spin.store %[[TWO]]
    // What has come earlier is not waited for: the next load stays.
    // CHECK-NEXT: spin.load
    %v0 = spin.load %a[%c0] le : !spin.slice<i32, local> -> i32
    %x0 = arith.xori %v0, %c6 : i32
    spin.store %x0, %b[%c0] le : i32, !spin.slice<i32, local>
    %next = arith.addi %c1, %c1 overflow<nuw> : i32
    %v1 = spin.load %a[%next] le : !spin.slice<i32, local> -> i32
    spin.store %v1, %b[%c1] le : i32, !spin.slice<i32, local>
    %v2 = spin.load %a[%c2] le : !spin.slice<i32, local> -> i32
    spin.loop_marker 0

    // Other elements of one array, and other bytes of the packet.
    // CHECK: spin.loop_marker 0
    // CHECK-NEXT: spin.load
    // CHECK-NEXT: spin.load
    // CHECK: spin.loop_marker 1
    %v3 = spin.load %a[%c0] le : !spin.slice<i32, local> -> i32
    spin.store %v3, %a[%c1] le : i32, !spin.slice<i32, local>
    %v4 = spin.load %a[%c2] le : !spin.slice<i32, local> -> i32
    spin.store %v4, %b[%c2] le : i32, !spin.slice<i32, local>
    spin.loop_marker 1
    // CHECK-NEXT: spin.wire_load
    // CHECK-NEXT: spin.wire_load
    // CHECK: spin.loop_marker 2
    %v5 = spin.wire_load %low[%c0] le : !spin.slice<i8, packet_l1> -> i16
    spin.wire_store %v5, %low[%c0] le : i16, !spin.slice<i8, packet_l1>
    %v6 = spin.wire_load %high[%c0] le : !spin.slice<i8, packet_l1> -> i16
    spin.wire_store %v6, %high[%c2] le : i16, !spin.slice<i8, packet_l1>
    spin.loop_marker 2

    // The same element, an overlap of a byte, and an element that nobody knows.
    // CHECK-NEXT: spin.load
    // CHECK-NEXT: spin.store
    // CHECK-NEXT: spin.load
    // CHECK: spin.loop_marker 3
    %v7 = spin.load %a[%c0] le : !spin.slice<i32, local> -> i32
    spin.store %v7, %b[%c1] le : i32, !spin.slice<i32, local>
    %v8 = spin.load %b[%c1] le : !spin.slice<i32, local> -> i32
    spin.loop_marker 3
    // CHECK-NEXT: spin.wire_load
    // CHECK-NEXT: spin.wire_store
    // CHECK-NEXT: spin.wire_load
    // CHECK: spin.loop_marker 4
    %v9 = spin.wire_load %high[%c0] le : !spin.slice<i8, packet_l1> -> i16
    spin.wire_store %v9, %high[%c0] le : i16, !spin.slice<i8, packet_l1>
    %v10 = spin.wire_load %high[%c1] le : !spin.slice<i8, packet_l1> -> i16
    spin.loop_marker 4
    // CHECK-NEXT: arith.remui
    // CHECK-NEXT: spin.load
    // CHECK-NEXT: spin.store
    // CHECK-NEXT: spin.load
    // CHECK: spin.loop_marker 5
    %any = arith.remui %n, %c8 : i32
    %v11 = spin.load %a[%c0] le : !spin.slice<i32, local> -> i32
    spin.store %v11, %a[%any] le : i32, !spin.slice<i32, local>
    %v12 = spin.load %a[%c2] le : !spin.slice<i32, local> -> i32
    spin.loop_marker 5

    // A load whose place is the value loaded before; a store of another value;
    // a marker in between.
    // CHECK-NEXT: spin.load
    // CHECK-NEXT: arith.remui
    // CHECK-NEXT: spin.store
    // CHECK-NEXT: spin.load
    // CHECK: spin.loop_marker 6
    %v13 = spin.load %a[%c0] le : !spin.slice<i32, local> -> i32
    %place = arith.remui %v13, %c8 : i32
    spin.store %place, %b[%c0] le : i32, !spin.slice<i32, local>
    %v14 = spin.load %a[%place] le : !spin.slice<i32, local> -> i32
    spin.loop_marker 6
    // CHECK-NEXT: spin.load
    // CHECK-NEXT: spin.store
    // CHECK-NEXT: spin.load
    // CHECK-NEXT: spin.store
    // CHECK-NEXT: spin.loop_marker 7
    // CHECK-NEXT: spin.load
    %v15 = spin.load %a[%c0] le : !spin.slice<i32, local> -> i32
    spin.store %n, %b[%c0] le : i32, !spin.slice<i32, local>
    %v16 = spin.load %a[%c1] le : !spin.slice<i32, local> -> i32
    spin.store %v16, %b[%c1] le : i32, !spin.slice<i32, local>
    spin.loop_marker 7
    %v17 = spin.load %a[%c2] le : !spin.slice<i32, local> -> i32
    spin.return success
  }
}
