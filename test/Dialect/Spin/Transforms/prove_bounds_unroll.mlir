// What unrolling and folding make of a proved handler is proved again, and the
// bounds of the two loops that come of one are those of their parts.
// RUN: spinc-opt %s --spin-prove-bounds --spin-unroll-loops --canonicalize --cse --spin-prove-bounds --spin-infer-loop-bounds | FileCheck %s

spin.context @Histogram link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500)
    match [] {
  spin.state @bin : i32 count(1024) kind(atomic) per_cluster in(state_l1) where {}
  // CHECK-LABEL: spin.handler @payload
  // CHECK: scf.for
  // CHECK-COUNT-4: spin.load {{.*}} proof <
  // CHECK: spin.bound = #spin.bound<affine_map<()[s0] -> (s0 floordiv 16)>, "p.length">
  // CHECK: scf.for
  // CHECK-COUNT-1: spin.load {{.*}} proof <
  // CHECK: spin.bound = #spin.bound<affine_map<()[s0] -> (s0 floordiv 4 - (s0 floordiv 16) * 4)>, "p.length">
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %c28 = arith.constant 28 : i32
    %ok = arith.cmpi uge, %n, %c28 : i32
    spin.require %ok else drop
    %len = arith.subi %n, %c28 overflow<nuw> : i32
    %payload = spin.subslice %all[%c28, %len] : !spin.slice<i8, packet_l1>
    %words = spin.view_as %payload : !spin.slice<i8, packet_l1> -> !spin.slice<i32, packet_l1>
    %count = spin.slice_length %words : !spin.slice<i32, packet_l1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c1024 = arith.constant 1024 : i32
    %bin = spin.state_slice @bin : !spin.slice<i32, state_l1>
    scf.for unsigned %i = %c0 to %count step %c1 : i32 {
      %word = spin.load %words[%i] le : !spin.slice<i32, packet_l1> -> i32
      %small = arith.cmpi ult, %word, %c1024 : i32
      scf.if %small {
        %old = spin.atomic_rmw add %bin[%word], %c1 : !spin.slice<i32, state_l1>
      }
    }
    spin.return success
  }
}
