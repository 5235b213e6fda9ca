// RUN: spinc-opt %s | spinc-opt | FileCheck %s
// RUN: spinc-opt %s --mlir-print-op-generic | spinc-opt | FileCheck %s

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(16) kind(atomic) per_cluster in(state_l1) where {}
  spin.state @src : i32 count(1) kind(plain) in(state_l1) where {}
  spin.state @block : i32 count(1) kind(param) in(state_l1) where {}
  spin.handler @completion kind(completion) {
  ^bb0(%m: !spin.message):
    // CHECK: %[[B:.*]] = spin.param @block : i32
    %b = spin.param @block : i32
    // CHECK: spin.state_load @src : i32
    %s = spin.state_load @src : i32
    // CHECK: spin.state_store %[[B]], @src : i32
    spin.state_store %b, @src : i32
    // CHECK: %[[BIN:.*]] = spin.state_slice @bin : !spin.slice<i32, state_l1>
    %bin = spin.state_slice @bin : !spin.slice<i32, state_l1>
    // CHECK: spin.state_copy @bin[%[[B]]] : !spin.slice<i32, state_l1>
    %copy = spin.state_copy @bin[%b] : !spin.slice<i32, state_l1>
    // CHECK: spin.atomic_rmw add %[[BIN]][%[[B]]], %{{.*}} : !spin.slice<i32, state_l1>
    %o0 = spin.atomic_rmw add %bin[%b], %s : !spin.slice<i32, state_l1>
    // CHECK: spin.atomic_rmw swap %[[BIN]][%[[B]]], %{{.*}} proof <"f"> : !spin.slice<i32, state_l1>
    %o1 = spin.atomic_rmw swap %bin[%b], %s proof <"f"> : !spin.slice<i32, state_l1>
    // CHECK: spin.hpu_id
    %h = spin.hpu_id
    // CHECK: spin.cluster_id
    %c = spin.cluster_id
    spin.return success
  }
}
