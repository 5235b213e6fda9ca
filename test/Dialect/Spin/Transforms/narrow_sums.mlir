// RUN: spinc-opt %s --spin-narrow-sums --canonicalize --cse | FileCheck %s

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(28) mtu(1500) match [] {
  spin.state @size : i32 count(1) kind(plain) in(state_l1) where {}
  spin.state @limit : i32 count(1) kind(plain) in(state_l1) where {}
  spin.state @few : i16 count(1) kind(plain) in(state_l1) where {}
  // CHECK-LABEL: spin.handler @payload
  // CHECK: %[[A:.*]] = spin.state_load @size
  // CHECK: %[[B:.*]] = spin.slice_length
  // CHECK: %[[C:.*]] = spin.state_load @limit
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %a = spin.state_load @size : i32
    %b = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %c = spin.state_load @limit : i32
    %d = spin.state_load @few : i16
    %a64 = arith.extui %a : i32 to i64
    %b64 = arith.extui %b : i32 to i64
    %c64 = arith.extui %c : i32 to i64
    %d64 = arith.extui %d : i16 to i64
    %s64 = arith.extsi %c : i32 to i64
    %sum = arith.addi %a64, %b64 : i64
    // CHECK: %[[SUM:.*]] = arith.addi %[[A]], %[[B]] : i32
    // CHECK: %[[FITS:.*]] = arith.cmpi uge, %[[SUM]], %[[A]] : i32
    // CHECK: %[[IN:.*]] = arith.cmpi ule, %[[SUM]], %[[C]] : i32
    // CHECK: %[[BOTH:.*]] = arith.andi %[[FITS]], %[[IN]] : i1
    // CHECK: spin.require %[[BOTH]] else drop
    %within = arith.cmpi ule, %sum, %c64 : i64
    spin.require %within else drop
    // The sum is on the right, and the comparison negated.
    // CHECK: %[[WRAPS:.*]] = arith.cmpi ult, %[[SUM]], %[[A]] : i32
    // CHECK: %[[OUT:.*]] = arith.cmpi uge, %[[SUM]], %[[C]] : i32
    // CHECK: %[[EITHER:.*]] = arith.ori %[[WRAPS]], %[[OUT]] : i1
    // CHECK: spin.require %[[EITHER]] else fail
    %without = arith.cmpi ule, %c64, %sum : i64
    spin.require %without else fail
    // Signed, of other widths, equal: as they are.
    // CHECK: arith.cmpi slt, %{{.*}} : i64
    // CHECK: arith.cmpi ult, %{{.*}} : i64
    // CHECK: arith.cmpi ult, %{{.*}} : i64
    // CHECK: arith.cmpi eq, %{{.*}} : i64
    %signed = arith.cmpi slt, %sum, %c64 : i64
    spin.require %signed else drop
    %other = arith.cmpi ult, %sum, %s64 : i64
    spin.require %other else drop
    %small = arith.cmpi ult, %sum, %d64 : i64
    spin.require %small else drop
    %same = arith.cmpi eq, %sum, %c64 : i64
    spin.require %same else drop
    spin.return success
  }
}
