// Packed values print as they are read; those of constants are computed.
// RUN: spinc-opt %s | spinc-opt | FileCheck %s
// RUN: spinc-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // CHECK-LABEL: spin.handler @payload
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %n = spin.wire_load %all[%c0] le : !spin.slice<i8, packet_l1> -> i32
    // CHECK: %[[V:.*]] = spin.splat %{{.*}} count(2)
    %v = spin.splat %n count(2)
    // CHECK: %[[W:.*]] = spin.insert_lane %{{.*}}, %[[V]] lane(1) count(2)
    %w = spin.insert_lane %n, %v lane(1) count(2)
    // CHECK: spin.lanes minu %[[V]], %[[W]] count(4)
    %m = spin.lanes minu %v, %w count(4)
    spin.wire_store %m, %all[%c0] le : i32, !spin.slice<i8, packet_l1>

    // FOLD-LABEL: spin.handler @payload
    // In the order of the stores:
    // FOLD-DAG: %[[SPLAT:.*]] = arith.constant -2105376126 : i32
    // FOLD-DAG: %[[SUM:.*]] = arith.constant -8355839 : i32
    // FOLD-DAG: %[[LEAST:.*]] = arith.constant -2139028993 : i32
    // FOLD-DAG: %[[LESS:.*]] = arith.constant -65281 : i32
    // FOLD-DAG: %[[HALF:.*]] = arith.constant -1061142529 : i32
    // FOLD: spin.wire_store %[[SPLAT]], %{{.*}}[%{{.*}}]
    // FOLD: spin.wire_store %[[SUM]],
    // FOLD: spin.wire_store %[[LEAST]],
    // FOLD: spin.wire_store %[[LESS]],
    // FOLD: spin.wire_store %[[HALF]],
    // An amount that is none stays.
    // FOLD: spin.lanes shl
    %k = arith.constant 0x382 : i32
    %splat = spin.splat %k count(4)
    spin.wire_store %splat, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
    // 80 81 7f ff and 7f ff 01 02
    %a = arith.constant 0x80817fff : i32
    %b = arith.constant 0x7fff0102 : i32
    %sum = spin.lanes add %a, %b count(4)
    spin.wire_store %sum, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
    %l = spin.lanes mins %a, %b count(4)
    spin.wire_store %l, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
    %less = spin.lanes lts %a, %b count(4)
    spin.wire_store %less, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
    %c1 = arith.constant 1 : i32
    %half = spin.lanes shrs %a, %c1 count(4)
    spin.wire_store %half, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
    %c8 = arith.constant 8 : i32
    %none = spin.lanes shl %a, %c8 count(4)
    spin.wire_store %none, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
    spin.return success
  }
}
