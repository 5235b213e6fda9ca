// RUN: spinc-opt %s --spin-narrow-divisions | FileCheck %s

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(64) mtu(1500) match [] {
  // CHECK-LABEL: spin.handler @payload
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c7 = arith.constant 7 : i32
    %c8 = arith.constant 8 : i32
    %c10 = arith.constant 10 : i32
    %c20 = arith.constant 20 : i32
    %c1000 = arith.constant 1000 : i32
    %c65536 = arith.constant 65536 : i32
    %wide1 = arith.constant 1 : i64
    %wide32 = arith.constant 4294967296 : i64
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    // CHECK: %[[X:.*]] = spin.wire_load
    // CHECK: %[[N:.*]] = spin.wire_load
    // CHECK: %[[A:.*]] = spin.wire_load {{.*}} -> i64
    // CHECK: %[[B:.*]] = spin.wire_load {{.*}} -> i64
    %x = spin.wire_load %all[%c0] le : !spin.slice<i8, packet_l1> -> i32
    %n = spin.wire_load %all[%c8] le : !spin.slice<i8, packet_l1> -> i32
    %a = spin.wire_load %all[%c10] le : !spin.slice<i8, packet_l1> -> i64
    %b = spin.wire_load %all[%c20] le : !spin.slice<i8, packet_l1> -> i64
    // Of all words: nothing is known.
    // CHECK: arith.divui %[[X]], %{{.*}} : i32
    %q0 = arith.divui %x, %c7 : i32
    spin.wire_store %q0, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
    // CHECK: spin.require
    %isShort = arith.cmpi ult, %x, %c65536 : i32
    spin.require %isShort else drop
    // 52429 / 2^19 is 1 / 10 for these; by 8, a shift is best.
    // CHECK: %[[F:.*]] = arith.constant 52429 : i32
    // CHECK: %[[P:.*]] = arith.muli %[[X]], %[[F]] : i32
    // CHECK: %[[S:.*]] = arith.constant 19 : i32
    // CHECK: %[[Q:.*]] = arith.shrui %[[P]], %[[S]] : i32
    // CHECK: spin.wire_store %[[Q]]
    // CHECK: arith.divui %[[X]], %{{.*}} : i32
    %q1 = arith.divui %x, %c10 : i32
    spin.wire_store %q1, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
    %q2 = arith.divui %x, %c8 : i32
    spin.wire_store %q2, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
    // CHECK: spin.require
    // CHECK: %[[LESS:.*]] = arith.subi %[[X]], %[[N]] : i32
    // CHECK: %[[REST:.*]] = arith.minui %[[X]], %[[LESS]] : i32
    // CHECK: spin.wire_store %[[REST]]
    // CHECK: %[[ONE:.*]] = arith.cmpi uge, %[[X]], %[[N]] : i32
    // CHECK: %[[Q3:.*]] = arith.extui %[[ONE]] : i1 to i32
    // CHECK: spin.wire_store %[[Q3]]
    %before = arith.addi %n, %c10 : i32
    %isSmall = arith.cmpi ult, %n, %c1000 : i32
    spin.require %isSmall else drop
    %isLarge = arith.cmpi uge, %n, %c10 : i32
    spin.require %isLarge else drop
    %isNear = arith.cmpi ult, %x, %before : i32
    spin.require %isNear else drop
    %r3 = arith.remui %x, %n : i32
    spin.wire_store %r3, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
    %q3 = arith.divui %x, %n : i32
    spin.wire_store %q3, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
    // CHECK: spin.require
    // CHECK: spin.wire_store %[[X]]
    // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
    // CHECK: spin.wire_store %[[ZERO]]
    %isBelow = arith.cmpi ult, %x, %n : i32
    spin.require %isBelow else drop
    %r4 = arith.remui %x, %n : i32
    spin.wire_store %r4, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
    %q4 = arith.divui %x, %n : i32
    spin.wire_store %q4, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
    // Wide: as it is until both fit.
    // CHECK: spin.require
    // CHECK: arith.divui %[[A]], %[[B]] : i64
    // CHECK: spin.require
    // CHECK: %[[A32:.*]] = arith.trunci %[[A]] : i64 to i32
    // CHECK: %[[B32:.*]] = arith.trunci %[[B]] : i64 to i32
    // CHECK: %[[R32:.*]] = arith.remui %[[A32]], %[[B32]] : i32
    // CHECK: %[[R:.*]] = arith.extui %[[R32]] : i32 to i64
    // CHECK: spin.wire_store %[[R]]
    %isSome = arith.cmpi uge, %b, %wide1 : i64
    spin.require %isSome else drop
    %isWord = arith.cmpi ult, %b, %wide32 : i64
    spin.require %isWord else drop
    %q5 = arith.divui %a, %b : i64
    spin.wire_store %q5, %all[%c0] le : i64, !spin.slice<i8, packet_l1>
    %isWordToo = arith.cmpi ult, %a, %wide32 : i64
    spin.require %isWordToo else drop
    %r6 = arith.remui %a, %b : i64
    spin.wire_store %r6, %all[%c0] le : i64, !spin.slice<i8, packet_l1>
    spin.return success
  }
}
