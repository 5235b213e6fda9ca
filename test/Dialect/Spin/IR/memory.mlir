// RUN: spinc-opt %s | spinc-opt | FileCheck %s
// RUN: spinc-opt %s --mlir-print-op-generic | spinc-opt | FileCheck %s

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c1 = arith.constant 1 : i32
    // CHECK: %[[ALL:.*]] = spin.packet_bytes %{{.*}} : !spin.packet -> !spin.slice<i8, packet_l1>
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    // CHECK: spin.packet_bytes %{{.*}} : !spin.packet -> !spin.slice<i8, packet_l2>
    %l2 = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l2>
    // CHECK: %[[N:.*]] = spin.slice_length %[[ALL]] : !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    // CHECK: %[[CUT:.*]] = spin.subslice %[[ALL]][%{{.*}}, %[[N]]] : !spin.slice<i8, packet_l1>
    %cut = spin.subslice %all[%c1, %n] : !spin.slice<i8, packet_l1>
    // CHECK: spin.subslice %[[CUT]][%{{.*}}, %{{.*}}] proof <"fact one", "fact two"> : !spin.slice<i8, packet_l1>
    %proved = spin.subslice %cut[%c1, %n] proof <"fact one", "fact two"> : !spin.slice<i8, packet_l1>
    // CHECK: %[[W:.*]] = spin.view_as %[[CUT]] : !spin.slice<i8, packet_l1> -> !spin.slice<i32, packet_l1>
    %w = spin.view_as %cut : !spin.slice<i8, packet_l1> -> !spin.slice<i32, packet_l1>
    // CHECK: %[[V:.*]] = spin.load %[[W]][%{{.*}}] be : !spin.slice<i32, packet_l1> -> i32
    %v = spin.load %w[%c1] be : !spin.slice<i32, packet_l1> -> i32
    // CHECK: spin.store %[[V]], %[[W]][%{{.*}}] le proof <"f"> : i32, !spin.slice<i32, packet_l1>
    spin.store %v, %w[%c1] le proof <"f"> : i32, !spin.slice<i32, packet_l1>
    // CHECK: %[[X:.*]] = spin.wire_load %[[ALL]][%{{.*}}] be : !spin.slice<i8, packet_l1> -> i48
    %x = spin.wire_load %all[%c1] be : !spin.slice<i8, packet_l1> -> i48
    // CHECK: spin.wire_store %[[X]], %[[ALL]][%{{.*}}] le : i48, !spin.slice<i8, packet_l1>
    spin.wire_store %x, %all[%c1] le : i48, !spin.slice<i8, packet_l1>
    spin.return success
  }
}
