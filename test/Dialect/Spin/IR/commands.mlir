// RUN: spinc-opt %s | spinc-opt | FileCheck %s
// RUN: spinc-opt %s --mlir-print-op-generic | spinc-opt | FileCheck %s

spin.context @A link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.host @dst
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %n = spin.host_size @dst
    %x = arith.constant 1 : i64
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %dst = spin.host_slice @dst : !spin.slice<i8, host>
    // CHECK: %[[C:.*]] = spin.dma_to_host %[[DST:.*]], %[[ALL:.*]] : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    %a = spin.dma_to_host %dst, %all : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    // CHECK: spin.dma_from_host %[[ALL]], %[[DST]] proof <"f"> : !spin.slice<i8, packet_l1>, !spin.slice<i8, host>
    %b = spin.dma_from_host %all, %dst proof <"f"> : !spin.slice<i8, packet_l1>, !spin.slice<i8, host>
    // CHECK: spin.notify %[[DST]], %{{.*}} : !spin.slice<i8, host>
    %c = spin.notify %dst, %x : !spin.slice<i8, host>
    // CHECK: spin.send %[[ALL]] : !spin.slice<i8, packet_l1>
    %d = spin.send %all : !spin.slice<i8, packet_l1>
    // CHECK: spin.put %[[ALL]] to %{{.*}} match %{{.*}} : !spin.slice<i8, packet_l1>
    %e = spin.put %all to %n match %x : !spin.slice<i8, packet_l1>
    // CHECK: spin.put to %{{.*}} match %{{.*}} hdr_data %{{.*}}
    %f = spin.put to %n match %x hdr_data %n
    // CHECK: spin.wait %[[C]]
    spin.wait %a
    spin.return success
  }
}
