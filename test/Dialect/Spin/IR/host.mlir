// RUN: spinc-opt %s | spinc-opt | FileCheck %s
// RUN: spinc-opt %s --mlir-print-op-generic | spinc-opt | FileCheck %s

spin.context @A link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.host @dst
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    // CHECK: %[[N:.*]] = spin.host_size @dst
    %n = spin.host_size @dst
    // CHECK: %[[DST:.*]] = spin.host_slice @dst : !spin.slice<i8, host>
    %dst = spin.host_slice @dst : !spin.slice<i8, host>
    // CHECK: %[[V:.*]] = spin.strided_view %[[DST]], %[[N]], %[[N]], %[[N]] proof <"f"> : !spin.slice<i8, host>
    %v = spin.strided_view %dst, %n, %n, %n proof <"f"> : !spin.slice<i8, host>
    // CHECK: spin.strided_length %[[V]]
    %len = spin.strided_length %v
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    // CHECK: spin.for_pieces %[[V]] at %[[N]] data %[[ALL:.*]] : !spin.slice<i8, packet_l1> {
    // CHECK-NEXT: ^bb0(%{{.*}}: !spin.slice<i8, host>, %{{.*}}: !spin.slice<i8, packet_l1>):
    spin.for_pieces %v at %n data %all : !spin.slice<i8, packet_l1> {
    ^bb0(%host: !spin.slice<i8, host>, %piece: !spin.slice<i8, packet_l1>):
      // CHECK-NEXT: spin.yield
      spin.yield
    }
    // CHECK: %{{.*}} = spin.for_pieces %[[V]] at %[[N]] data %[[ALL]] iter(%[[N]] : i32) proof <"f"> : !spin.slice<i8, packet_l1> -> i32 {
    %sum = spin.for_pieces %v at %n data %all iter(%n : i32) proof <"f"> : !spin.slice<i8, packet_l1> -> i32 {
    ^bb0(%host: !spin.slice<i8, host>, %piece: !spin.slice<i8, packet_l1>, %x: i32):
      // CHECK: spin.yield %{{.*}} : i32
      spin.yield %x : i32
    }
    spin.return success
  }
}
