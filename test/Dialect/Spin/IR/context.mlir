// RUN: spinc-opt %s | spinc-opt | FileCheck %s
// RUN: spinc-opt %s --mlir-print-op-generic | spinc-opt | FileCheck %s

// CHECK: spin.context @Histogram link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500)
// CHECK-SAME: match [#spin.match_rule<offset = 22, width = 2, mask = 65535, min = 9330, max = 9330>]
// CHECK-SAME: portals <bits = 10, ignore = 0>
spin.context @Histogram link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500)
    match [#spin.match_rule<offset = 22, width = 2, mask = 65535, min = 9330, max = 9330>]
    portals <bits = 10, ignore = 0> {
  // CHECK: spin.state @bin : i32 count(1024) kind(atomic) per_cluster in(state_l1) where {
  spin.state @bin : i32 count(1024) kind(atomic) per_cluster in(state_l1) where {}
  // CHECK: spin.state @total : i64 count(1) kind(plain) in(state_l2) where {
  spin.state @total : i64 count(1) kind(plain) in(state_l2) where {}
  // CHECK: spin.state @block : i32 count(1) kind(param) in(state_l1) where {
  // CHECK-NEXT: ^bb0(%[[V:.*]]: i32):
  // CHECK: spin.yield_condition %{{.*}}
  spin.state @block : i32 count(1) kind(param) in(state_l1) where {
  ^bb0(%v: i32):
    %c4 = arith.constant 4 : i32
    %ok = arith.cmpi uge, %v, %c4 : i32
    spin.yield_condition %ok
  }
  // CHECK: spin.host @out
  spin.host @out
  // CHECK: spin.contract "out.size >= 64" {
  spin.contract "out.size >= 64" {
    // CHECK: spin.host_size @out
    %size = spin.host_size @out
    %c64 = arith.constant 64 : i32
    %ok = arith.cmpi uge, %size, %c64 : i32
    spin.yield_condition %ok
  }
  // CHECK: spin.handler @payload kind(payload) budget <"cycles <= 24", lineRate = false, cycles = <affine_map<() -> (24)>>>
  spin.handler @payload kind(payload)
      budget <"cycles <= 24", lineRate = false, cycles = <affine_map<() -> (24)>>> {
  // CHECK-NEXT: ^bb0(%{{.*}}: !spin.packet):
  ^bb0(%p: !spin.packet):
    // CHECK: spin.return success
    spin.return success
  }
  // CHECK: spin.handler @completion kind(completion) budget <"commands <= 1", lineRate = false, commands = <affine_map<() -> (1)>>>
  spin.handler @completion kind(completion) budget <"commands <= 1", lineRate = false, commands = <affine_map<() -> (1)>>> {
  // CHECK-NEXT: ^bb0(%{{.*}}: !spin.message):
  ^bb0(%m: !spin.message):
    spin.return success
  }
  // CHECK: spin.handler @header kind(header) bound <12, <affine_map<()[s0] -> (s0 + 2)>, "block">, <affine_map<() -> (9)>>> {
  spin.handler @header kind(header) bound <12, <affine_map<()[s0] -> (s0 + 2)>, "block">, <affine_map<() -> (9)>>> {
  ^bb0(%m: !spin.message):
    // CHECK: spin.return process_data
    spin.return process_data
  }
}
