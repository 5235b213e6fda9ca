// RUN: spinc-opt %s --spin-expand-lanes --canonicalize | FileCheck %s

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // CHECK-LABEL: spin.handler @payload
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %v = spin.wire_load %all[%c0] le : !spin.slice<i8, packet_l1> -> i32
    // CHECK: %[[N:.*]] = spin.slice_length
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    // CHECK-NOT: spin.lanes
    // CHECK: %[[LOW:.*]] = arith.andi %[[N]], %c255
    // CHECK: %[[ALL:.*]] = arith.muli %[[LOW]], %c16843009
    %all_lanes = spin.splat %n count(4)
    // Without carries from lane to lane.
    // CHECK: arith.xori
    // CHECK: arith.andi %{{.*}}, %c2139062143
    // CHECK: arith.andi %[[ALL]], %c2139062143
    // CHECK: arith.addi
    // CHECK: arith.andi %{{.*}}, %c-2139062144
    // CHECK: arith.xori
    %sum = spin.lanes add %v, %all_lanes count(4)
    // CHECK-COUNT-2: arith.cmpi slt
    %least = spin.lanes mins %sum, %v count(2)
    // CHECK-COUNT-4: arith.cmpi ugt
    %more = spin.lanes gtu %least, %v count(4)
    // The other lanes stay.
    // CHECK: arith.andi %{{.*}}, %c-16711681
    %w = spin.insert_lane %n, %more lane(2) count(4)
    // CHECK-NOT: spin.insert_lane
    // CHECK: spin.wire_store
    spin.wire_store %w, %all[%c0] le : i32, !spin.slice<i8, packet_l1>
    spin.return success
  }
}
