// Packed values become SIMD instructions without effects: with a register, a
// number for all lanes, or an immediate as the right operand.
// RUN: spinc-opt %s --convert-spin-to-llvm --canonicalize | FileCheck %s

// CHECK-LABEL: llvm.func @A_ph() -> i32
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %v = spin.wire_load %all[%c0] le proof <"given"> : !spin.slice<i8, packet_l1> -> i32
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    // CHECK-NOT: has_side_effects
    // CHECK: llvm.inline_asm "cv.add.b $0, $1, $2", "=r,r,r" %{{.*}}, %{{.*}} : (i32, i32) -> i32
    %1 = spin.lanes add %v, %n count(4)
    // CHECK: %[[SPLAT:.*]] = llvm.inline_asm "cv.add.sc.h $0, zero, $1", "=r,r"
    %splat = spin.splat %n count(2)
    // CHECK: "cv.sub.sc.h $0, $1, $2", "=r,r,r"
    %2 = spin.lanes sub %1, %splat count(2)
    // A number for lanes of another width is a word like others.
    // CHECK: "cv.maxu.b $0, $1, $2", "=r,r,r" %{{.*}}, %[[SPLAT]]
    %3 = spin.lanes maxu %2, %splat count(4)
    // CHECK: "cv.min.sci.b $0, $1, -32", "=r,r"
    %low = arith.constant 0xe0e0e0e0 : i32
    %4 = spin.lanes mins %3, %low count(4)
    // CHECK: "cv.minu.b $0, $1, $2"
    %5 = spin.lanes minu %4, %low count(4)
    // CHECK: "cv.cmpgtu.sci.h $0, $1, 63"
    %high = arith.constant 0x003f003f : i32
    %6 = spin.lanes gtu %5, %high count(2)
    // CHECK: "cv.cmpeq.h $0, $1, $2"
    %7 = spin.lanes eq %6, %high count(2)
    // CHECK: "cv.sra.sci.h $0, $1, 15"
    %c15 = arith.constant 15 : i32
    %8 = spin.lanes shrs %7, %c15 count(2)
    // CHECK: "cv.sll.sc.b $0, $1, $2"
    %9 = spin.lanes shl %8, %n count(4)
    // CHECK: "cv.abs.b $0, $1", "=r,r"
    %negative = spin.lanes sub %c0, %9 count(4)
    %10 = spin.lanes maxs %9, %negative count(4)
    // CHECK: "cv.insert.b $0, $1, 3", "=r,r,0"
    %11 = spin.insert_lane %n, %10 lane(3) count(4)
    spin.wire_store %11, %all[%c0] le proof <"given"> : i32, !spin.slice<i8, packet_l1>
    spin.return success
  }
}
