// RUN: spinc-opt %s --convert-spin-to-llvm --canonicalize --cse | FileCheck %s

// The home cluster's L1 holds what all messages share, here cluster 2.
// CHECK: llvm.mlir.alias external @A.seen.global
// CHECK-NEXT: llvm.mlir.addressof @A.seen
// CHECK-NEXT: llvm.getelementptr %{{.*}}[-176160768]

// CHECK-LABEL: llvm.func @A_th() -> i32
// CHECK-DAG: %[[CLUSTER:.*]] = llvm.mlir.constant(54 : i32) : i32
// CHECK-DAG: %[[SLOT:.*]] = llvm.mlir.constant(163 : i32) : i32
// CHECK-DAG: %[[QUEUE:.*]] = llvm.mlir.constant(227 : i32) : i32
// CHECK-DAG: %[[PARAMS:.*]] = llvm.mlir.addressof @A.params : !llvm.ptr
// CHECK-DAG: %[[BLOCKS:.*]] = llvm.mlir.addressof @A.messages.global : !llvm.ptr
// CHECK-DAG: %[[BLOCKS2:.*]] = llvm.mlir.addressof @A.messages_l2 : !llvm.ptr
// CHECK-DAG: %[[BIN:.*]] = llvm.mlir.addressof @A.bin : !llvm.ptr
// CHECK-DAG: %[[BINS:.*]] = llvm.mlir.addressof @A.bin.global : !llvm.ptr
// CHECK-DAG: %[[SEEN:.*]] = llvm.mlir.addressof @A.seen.global : !llvm.ptr
// A parameter is a constant of the own cluster.
// CHECK: %[[PB:.*]] = llvm.getelementptr inbounds|nuw %[[PARAMS]][0, 1]
// CHECK: llvm.load %[[PB]] invariant {alignment = 4 : i64} : !llvm.ptr -> i32
// Plain state is in the message's block of the home cluster: bits 7:2 of the
// flow are its slot, bits 1:0 that cluster.
// CHECK: %[[FLOW:.*]] = llvm.load %{{.*}} invariant
// CHECK: %[[A0:.*]] = llvm.ptrtoint %[[BLOCKS]] : !llvm.ptr to i32
// CHECK: %[[A1:.*]] = llvm.call_intrinsic "llvm.riscv.cv.bitmanip.insert"(%[[FLOW]], %[[CLUSTER]], %[[A0]])
// CHECK: %[[HIGH:.*]] = llvm.lshr %[[FLOW]], %{{.*}} : i32
// CHECK: %[[A2:.*]] = llvm.call_intrinsic "llvm.riscv.cv.bitmanip.insert"(%[[HIGH]], %[[SLOT]], %[[A1]])
// CHECK: %[[A3:.*]] = llvm.add %[[A2]]
// CHECK: llvm.inttoptr %[[A3]]
// CHECK: %[[OLD:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : i32, !llvm.ptr
// In L2 there is a block for each queue.
// CHECK: %[[B0:.*]] = llvm.ptrtoint %[[BLOCKS2]] : !llvm.ptr to i32
// CHECK: llvm.call_intrinsic "llvm.riscv.cv.bitmanip.insert"(%{{.*}}, %[[QUEUE]], %[[B0]])
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> i64
// The own copy, the copy of a given cluster, and what there is once.
// CHECK: %[[OWN:.*]] = llvm.getelementptr inbounds|nuw %[[BIN]][%[[OLD]]] : (!llvm.ptr, i32) -> !llvm.ptr, i32
// CHECK: llvm.atomicrmw umax %[[OWN]], %{{.*}} monotonic : !llvm.ptr, i32
// CHECK: %[[FIRST:.*]] = llvm.ptrtoint %[[BINS]] : !llvm.ptr to i32
// A copy may be the own one, which has another address.
// CHECK: llvm.inline_asm "", "=r,0" %[[FIRST]]
// CHECK: llvm.atomicrmw xchg %{{.*}}, %{{.*}} monotonic : !llvm.ptr, i32
// CHECK: %[[ONE:.*]] = llvm.getelementptr inbounds|nuw %[[SEEN]]
// CHECK: llvm.atomicrmw add %[[ONE]], %{{.*}} monotonic : !llvm.ptr, i32
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] home_cluster(2) {
  spin.state @bin : i32 count(16) kind(atomic) per_cluster in(state_l1) where {}
  spin.state @seen : i32 count(1) kind(atomic) in(state_l1) where {}
  spin.state @src : i32 count(1) kind(plain) in(state_l1) where {}
  spin.state @total : i64 count(1) kind(plain) in(state_l2) where {}
  spin.state @first : i8 count(1) kind(param) in(state_l1) where {}
  spin.state @block : i32 count(1) kind(param) in(state_l1) where {}
  spin.handler @completion kind(completion) {
  ^bb0(%m: !spin.message):
    %b = spin.param @block : i32
    %old = spin.state_load @src : i32
    spin.state_store %b, @src : i32
    %t = spin.state_load @total : i64
    spin.state_store %t, @total : i64
    %bin = spin.state_slice @bin : !spin.slice<i32, state_l1>
    %o = spin.atomic_rmw maxu %bin[%old], %b proof <"f"> : !spin.slice<i32, state_l1>
    %copy = spin.state_copy @bin[%o] proof <"f"> : !spin.slice<i32, state_l1>
    %o2 = spin.atomic_rmw swap %copy[%old], %b proof <"f"> : !spin.slice<i32, state_l1>
    %seen = spin.state_slice @seen : !spin.slice<i32, state_l1>
    %o3 = spin.atomic_rmw add %seen[%old], %b proof <"f"> : !spin.slice<i32, state_l1>
    spin.return success
  }
}

// CHECK-LABEL: llvm.func @B_th() -> i32
// CHECK: %[[HART:.*]] = llvm.inline_asm "csrr $0, 20", "=r"  : () -> i32
// CHECK: %[[C:.*]] = llvm.lshr %[[HART]], %{{.*}} : i32
// CHECK: %[[C8:.*]] = llvm.shl %[[C]], %{{.*}} : i32
// CHECK: %[[H:.*]] = llvm.and %[[HART]], %{{.*}} : i32
// CHECK: %[[ID:.*]] = llvm.add %[[C8]], %[[H]] : i32
// CHECK: llvm.store %[[ID]]
// CHECK: llvm.store
spin.context @B link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @a : i32 count(1) kind(plain) in(state_l2) where {}
  spin.handler @completion kind(completion) {
  ^bb0(%m: !spin.message):
    %h = spin.hpu_id
    spin.state_store %h, @a : i32
    %c = spin.cluster_id
    spin.state_store %c, @a : i32
    spin.return success
  }
}

// Blocks of more than 64 bytes are at any multiple of 8.
// CHECK: llvm.mlir.global external @C.messages() {{.*}}alignment = 4096 : i64, dso_local, section = ".spin.l1.messages"} : !llvm.array<64 x array<72 x i8>>
// CHECK-LABEL: llvm.func @C_th() -> i32
// CHECK-DAG: %[[MASK:.*]] = llvm.mlir.constant(63 : i32) : i32
// CHECK-DAG: %[[STRIDE:.*]] = llvm.mlir.constant(72 : i32) : i32
// CHECK: %[[BASE:.*]] = llvm.call_intrinsic "llvm.riscv.cv.bitmanip.insert"
// CHECK: %[[NUMBER:.*]] = llvm.and %{{.*}}, %[[MASK]] : i32
// CHECK: %[[DISTANCE:.*]] = llvm.mul %[[NUMBER]], %[[STRIDE]] : i32
// CHECK: llvm.add %[[BASE]], %[[DISTANCE]] : i32
spin.context @C link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @a : i32 count(17) kind(plain) in(state_l1) where {}
  spin.handler @completion kind(completion) {
  ^bb0(%m: !spin.message):
    %a = spin.state_slice @a : !spin.slice<i32, state_l1>
    %zero = arith.constant 0 : i32
    spin.store %zero, %a[%zero] le proof <"f"> : i32, !spin.slice<i32, state_l1>
    spin.return success
  }
}
