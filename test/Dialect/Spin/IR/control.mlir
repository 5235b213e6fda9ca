// RUN: spinc-opt %s | spinc-opt | FileCheck %s
// RUN: spinc-opt %s --mlir-print-op-generic | spinc-opt | FileCheck %s

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %ok = arith.constant true
    // CHECK: spin.require %{{.*}} else drop
    spin.require %ok else drop
    scf.if %ok {
      // CHECK: spin.loop_marker 3
      spin.loop_marker 3
      // CHECK: spin.exit fail
      spin.exit fail
    }
    // CHECK: spin.return success
    spin.return success
  }
}
