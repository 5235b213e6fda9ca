// Bounds of loops, in terms that have a meaning outside of the handler.
// RUN: spinc-opt %s --split-input-file --spin-prove-bounds --spin-infer-loop-bounds | FileCheck %s

spin.context @W link(portals) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    // TLV walk
    // CHECK: scf.while
    // CHECK: spin.bound = #spin.bound<affine_map<()[s0] -> (s0 floordiv 2)>, "p.length">
    %r = scf.while (%o = %c0) : (i32) -> i32 {
      %e = arith.addi %o, %c2 overflow<nuw> : i32
      %c = arith.cmpi ule, %e, %len : i32
      scf.condition(%c) %o : i32
    } do {
    ^bb0(%o: i32):
      %l8 = spin.load %s[%o] le : !spin.slice<i8, packet_l1> -> i8
      %l = arith.extui %l8 : i8 to i32
      %ok = arith.cmpi uge, %l, %c2 : i32
      spin.require %ok else drop
      %e = arith.addi %o, %l overflow<nuw> : i32
      %ok2 = arith.cmpi ule, %e, %len : i32
      spin.require %ok2 else drop
      scf.yield %e : i32
    }
    %rest = arith.subi %len, %r overflow<nuw> : i32
    %tail = spin.subslice %s[%r, %rest] : !spin.slice<i8, packet_l1>
    // halving: at most 11 bits
    // CHECK: scf.while
    // CHECK: spin.bound = #spin.bound<affine_map<() -> (11)>>
    %h = scf.while (%v = %len) : (i32) -> i32 {
      %c = arith.cmpi ugt, %v, %c0 : i32
      scf.condition(%c) %v : i32
    } do {
    ^bb0(%v: i32):
      %n = arith.shrui %v, %c1 : i32
      scf.yield %n : i32
    }
    // a loop unrolled by 4, and what is left
    // CHECK: scf.for
    // CHECK: spin.bound = #spin.bound<affine_map<()[s0] -> (s0 floordiv 4)>, "p.length">
    %c4 = arith.constant 4 : i32
    %m = arith.remui %len, %c4 : i32
    %main = arith.subi %len, %m overflow<nuw> : i32
    %cnt = scf.for unsigned %i = %c0 to %main step %c4 iter_args(%k = %c0) -> (i32) : i32 {
      %i1 = arith.addi %i, %c1 overflow<nuw> : i32
      %i2 = arith.addi %i, %c2 overflow<nuw> : i32
      %i3 = arith.addi %i2, %c1 overflow<nuw> : i32
      %a = spin.load %s[%i3] le : !spin.slice<i8, packet_l1> -> i8
      %k1 = arith.addi %k, %c1 overflow<nuw> : i32
      %b = spin.load %s[%k] le : !spin.slice<i8, packet_l1> -> i8
      scf.yield %k1 : i32
    }
    // CHECK: scf.for
    // CHECK: spin.bound = #spin.bound<affine_map<()[s0] -> (s0 mod 4)>, "p.length">
    scf.for unsigned %i = %main to %len step %c1 : i32 {
      %a = spin.load %s[%i] le : !spin.slice<i8, packet_l1> -> i8
    }
    spin.return success
  }
}
