// RUN: spinc-opt %s --spin-prove-bounds --spin-infer-loop-bounds --spin-expand-pieces \
// RUN:   --split-input-file --verify-diagnostics | FileCheck %s
// RUN: spinc-opt %s --spin-prove-bounds --spin-infer-loop-bounds --spin-mark-loops \
// RUN:   --spin-expand-pieces=split | FileCheck %s --check-prefix=SPLIT
// As the compiler runs it: the bound reaches the list of loops.
// RUN: spinc-opt %s --spin-prove-bounds --canonicalize --cse \
// RUN:   --spin-prove-bounds --spin-infer-loop-bounds --spin-expand-pieces \
// RUN:   --spin-mark-loops --convert-spin-to-llvm \
// RUN:   | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: spin.handler @payload
// CHECK-DAG: %[[BLOCK:.*]] = spin.param @block
// CHECK-DAG: %[[STRIDE:.*]] = spin.param @stride
// CHECK-DAG: %[[COUNT:.*]] = spin.param @count
// CHECK-DAG: %[[REGION:.*]] = spin.host_slice @dst
// CHECK: arith.muli %[[COUNT]], %[[BLOCK]] : i32
// CHECK: %[[LEN:.*]] = spin.slice_length %[[DATA:.*]] : !spin.slice<i8, packet_l1>
// CHECK: %[[GAP:.*]] = arith.subi %[[STRIDE]], %[[BLOCK]] : i32
// CHECK: %[[Q:.*]] = arith.divui %[[OFF:.*]], %[[BLOCK]] : i32
// CHECK: %[[QB:.*]] = arith.muli %[[Q]], %[[BLOCK]] : i32
// CHECK: %[[IN:.*]] = arith.subi %[[OFF]], %[[QB]] : i32
// CHECK: %[[AT:.*]] = arith.muli %[[Q]], %[[STRIDE]] : i32
// CHECK: %[[HOST0:.*]] = arith.addi %[[AT]], %[[IN]] : i32
// CHECK: %[[ROOM0:.*]] = arith.subi %[[BLOCK]], %[[IN]] : i32
// CHECK: %{{.*}}:4 = scf.while (%[[P:.*]] = %{{.*}}, %{{.*}} = %[[HOST0]], %{{.*}} = %[[ROOM0]], %{{.*}} = %{{.*}})
// CHECK: %[[MORE:.*]] = arith.cmpi ult, %[[P]], %[[LEN]] : i32
// CHECK: scf.condition(%[[MORE]])
// CHECK: ^bb0(%[[POS:.*]]: i32, %[[HOST:.*]]: i32, %[[ROOM:.*]]: i32, %[[N:.*]]: i32):
// CHECK: %[[LEFT:.*]] = arith.subi %[[LEN]], %[[POS]] : i32
// CHECK: %[[SIZE:.*]] = arith.minui %[[ROOM]], %[[LEFT]] : i32
// CHECK: %[[TO:.*]] = spin.subslice %[[REGION]][%[[HOST]], %[[SIZE]]] proof <"law of spin.for_pieces: pieces of a strided view lie in its region"> {spin.nonempty} : !spin.slice<i8, host>
// CHECK: %[[FROM:.*]] = spin.subslice %[[DATA]][%[[POS]], %[[SIZE]]] proof <"law of {{.*}}"> {spin.nonempty}
// CHECK: spin.dma_to_host %[[TO]], %[[FROM]] proof
// CHECK: %[[N1:.*]] = arith.addi %[[N]],
// CHECK: %[[END:.*]] = arith.addi %[[HOST]], %[[ROOM]] : i32
// CHECK: %[[POS1:.*]] = arith.addi %[[POS]], %[[SIZE]] : i32
// CHECK: %[[HOST1:.*]] = arith.addi %[[END]], %[[GAP]] : i32
// CHECK: scf.yield %[[POS1]], %[[HOST1]], %[[BLOCK]], %[[N1]]
// CHECK: spin.bound = #spin.bound<affine_map<()[s0] -> (s0 + 2)>, "p.length / block">
// CHECK-NOT: spin.strided
//
// Without the first piece and the rest, blocks and strides are the same in all
// rounds; only the loop has the marker.
// SPLIT-LABEL: spin.handler @payload
// SPLIT-DAG: %[[BLOCK:.*]] = spin.param @block
// SPLIT-DAG: %[[STRIDE:.*]] = spin.param @stride
// SPLIT: spin.require
// SPLIT: %[[LEN:.*]] = spin.slice_length %[[DATA:.*]] : !spin.slice<i8, packet_l1>
// SPLIT: %[[GAP:.*]] = arith.subi %[[STRIDE]], %[[BLOCK]] : i32
// SPLIT: %[[HOST0:.*]] = arith.addi
// SPLIT: %[[ROOM0:.*]] = arith.subi %[[BLOCK]],
// SPLIT: %[[ANY:.*]] = arith.cmpi ne, %[[LEN]],
// SPLIT: %[[ALL:.*]] = scf.if %[[ANY]] -> (i32) {
// SPLIT: %[[FIRST:.*]] = arith.minui %[[ROOM0]], %[[LEN]] : i32
// SPLIT: spin.subslice %[[REGION:.*]][%[[HOST0]], %[[FIRST]]] proof <"law of {{.*}}"> {spin.nonempty}
// SPLIT: spin.subslice %[[DATA]][%{{.*}}, %[[FIRST]]]
// SPLIT-NOT: spin.loop_marker
// SPLIT: spin.dma_to_host
// SPLIT: %[[N1:.*]] = arith.addi
// SPLIT: %[[LEFT1:.*]] = arith.subi %[[LEN]], %[[FIRST]] : i32
// SPLIT: %[[END:.*]] = arith.addi %[[HOST0]], %[[ROOM0]] : i32
// SPLIT: %[[HOST1:.*]] = arith.addi %[[END]], %[[GAP]] : i32
// SPLIT: %[[WHOLE:.*]]:3 = scf.while (%[[L:.*]] = %[[LEFT1]], %{{.*}} = %[[HOST1]], %{{.*}} = %[[N1]])
// SPLIT: arith.cmpi uge, %[[L]], %[[BLOCK]] : i32
// SPLIT: ^bb0(%[[LEFT:.*]]: i32, %[[HOST:.*]]: i32, %[[N:.*]]: i32):
// SPLIT: %[[POS:.*]] = arith.subi %[[LEN]], %[[LEFT]] : i32
// SPLIT: spin.subslice %[[REGION]][%[[HOST]], %[[BLOCK]]] proof <"law of {{.*}}"> {spin.nonempty}
// SPLIT: spin.subslice %[[DATA]][%[[POS]], %[[BLOCK]]]
// SPLIT: spin.loop_marker 0
// SPLIT: spin.dma_to_host
// SPLIT: %[[N2:.*]] = arith.addi %[[N]],
// SPLIT: %[[LEFT2:.*]] = arith.subi %[[LEFT]], %[[BLOCK]] : i32
// SPLIT: %[[HOST2:.*]] = arith.addi %[[HOST]], %[[STRIDE]] : i32
// SPLIT: scf.yield %[[LEFT2]], %[[HOST2]], %[[N2]]
// SPLIT: spin.bound =
// SPLIT: %[[MORE:.*]] = arith.cmpi ne, %[[WHOLE]]#0,
// SPLIT: scf.if %[[MORE]] -> (i32) {
// SPLIT: spin.subslice %[[REGION]][%[[WHOLE]]#1, %[[WHOLE]]#0] proof <"law of {{.*}}"> {spin.nonempty}
// SPLIT-NOT: spin.loop_marker
// SPLIT: spin.dma_to_host
// SPLIT: } else {
// SPLIT: scf.yield %[[WHOLE]]#2
// SPLIT: } else {
// SPLIT: spin.return
// LLVM: spin.loops = [{bound = #spin.bound<affine_map<()[s0] -> (s0 + 2)>, "p.length / block">
// LLVM: llvm.func @Strided_ph
spin.context @Strided link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.state @block : i32 count(1) kind(param) in(state_l1) where {
  ^bb0(%v: i32):
    %c4 = arith.constant 4 : i32
    %ok = arith.cmpi uge, %v, %c4 : i32
    spin.yield_condition %ok
  }
  spin.state @stride : i32 count(1) kind(param) in(state_l1) where {
  ^bb0(%v: i32):
    %block = spin.param @block : i32
    %ok = arith.cmpi uge, %v, %block : i32
    spin.yield_condition %ok
  }
  spin.state @count : i32 count(1) kind(param) in(state_l1) where {
  ^bb0(%v: i32):
    %c1 = arith.constant 1 : i32
    %ok = arith.cmpi uge, %v, %c1 : i32
    spin.yield_condition %ok
  }
  spin.host @dst
  spin.contract "dst.size >= (count - 1) * stride + block" {
    %size = spin.host_size @dst
    %count = spin.param @count : i32
    %block = spin.param @block : i32
    %stride = spin.param @stride : i32
    %c1 = arith.constant 1 : i128
    %s = arith.extui %size : i32 to i128
    %n = arith.extui %count : i32 to i128
    %b = arith.extui %block : i32 to i128
    %d = arith.extui %stride : i32 to i128
    %n1 = arith.subi %n, %c1 : i128
    %m = arith.muli %n1, %d : i128
    %sum = arith.addi %m, %b : i128
    %ok = arith.cmpi uge, %s, %sum : i128
    spin.yield_condition %ok
  }
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c20 = arith.constant 20 : i32
    %c32 = arith.constant 32 : i32
    %block = spin.param @block : i32
    %stride = spin.param @stride : i32
    %count = spin.param @count : i32
    %dst = spin.host_slice @dst : !spin.slice<i8, host>
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %len = arith.subi %n, %c32 overflow<nuw> : i32
    %pay = spin.subslice %all[%c32, %len] : !spin.slice<i8, packet_l1>
    %off = spin.wire_load %all[%c20] le : !spin.slice<i8, packet_l1> -> i32
    %view = spin.strided_view %dst, %count, %block, %stride : !spin.slice<i8, host>
    %total = spin.strided_length %view
    %off64 = arith.extui %off : i32 to i64
    %len64 = arith.extui %len : i32 to i64
    %total64 = arith.extui %total : i32 to i64
    %end = arith.addi %off64, %len64 overflow<nuw> : i64
    %fits = arith.cmpi ule, %end, %total64 : i64
    spin.require %fits else drop
    %pieces = spin.for_pieces %view at %off data %pay iter(%c0 : i32) : !spin.slice<i8, packet_l1> -> i32 {
    ^bb0(%host: !spin.slice<i8, host>, %piece: !spin.slice<i8, packet_l1>, %k: i32):
      %cmd = spin.dma_to_host %host, %piece : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
      %k1 = arith.addi %k, %c1 : i32
      spin.yield %k1 : i32
    }
    spin.return success
  }
}
