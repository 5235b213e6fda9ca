// RUN: spinc-opt %s --spin-demand-loop-bounds --split-input-file \
// RUN:   --verify-diagnostics | FileCheck %s

// What has a bound stays as it is.
// CHECK-LABEL: spin.context @A
// CHECK: scf.while
// CHECK-NOT: spin.bound
// CHECK: spin.return
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c3 = arith.constant 3 : i32
    %c26 = arith.constant 26 : i32
    %r = scf.while (%x = %c0) : (i32) -> i32 {
      %go = arith.cmpi ult, %x, %c26 : i32
      scf.condition(%go) %x : i32
    } do {
    ^bb0(%x: i32):
      %next = arith.addi %x, %c3 overflow<nuw> : i32
      scf.yield %next : i32
    }
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c3 = arith.constant 3 : i32
    %c26 = arith.constant 26 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    // expected-error@+1 {{E0513: loop has no bound}}
    %r = scf.while (%x = %c0) : (i32) -> i32 {
      %go = arith.cmpi ult, %x, %c26 : i32
      scf.condition(%go) %x : i32
    } do {
    ^bb0(%x: i32):
      %odd = arith.cmpi ugt, %n, %c26 : i32
      %sum = arith.addi %x, %c3 overflow<nuw> : i32
      %next = arith.select %odd, %x, %sum : i32
      scf.yield %next : i32
    }
    spin.return success
  }
}
