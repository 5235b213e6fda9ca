// RUN: spinc-opt --convert-spin-to-llvm %s | FileCheck %s
// Functions are called with numbers and slices and keep a code of their own.

// CHECK-LABEL: llvm.func @A_ph() -> i32
// CHECK: %[[P:.*]] = llvm.call @A.fn.swap(%{{.*}}, %{{.*}}) : (i32, i8) -> !llvm.struct<(i8, i32)>
// CHECK: %[[B:.*]] = llvm.extractvalue %[[P]][0]
// CHECK: %[[N:.*]] = llvm.extractvalue %[[P]][1]
// CHECK: llvm.call @A.fn.one(%[[N]]) : (i32) -> i32
// CHECK: llvm.call @A.fn.nothing() : () -> ()
// CHECK: llvm.call @A.fn.length(%{{.*}}) : (!llvm.struct<(ptr, i32)>) -> i32
// CHECK: llvm.func @A.fn.swap(%[[X:.*]]: i32, %[[Y:.*]]: i8) -> !llvm.struct<(i8, i32)> attributes {dso_local, no_inline}
// CHECK: %[[U:.*]] = llvm.mlir.poison
// CHECK: %[[V:.*]] = llvm.insertvalue %[[Y]], %[[U]][0]
// CHECK: %[[W:.*]] = llvm.insertvalue %[[X]], %[[V]][1]
// CHECK: llvm.return %[[W]]
// CHECK: llvm.func @A.fn.one(%[[X1:.*]]: i32) -> i32
// CHECK: llvm.return %[[X1]] : i32
// CHECK: llvm.func @A.fn.nothing()
// CHECK: llvm.return{{$}}
// CHECK: llvm.func @A.fn.length(%[[S:.*]]: !llvm.struct<(ptr, i32)>) -> i32
// CHECK: %[[L:.*]] = llvm.extractvalue %[[S]][1]
// CHECK: llvm.return %[[L]] : i32
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %n = arith.constant 4 : i32
    %b = arith.constant 1 : i8
    %r:2 = spin.call @fn.swap(%n, %b) : (i32, i8) -> (i8, i32)
    %s = spin.call @fn.one(%r#1) : (i32) -> i32
    spin.call @fn.nothing() : () -> ()
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %l = spin.call @fn.length(%all) : (!spin.slice<i8, packet_l1>) -> i32
    spin.return success
  }
  spin.handler @fn.swap kind(function) {
  ^bb0(%n: i32, %b: i8):
    spin.give %b, %n : i8, i32
  }
  spin.handler @fn.one kind(function) {
  ^bb0(%n: i32):
    spin.give %n : i32
  }
  spin.handler @fn.nothing kind(function) {
    spin.give
  }
  spin.handler @fn.length kind(function) {
  ^bb0(%s: !spin.slice<i8, packet_l1>):
    %l = spin.slice_length %s : !spin.slice<i8, packet_l1>
    spin.give %l : i32
  }
}
