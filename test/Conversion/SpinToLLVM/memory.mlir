// RUN: spinc-opt %s --convert-spin-to-llvm --canonicalize --cse | FileCheck %s

// The packet comes from the task registers, read once. Constant offsets give
// alignments; the rest is byte-aligned.
// CHECK-LABEL: llvm.func @A_ph() -> i32
// CHECK: %[[REG:.*]] = llvm.inttoptr %{{.*}} : i32 to !llvm.ptr
// CHECK: %[[AT:.*]] = llvm.load %[[REG]] atomic unordered invariant {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: %[[N:.*]] = llvm.load %{{.*}} atomic unordered invariant {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: %[[ALL:.*]] = llvm.inttoptr %[[AT]] : i32 to !llvm.ptr
// CHECK: %[[P22:.*]] = llvm.getelementptr inbounds|nuw %[[ALL]][22] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: %[[PORT:.*]] = llvm.load %[[P22]] {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK: llvm.intr.bswap(%[[PORT]]) : (i16) -> i16
// CHECK: %[[PAY:.*]] = llvm.getelementptr inbounds|nuw %[[ALL]][28] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: %[[WORDS:.*]] = llvm.lshr %[[N]], %{{.*}} : i32
// CHECK: %[[LAST:.*]] = llvm.getelementptr inbounds|nuw %[[PAY]][%{{.*}}] : (!llvm.ptr, i32) -> !llvm.ptr, i32
// CHECK: llvm.load %[[LAST]] {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 1 : i64} : i32, !llvm.ptr
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c1 = arith.constant 1 : i32
    %c22 = arith.constant 22 : i32
    %c28 = arith.constant 28 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %port = spin.wire_load %all[%c22] be proof <"f"> : !spin.slice<i8, packet_l1> -> i16
    %pay = spin.subslice %all[%c28, %n] proof <"f"> : !spin.slice<i8, packet_l1>
    %words = spin.view_as %pay : !spin.slice<i8, packet_l1> -> !spin.slice<i32, packet_l1>
    %count = spin.slice_length %words : !spin.slice<i32, packet_l1>
    %last = spin.load %words[%count] le proof <"f"> : !spin.slice<i32, packet_l1> -> i32
    %wide = arith.extui %port : i16 to i32
    %sum = arith.addi %last, %wide : i32
    %odd = spin.subslice %pay[%sum, %c1] proof <"f"> : !spin.slice<i8, packet_l1>
    %view = spin.view_as %odd : !spin.slice<i8, packet_l1> -> !spin.slice<i32, packet_l1>
    spin.store %sum, %view[%c1] le proof <"f"> : i32, !spin.slice<i32, packet_l1>
    spin.return success
  }
}

// Integers of any whole number of bytes are swapped in the next power of two.
// CHECK-LABEL: llvm.func @B_ph() -> i32
// CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> i48
// CHECK: %[[W:.*]] = llvm.zext %[[V]] : i48 to i64
// CHECK: %[[S:.*]] = llvm.intr.bswap(%[[W]]) : (i64) -> i64
// CHECK: %[[D:.*]] = llvm.lshr %[[S]], %{{.*}} : i64
// CHECK: llvm.trunc %[[D]] : i64 to i48
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 2 : i64} : i48, !llvm.ptr
// A slice that control flow selects is a pair.
// CHECK: llvm.select %{{.*}} : i1, !llvm.struct<(ptr, i32)>
// CHECK: llvm.store %{{.*}} : i8, !llvm.ptr
spin.context @B link(ethernet) header_bytes(14) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c6 = arith.constant 6 : i32
    %x = arith.constant 9 : i8
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %mac = spin.wire_load %all[%c0] be proof <"f"> : !spin.slice<i8, packet_l1> -> i48
    spin.wire_store %mac, %all[%c6] be proof <"f"> : i48, !spin.slice<i8, packet_l1>
    %odd = spin.wire_load %all[%c0] le proof <"f"> : !spin.slice<i8, packet_l1> -> i8
    %some = arith.cmpi ult, %odd, %x : i8
    %cut = spin.subslice %all[%c6, %c6] proof <"f"> : !spin.slice<i8, packet_l1>
    %either = arith.select %some, %all, %cut : !spin.slice<i8, packet_l1>
    spin.store %x, %either[%c0] le proof <"f"> : i8, !spin.slice<i8, packet_l1>
    spin.return success
  }
}
