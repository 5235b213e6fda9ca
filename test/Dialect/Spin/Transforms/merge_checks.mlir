// RUN: spinc-opt %s --spin-merge-checks --canonicalize | FileCheck %s

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // CHECK-LABEL: spin.handler @payload
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c28 = arith.constant 28 : i32
    %c1000 = arith.constant 1000 : i32
    %c1028 = arith.constant 1028 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    // Headers, 4 and 8 bytes behind them: at least 36. One asks if not so, one
    // by `>`.
    // CHECK-DAG: %[[C36:.*]] = arith.constant 36 : i32
    // CHECK-DAG: %[[C972:.*]] = arith.constant 972 : i32
    // CHECK-DAG: %[[C28:.*]] = arith.constant 28 : i32
    // CHECK: %[[N:.*]] = spin.slice_length
    // CHECK: %[[ENOUGH:.*]] = arith.cmpi uge, %[[N]], %[[C36]]
    // CHECK-NEXT: spin.require %[[ENOUGH]] else drop
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %headers = arith.cmpi uge, %n, %c28 : i32
    spin.require %headers else drop
    %length = arith.subi %n, %c28 overflow<nuw> : i32
    %few = arith.cmpi ult, %length, %c4 : i32
    scf.if %few {
      spin.exit drop
    }
    // CHECK-NEXT: %[[LENGTH:.*]] = arith.subi
    // CHECK-NEXT: %[[X:.*]] = spin.wire_load
    // CHECK-NEXT: %[[ODD:.*]] = arith.cmpi ne, %[[X]], %[[C28]]
    // CHECK-NEXT: spin.require %[[ODD]] else drop
    %x = spin.wire_load %all[%c28] le : !spin.slice<i8, packet_l1> -> i32
    %odd = arith.cmpi ne, %x, %c28 : i32
    spin.require %odd else drop
    %c7 = arith.constant 7 : i32
    %more = arith.cmpi ugt, %length, %c7 : i32
    spin.require %more else drop
    // Limits from above: at most 1000 of all, which is less than 1028.
    // CHECK-NEXT: %[[SHORT:.*]] = arith.cmpi ule, %[[LENGTH]], %[[C972]]
    // CHECK-NEXT: spin.require %[[SHORT]] else drop
    %short = arith.cmpi ule, %length, %c1000 : i32
    spin.require %short else drop
    %shorter = arith.cmpi ult, %n, %c1028 : i32
    spin.require %shorter else drop
    %shortest = arith.cmpi ule, %n, %c1000 : i32
    spin.require %shortest else drop
    // Decided: the region that runs stays, the other one goes.
    // CHECK-NEXT: spin.wire_store %[[X]]
    // CHECK-NEXT: spin.wire_store %[[C28]]
    %again = arith.cmpi uge, %n, %c8 : i32
    %kept = scf.if %again -> i32 {
      spin.wire_store %x, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
      scf.yield %c28 : i32
    } else {
      spin.wire_store %c0, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
      scf.yield %c0 : i32
    }
    spin.wire_store %kept, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
    spin.return success
  }
}
spin.context @B link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // CHECK-LABEL: spin.handler @apart
  spin.handler @apart kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c4 = arith.constant 4 : i32
    %c28 = arith.constant 28 : i32
    %c40 = arith.constant 40 : i32
    %c44 = arith.constant 44 : i32
    %c48 = arith.constant 48 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    // CHECK-DAG: %[[D28:.*]] = arith.constant 28 : i32
    // CHECK-DAG: %[[D40:.*]] = arith.constant 40 : i32
    // CHECK-DAG: %[[D44:.*]] = arith.constant 44 : i32
    // CHECK-DAG: %[[D48:.*]] = arith.constant 48 : i32
    // CHECK: %[[M:.*]] = spin.slice_length
    // What is stored in between is there when the next check fails.
    // CHECK: arith.cmpi uge, %[[M]], %[[D28]]
    // CHECK-NEXT: spin.require %{{.*}} else drop
    // CHECK-NEXT: spin.wire_store
    // CHECK-NEXT: arith.cmpi uge, %[[M]], %[[D40]]
    // CHECK-NEXT: spin.require %{{.*}} else drop
    %first = arith.cmpi uge, %n, %c28 : i32
    spin.require %first else drop
    spin.wire_store %n, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
    %second = arith.cmpi uge, %n, %c40 : i32
    spin.require %second else drop
    // The code is another one.
    // CHECK: arith.cmpi uge, %[[M]], %[[D44]]
    // CHECK-NEXT: spin.require %{{.*}} else fail
    // CHECK-NEXT: arith.cmpi uge, %[[M]], %[[D48]]
    // CHECK-NEXT: spin.require %{{.*}} else drop
    %third = arith.cmpi uge, %n, %c44 : i32
    spin.require %third else fail
    %fourth = arith.cmpi uge, %n, %c48 : i32
    spin.require %fourth else drop
    // The sum may wrap, so it is another number.
    // CHECK: spin.require %{{.*}} else drop
    // CHECK: arith.addi
    // CHECK: spin.require %{{.*}} else drop
    %bits = spin.wire_load %all[%c28] le : !spin.slice<i8, packet_l1> -> i32
    %some = arith.cmpi uge, %bits, %c28 : i32
    spin.require %some else drop
    %wraps = arith.addi %bits, %c4 : i32
    %fifth = arith.cmpi uge, %wraps, %c48 : i32
    spin.require %fifth else drop
    spin.return success
  }
}
spin.context @C link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // A guard that is false leaves; what follows keeps its place.
  // CHECK-LABEL: spin.handler @never
  spin.handler @never kind(payload) {
  ^bb0(%p: !spin.packet):
    %c28 = arith.constant 28 : i32
    %c2000 = arith.constant 2000 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    // CHECK: spin.require %{{.*}} else drop
    %long = arith.cmpi uge, %n, %c2000 : i32
    spin.require %long else drop
    // CHECK-NOT: spin.require
    %enough = arith.cmpi uge, %n, %c28 : i32
    spin.require %enough else fail
    spin.return success
  }
}
