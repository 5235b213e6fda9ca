// RUN: spinc-opt %s --spin-unroll-loops | FileCheck %s
// A handler may ask for more: 8 a turn of 64 iterations, or all of 30; and for
// nothing but what is written out. The limits on operations grow with it, so of
// the large body there are 4 a turn. What is not asked for stays as usual.
// CHECK-LABEL: spin.context @Asked
// CHECK: spin.handler @payload
// CHECK: scf.for
// CHECK-COUNT-8: spin.load
// CHECK: scf.for
// CHECK-COUNT-1: spin.load
// CHECK-NOT: scf.for
// CHECK-COUNT-30: spin.load
// CHECK: scf.for
// CHECK-COUNT-4: spin.load
// CHECK: scf.for
// CHECK-COUNT-1: spin.load
// CHECK: spin.return
// CHECK: spin.handler @completion
// CHECK: scf.for
// CHECK-COUNT-1: spin.load
// CHECK-NOT: spin.load
// CHECK: spin.return
spin.context @Asked link(ip) header_bytes(28) guaranteed_bytes(60) mtu(1500) match [] {
  spin.state @sums : i32 count(64) kind(plain) in(state_l1) where {}
  spin.handler @payload kind(payload) attributes {spin.unroll = 8 : i32} {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c30 = arith.constant 30 : i32
    %c64 = arith.constant 64 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %first = scf.for unsigned %i = %c0 to %c64 step %c1 iter_args(%s = %c0) -> (i32) : i32 {
      %v = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      %w = arith.extui %v : i8 to i32
      %next = arith.xori %s, %w : i32
      scf.yield %next : i32
    }
    %second = scf.for unsigned %i = %c0 to %c30 step %c1 iter_args(%s = %first) -> (i32) : i32 {
      %v = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      %w = arith.extui %v : i8 to i32
      %next = arith.xori %s, %w : i32
      scf.yield %next : i32
    }
    %third = scf.for unsigned %i = %c0 to %c64 step %c1 iter_args(%s = %second) -> (i32) : i32 {
      %v = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      %s0 = arith.extui %v : i8 to i32
      %s1 = arith.muli %s0, %s : i32
      %s2 = arith.muli %s1, %s : i32
      %s3 = arith.muli %s2, %s : i32
      %s4 = arith.muli %s3, %s : i32
      %s5 = arith.muli %s4, %s : i32
      %s6 = arith.muli %s5, %s : i32
      %s7 = arith.muli %s6, %s : i32
      %s8 = arith.muli %s7, %s : i32
      %s9 = arith.muli %s8, %s : i32
      %s10 = arith.muli %s9, %s : i32
      %s11 = arith.muli %s10, %s : i32
      %s12 = arith.muli %s11, %s : i32
      %s13 = arith.muli %s12, %s : i32
      %s14 = arith.muli %s13, %s : i32
      %s15 = arith.muli %s14, %s : i32
      %s16 = arith.muli %s15, %s : i32
      %s17 = arith.muli %s16, %s : i32
      %s18 = arith.muli %s17, %s : i32
      %s19 = arith.muli %s18, %s : i32
      %s20 = arith.muli %s19, %s : i32
      %s21 = arith.muli %s20, %s : i32
      %s22 = arith.muli %s21, %s : i32
      %s23 = arith.muli %s22, %s : i32
      %s24 = arith.muli %s23, %s : i32
      %s25 = arith.muli %s24, %s : i32
      %s26 = arith.muli %s25, %s : i32
      %s27 = arith.muli %s26, %s : i32
      %s28 = arith.muli %s27, %s : i32
      %s29 = arith.muli %s28, %s : i32
      %s30 = arith.muli %s29, %s : i32
      scf.yield %s30 : i32
    }
    spin.return success
  }
  spin.handler @completion kind(completion) attributes {spin.unroll = 1 : i32} {
  ^bb0(%m: !spin.message):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %sums = spin.state_slice @sums : !spin.slice<i32, state_l1>
    %sum = scf.for unsigned %i = %c0 to %c64 step %c1 iter_args(%s = %c0) -> (i32) : i32 {
      %v = spin.load %sums[%i] le : !spin.slice<i32, state_l1> -> i32
      %next = arith.xori %s, %v : i32
      scf.yield %next : i32
    }
    spin.store %sum, %sums[%c0] le : i32, !spin.slice<i32, state_l1>
    spin.return success
  }
}
