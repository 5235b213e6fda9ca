// RUN: spinc-opt %s --convert-spin-to-llvm --canonicalize | FileCheck %s

// Early exits, also from inside a loop, go to one block with their code.
// CHECK-LABEL: llvm.func @A_ph() -> i32
// CHECK-DAG: %[[DROP:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK-DAG: %[[FAIL:.*]] = llvm.mlir.constant(2 : i32) : i32
// CHECK-DAG: %[[OK:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK: llvm.cond_br %{{.*}}, ^[[REST:bb[0-9]+]], ^[[EXIT:bb[0-9]+]](%[[DROP]] : i32)
// CHECK: ^[[REST]]:
// CHECK: llvm.inline_asm has_side_effects ".Lspinloop${:uid}: .pushsection .spin.loops,\22\22,@progbits; .word .Lspinloop${:uid}, 7; .popsection", ""
// CHECK: llvm.br ^[[EXIT]](%[[FAIL]] : i32)
// CHECK: llvm.return %[[OK]] : i32
// CHECK: ^[[EXIT]](%[[CODE:.*]]: i32):
// CHECK: llvm.return %[[CODE]] : i32
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c28 = arith.constant 28 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %long = arith.cmpi uge, %n, %c28 : i32
    spin.require %long else drop
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      spin.loop_marker 7
      %bad = arith.cmpi eq, %i, %c28 : i32
      scf.if %bad {
        spin.exit fail
      }
    }
    spin.return success
  }
}

// What follows an exit in its block is dead.
// CHECK-LABEL: llvm.func @B_ph() -> i32
// CHECK-NEXT: %[[DROP:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT: llvm.br ^[[EXIT:bb[0-9]+]](%[[DROP]] : i32)
// CHECK-NEXT: ^[[EXIT]](%[[CODE:.*]]: i32):
// CHECK-NEXT: llvm.return %[[CODE]] : i32
// CHECK-NEXT: }
spin.context @B link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    spin.exit drop
    spin.return success
  }
}
