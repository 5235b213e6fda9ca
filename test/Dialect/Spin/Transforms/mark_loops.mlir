// RUN: spinc-opt %s --spin-mark-loops --split-input-file \
// RUN:   --verify-diagnostics | FileCheck %s

#four = #spin.bound<affine_map<() -> (4)>>
#words = #spin.bound<affine_map<()[s0] -> (s0 floordiv 4)>, "p.length">

// CHECK: module attributes {spin.loops = [
// CHECK-SAME: {bound = #spin.bound<affine_map<()[s0] -> (s0 floordiv 4)>, "p.length">, handler = "A_ph", id = 0 : i32, line = 7 : i32, parent = -1 : i32}
// CHECK-SAME: {attempts = [#spin.attempt<"unroll", done = false, "a loop is in it">], bound = #spin.bound<affine_map<() -> (4)>>, handler = "A_ph", id = 1 : i32, line = 0 : i32, parent = 0 : i32}
// CHECK-SAME: {bound = #spin.bound<affine_map<() -> (4)>>, handler = "A_th", id = 2 : i32, line = 0 : i32, parent = -1 : i32}
module {
  spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
    spin.handler @payload kind(payload) {
    ^bb0(%p: !spin.packet):
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c4 = arith.constant 4 : i32
      %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
      %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
      // CHECK: scf.for
      // CHECK-NEXT: spin.loop_marker 0
      scf.for unsigned %i = %c0 to %n step %c4 : i32 {
        // CHECK: scf.for
        // CHECK-NEXT: spin.loop_marker 1
        scf.for unsigned %j = %c0 to %c4 step %c1 : i32 {
        } {spin.bound = #four, spin.attempts = [#spin.attempt<"unroll", done = false, "a loop is in it">]} loc(unknown)
      } {spin.bound = #words} loc("a.spinc":7:5)
      spin.return success
    }
    spin.handler @completion kind(completion) {
    ^bb0(%m: !spin.message):
      %c4 = arith.constant 4 : i32
      %c8 = arith.constant 8 : i32
      // CHECK: scf.while
      // CHECK: scf.condition
      // CHECK: ^bb0
      // CHECK-NEXT: spin.loop_marker 2
      %r = scf.while (%x = %c4) : (i32) -> i32 {
        %go = arith.cmpi ult, %x, %c8 : i32
        scf.condition(%go) %x : i32
      } do {
      ^bb0(%x: i32):
        %next = arith.addi %x, %c4 : i32
        scf.yield %next : i32
      } attributes {spin.bound = #four} loc(unknown)
      spin.return success
    }
  }
}

// -----

// CHECK: module attributes {spin.loops = []}
module {}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    // expected-error@+1 {{E0513: loop has no bound}}
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
    }
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for unsigned %i = %c0 to %c1 step %c1 : i32 {
      // expected-error@+1 {{is there already}}
      spin.loop_marker 0
    } {spin.bound = #spin.bound<affine_map<() -> (1)>>}
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // expected-error@+1 {{cannot be marked}}
    scf.while : () -> () {
      scf.for unsigned %i = %c0 to %c1 step %c1 : i32 {
      } {spin.bound = #spin.bound<affine_map<() -> (1)>>}
      %no = arith.constant false
      scf.condition(%no)
    } do {
      scf.yield
    } attributes {spin.bound = #spin.bound<affine_map<() -> (4)>>}
    spin.return success
  }
}
