// RUN: spinc-opt %s --spin-merge-copies --cse | FileCheck %s

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(256) mtu(1500) match [] {
  spin.host @out
  // CHECK-LABEL: spin.handler @payload
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c24 = arith.constant 24 : i32
    %c40 = arith.constant 40 : i32
    %one = arith.constant 1 : i64
    // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
    // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i32
    // CHECK-DAG: %[[C16:.*]] = arith.constant 16 : i32
    // CHECK-DAG: %[[C24:.*]] = arith.constant 24 : i32
    // CHECK-DAG: %[[C40:.*]] = arith.constant 40 : i32
    // CHECK: %[[ALL:.*]] = spin.packet_bytes
    // CHECK: %[[OUT:.*]] = spin.host_slice
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %out = spin.host_slice @out : !spin.slice<i8, host>
    %s0 = spin.subslice %all[%c0, %c8] : !spin.slice<i8, packet_l1>
    %s8 = spin.subslice %all[%c8, %c16] : !spin.slice<i8, packet_l1>
    %s24 = spin.subslice %all[%c24, %c8] : !spin.slice<i8, packet_l1>
    %d8 = spin.subslice %out[%c8, %c16] : !spin.slice<i8, host>
    %d24 = spin.subslice %out[%c24, %c8] : !spin.slice<i8, host>
    %d40 = spin.subslice %out[%c40, %c8] : !spin.slice<i8, host>
    // The first is at the start of the region, which has more room than it needs.
    // CHECK-NOT: spin.dma_to_host
    // CHECK-DAG: %[[TO:.*]] = spin.subslice %[[OUT]][%[[C0]], %[[C24]]]
    // CHECK-DAG: %[[FROM:.*]] = spin.subslice %[[ALL]][%[[C0]], %[[C24]]]
    // CHECK: %[[BOTH:.*]] = spin.dma_to_host %[[TO]], %[[FROM]]
    // CHECK-NEXT: spin.wait %[[BOTH]]
    // CHECK-NOT: spin.wait
    %a = spin.dma_to_host %out, %s0 : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    %b = spin.dma_to_host %d8, %s8 : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    spin.wait %b
    spin.wait %a
    // A gap on one side, then on the other.
    // CHECK: spin.dma_to_host
    // CHECK: spin.dma_to_host
    // CHECK: spin.dma_to_host
    %c = spin.dma_to_host %d8, %s8 : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    %d = spin.dma_to_host %d40, %s24 : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    %e = spin.dma_to_host %d24, %s0 : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    // Another command between them, which others may see before the second.
    // CHECK: spin.dma_to_host
    // CHECK: spin.notify
    // CHECK: spin.dma_to_host
    %f = spin.dma_to_host %d8, %s8 : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    %n = spin.notify %d40, %one : !spin.slice<i8, host>
    %g = spin.dma_to_host %d24, %s24 : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    // Waited for: a store may change what the first has copied.
    // CHECK: spin.dma_to_host
    // CHECK: spin.wait
    // CHECK: spin.store
    // CHECK: spin.dma_to_host
    %h = spin.dma_to_host %d8, %s8 : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    spin.wait %h
    %x = spin.load %all[%c0] le : !spin.slice<i8, packet_l1> -> i8
    spin.store %x, %all[%c8] le : i8, !spin.slice<i8, packet_l1>
    %i = spin.dma_to_host %d24, %s24 : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    // The handler may end between them.
    // CHECK: spin.require
    // CHECK: spin.dma_to_host
    %n8 = spin.load %all[%c16] le : !spin.slice<i8, packet_l1> -> i8
    %odd = arith.cmpi ne, %n8, %x : i8
    spin.require %odd else drop
    %j = spin.dma_to_host %d40, %s24 : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    spin.return success
  }
}
