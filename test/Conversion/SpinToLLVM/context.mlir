// RUN: spinc-opt %s --convert-spin-to-llvm --canonicalize | FileCheck %s

// Fields become globals in the section of their space, parameters of a context
// one global in the order of declaration, plain fields one with a block for
// each message.
// CHECK: llvm.mlir.global external @A.messages_l2() {{.*}}alignment = 4096 : i64, dso_local, section = ".spin.l2.messages"} : !llvm.array<256 x array<8 x i8>>
// CHECK: llvm.mlir.global external @A.bin() {{.*}}alignment = 8 : i64, dso_local, section = ".spin.l1"} : !llvm.array<16 x i32>
// CHECK: llvm.mlir.global external @A.params() {{.*}}section = ".spin.params"} : !llvm.struct<(i8, i32)>
// CHECK: llvm.func @A_hh() -> i32
// CHECK: llvm.func @A_ph() -> i32
// CHECK: llvm.func @A_th() -> i32
// CHECK: llvm.func @B_ph() -> i32
// CHECK-NOT: spin.
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(16) kind(atomic) per_cluster in(state_l1) where {}
  spin.state @small : i8 count(1) kind(param) in(state_l1) where {}
  spin.state @total : i64 count(1) kind(plain) in(state_l2) where {}
  spin.state @block : i32 count(1) kind(param) in(state_l1) where {
  ^bb0(%v: i32):
    %ok = arith.constant true
    spin.yield_condition %ok
  }
  spin.host @out
  spin.contract "true" {
    %ok = arith.constant true
    spin.yield_condition %ok
  }
  spin.handler @header kind(header) {
  ^bb0(%m: !spin.message):
    spin.return process_data
  }
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    spin.return success
  }
  spin.handler @completion kind(completion) {
  ^bb0(%m: !spin.message):
    spin.return success
  }
}
spin.context @B link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    spin.return success
  }
}
