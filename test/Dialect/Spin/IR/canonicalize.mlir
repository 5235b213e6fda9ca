// RUN: spinc-opt %s --canonicalize | FileCheck %s

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(16) kind(atomic) per_cluster in(state_l1) where {}
  spin.state @out : i32 count(1) kind(plain) in(state_l1) where {}
  spin.host @dst
  // Constants stay within their handler.
  // CHECK-LABEL: spin.handler @completion
  spin.handler @completion kind(completion) {
  ^bb0(%m: !spin.message):
    // CHECK-DAG: %[[C16:.*]] = arith.constant 16 : i32
    // CHECK-DAG: %[[C5:.*]] = arith.constant 5 : i32
    %c0 = arith.constant 0 : i32
    %c5 = arith.constant 5 : i32
    %all = spin.packet_bytes %m : !spin.message -> !spin.slice<i8, packet_l1>
    %cut = spin.subslice %all[%c0, %c5] : !spin.slice<i8, packet_l1>
    %n = spin.slice_length %cut : !spin.slice<i8, packet_l1>
    // CHECK: spin.state_store %[[C5]], @out
    spin.state_store %n, @out : i32
    %dst = spin.host_slice @dst : !spin.slice<i8, host>
    %size = spin.slice_length %dst : !spin.slice<i8, host>
    // CHECK: %[[SIZE:.*]] = spin.host_size @dst
    // CHECK: spin.state_store %[[SIZE]], @out
    spin.state_store %size, @out : i32
    %bin = spin.state_slice @bin : !spin.slice<i32, state_l1>
    %count = spin.slice_length %bin : !spin.slice<i32, state_l1>
    // CHECK: spin.state_store %[[C16]], @out
    spin.state_store %count, @out : i32
    %copy = spin.state_copy @bin[%n] : !spin.slice<i32, state_l1>
    %count1 = spin.slice_length %copy : !spin.slice<i32, state_l1>
    // CHECK: spin.state_store %[[C16]], @out
    spin.state_store %count1, @out : i32
    spin.return success
  }
  // All of a slice is the slice; a part of it is not.
  // CHECK-LABEL: spin.handler @payload
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c5 = arith.constant 5 : i32
    // CHECK: %[[ALL:.*]] = spin.packet_bytes
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %same = spin.subslice %all[%c0, %n] : !spin.slice<i8, packet_l1>
    // CHECK: %[[CUT:.*]] = spin.subslice %[[ALL]]
    %cut = spin.subslice %all[%c0, %c5] : !spin.slice<i8, packet_l1>
    // CHECK: spin.send %[[ALL]]
    %a = spin.send %same : !spin.slice<i8, packet_l1>
    // CHECK: spin.send %[[CUT]]
    %b = spin.send %cut : !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// Conditions that are known, and what follows an exit.
// CHECK-LABEL: spin.context @B
// CHECK: ^bb0
// CHECK-NEXT: spin.exit drop
// CHECK-NEXT: spin.return success
spin.context @B link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %yes = arith.constant true
    %no = arith.constant false
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    spin.require %yes else fail
    spin.require %no else drop
    %b = spin.send %all : !spin.slice<i8, packet_l1>
    spin.wait %b
    spin.return success
  }
}
