// A common factor of what is divided and of the divisor drops out, and the
// checker sees that too.
// RUN: spinc-opt %s --spin-prove-bounds --spin-infer-loop-bounds --spin-certify --spin-check-proofs | FileCheck %s
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c6 = arith.constant 6 : i32
    %c12 = arith.constant 12 : i32
    %c16 = arith.constant 16 : i32
    // floor(4 * floor(n / 12) / 16)
    %twelfth = arith.divui %n, %c12 : i32
    %words = arith.muli %twelfth, %c4 overflow<nuw> : i32
    %groups = arith.divui %words, %c16 : i32
    // CHECK: spin.bound = #spin.bound<affine_map<()[s0] -> (s0 floordiv 48)>, "p.length">
    scf.for unsigned %i = %c0 to %groups step %c1 : i32 {
    }
    // floor((4 * floor(n / 12) + 7) / 6) = floor((2 * floor(n / 12) + 3) / 3),
    // which is bounded by something simpler.
    // CHECK: spin.bound
    // CHECK-NOT: mod
    %c7 = arith.constant 7 : i32
    %more = arith.addi %words, %c7 overflow<nuw> : i32
    %sixth = arith.divui %more, %c6 : i32
    scf.for unsigned %i = %c0 to %sixth step %c1 : i32 {
    }
    // CHECK: spin.return
    spin.return success
  }
}
