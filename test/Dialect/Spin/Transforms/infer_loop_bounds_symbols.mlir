// Bounds of loops in terms of parameters, outer indices and loaded values.
// RUN: spinc-opt %s --split-input-file --spin-prove-bounds --spin-infer-loop-bounds | FileCheck %s

spin.context @Q link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @block : i32 count(1) kind(param) in(state_l1) where {
  ^bb0(%v: i32):
    %c4 = arith.constant 4 : i32
    %ok = arith.cmpi uge, %v, %c4 : i32
    spin.yield_condition %ok
  }
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %all = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c20 = arith.constant 20 : i32
    %c28 = arith.constant 28 : i32
    %ok = arith.cmpi uge, %all, %c28 : i32
    spin.require %ok else drop
    %len = arith.subi %all, %c28 overflow<nuw> : i32
    %block = spin.param @block : i32
    %q = arith.divui %len, %block : i32
    %n = arith.addi %q, %c2 overflow<nuw> : i32
    // CHECK-LABEL: spin.context @Q
    // CHECK: spin.bound = #spin.bound<affine_map<()[s0] -> (s0 + 2)>, "p.length / block">
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
    }
    // A count that would be negative for a short payload is raised to 0 there.
    // The inner count depends on the outer index.
    // CHECK: spin.bound = #spin.bound<affine_map<()[s0] -> (s0)>, "p.length">
    // CHECK: spin.bound = #spin.bound<affine_map<()[s0] -> (s0 floordiv 3)>, "p.length">
    scf.for unsigned %i = %c20 to %len step %c3 : i32 {
      scf.for unsigned %j = %c0 to %i step %c1 : i32 {
      }
    }
    // A number from the packet: what its type allows.
    %v8 = spin.load %s[%c20] le : !spin.slice<i8, packet_l1> -> i8
    %v = arith.extui %v8 : i8 to i32
    // CHECK: spin.bound = #spin.bound<affine_map<() -> (255)>>
    scf.for unsigned %j = %c0 to %v step %c1 : i32 {
    }
    // Nothing moves towards a limit: no bound.
    // CHECK: scf.while
    // CHECK-NOT: spin.bound
    // CHECK: spin.return
    %r = scf.while (%x = %len) : (i32) -> i32 {
      %true = arith.constant true
      scf.condition(%true) %x : i32
    } do {
    ^bb0(%x: i32):
      %go = arith.xori %x, %c1 : i32
      scf.yield %go : i32
    }
    spin.return success
  }
}
