// RUN: spinc-opt --spin-widen-loops %s | FileCheck %s

spin.context @Widen link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // CHECK-LABEL: spin.handler @payload
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %a = spin.local count(1500) : !spin.slice<i8, local>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %mask = arith.constant 15 : i8
    // Groups of four words, words, and the bytes that are left.
    // CHECK: scf.for unsigned %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}}
    // CHECK-COUNT-4: spin.wire_store %{{.*}} le : i32
    // CHECK: scf.for unsigned
    // CHECK-COUNT-2: spin.wire_load %{{.*}} -> i32
    // CHECK: arith.constant 252645135 : i32
    // CHECK: spin.wire_store %{{.*}} le : i32
    // CHECK: scf.for unsigned
    // CHECK: spin.store %{{.*}} le : i8
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %x = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      %y = spin.load %a[%i] le : !spin.slice<i8, local> -> i8
      %z = arith.andi %x, %mask : i8
      %w = arith.xori %z, %y : i8
      spin.store %w, %a[%i] le : i8, !spin.slice<i8, local>
    }
    // Parts of one array might overlap; sums carry into the next byte.
    // CHECK-NOT: spin.wire_load
    // CHECK: spin.return
    %b = spin.subslice %a[%c1, %n] : !spin.slice<i8, local>
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %x = spin.load %a[%i] le : !spin.slice<i8, local> -> i8
      spin.store %x, %b[%i] le : i8, !spin.slice<i8, local>
    }
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %x = spin.load %a[%i] le : !spin.slice<i8, local> -> i8
      %y = arith.addi %x, %x : i8
      spin.store %y, %a[%i] le : i8, !spin.slice<i8, local>
    }
    spin.return success
  }
}
