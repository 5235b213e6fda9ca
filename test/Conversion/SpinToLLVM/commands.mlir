// RUN: spinc-opt %s --convert-spin-to-llvm --canonicalize --cse | FileCheck %s

// A copy of known size is issued without a test. The constants are registers
// of the HPU driver: 0x1B205038 and 3C host base, 90 … the words, 8C the kind,
// 80 issues, 84 waits.
// CHECK-LABEL: llvm.func @A_th() -> i32
// CHECK-DAG: %[[HIGH:.*]] = llvm.mlir.constant(455102520 : i32) : i32
// CHECK-DAG: %[[LOW:.*]] = llvm.mlir.constant(455102524 : i32) : i32
// CHECK-DAG: %[[ISSUE:.*]] = llvm.mlir.constant(455102592 : i32) : i32
// CHECK-DAG: %[[WAIT:.*]] = llvm.mlir.constant(455102596 : i32) : i32
// CHECK-DAG: %[[INFO:.*]] = llvm.mlir.constant(455102604 : i32) : i32
// CHECK-DAG: %[[W0:.*]] = llvm.mlir.constant(455102608 : i32) : i32
// CHECK-DAG: %[[W1:.*]] = llvm.mlir.constant(455102612 : i32) : i32
// CHECK-DAG: %[[W4:.*]] = llvm.mlir.constant(455102624 : i32) : i32
// CHECK-DAG: %[[KIND0:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK-DAG: %[[KIND2:.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK-DAG: %[[DIRECT8:.*]] = llvm.mlir.constant(17 : i32) : i32
// Nothing is loaded from the copy: LLVM may know where it lies.
// CHECK-NOT: llvm.inline_asm "", "=r,0"
// CHECK: llvm.fence syncscope("singlethread") seq_cst
// CHECK: %[[PLOW:.*]] = llvm.inttoptr %[[LOW]] : i32 to !llvm.ptr
// CHECK: %[[BASE:.*]] = llvm.load %[[PLOW]] atomic unordered invariant
// CHECK: %[[SUM:.*]] = llvm.add %[[BASE]], %{{.*}} : i32
// CHECK: %[[PW0:.*]] = llvm.inttoptr %[[W0]] : i32 to !llvm.ptr
// CHECK: llvm.store volatile %[[SUM]], %[[PW0]]
// No carry: the region lies between two multiples of 4 GiB.
// CHECK: %[[PHIGH:.*]] = llvm.inttoptr %[[HIGH]] : i32 to !llvm.ptr
// CHECK: %[[TOP:.*]] = llvm.load %[[PHIGH]] atomic unordered invariant
// CHECK: %[[PW1:.*]] = llvm.inttoptr %[[W1]] : i32 to !llvm.ptr
// CHECK: llvm.store volatile %[[TOP]], %[[PW1]]
// CHECK: %[[PW4:.*]] = llvm.inttoptr %[[W4]] : i32 to !llvm.ptr
// CHECK: llvm.store volatile %[[ONE]], %[[PW4]]
// CHECK: %[[PINFO:.*]] = llvm.inttoptr %[[INFO]] : i32 to !llvm.ptr
// CHECK: llvm.store volatile %[[KIND0]], %[[PINFO]]
// CHECK: %[[PISSUE:.*]] = llvm.inttoptr %[[ISSUE]] : i32 to !llvm.ptr
// CHECK: %[[ID:.*]] = llvm.load volatile %[[PISSUE]]
// CHECK: llvm.fence
// CHECK: %[[PWAIT:.*]] = llvm.inttoptr %[[WAIT]] : i32 to !llvm.ptr
// CHECK: llvm.store volatile %[[ID]], %[[PWAIT]]
// CHECK: llvm.fence
// The own copy goes by its global address.
// CHECK: llvm.inline_asm "csrr $0, 20"
// A notification is a direct write of 8 bytes.
// CHECK: llvm.store volatile %[[DIRECT8]],
// CHECK: llvm.store volatile %[[KIND2]], %[[PINFO]]
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(16) kind(atomic) per_cluster in(state_l1) where {}
  spin.host @out
  spin.handler @completion kind(completion) {
  ^bb0(%m: !spin.message):
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c64 = arith.constant 64 : i32
    %one = arith.constant 1 : i64
    %out = spin.host_slice @out : !spin.slice<i8, host>
    %dst = spin.subslice %out[%c64, %c64] proof <"f"> : !spin.slice<i8, host>
    %copy = spin.state_copy @bin[%c1] proof <"f"> : !spin.slice<i32, state_l1>
    %c = spin.dma_to_host %dst, %copy proof <"f"> : !spin.slice<i8, host>, !spin.slice<i32, state_l1>
    spin.wait %c
    %own = spin.state_slice @bin : !spin.slice<i32, state_l1>
    %d = spin.dma_to_host %dst, %own proof <"f"> : !spin.slice<i8, host>, !spin.slice<i32, state_l1>
    %slot = spin.subslice %out[%c64, %c8] proof <"f"> : !spin.slice<i8, host>
    %n = spin.notify %slot, %one proof <"f"> : !spin.slice<i8, host>
    spin.return success
  }
}

// What may be empty is skipped, and so is waiting for it.
// CHECK-LABEL: llvm.func @B_ph() -> i32
// CHECK-DAG: %[[NONE:.*]] = llvm.mlir.constant(-1 : i32) : i32
// CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK: %[[SOME:.*]] = llvm.icmp "ne" %{{.*}}, %[[ZERO]] : i32
// CHECK: llvm.cond_br %[[SOME]], ^[[SEND:bb[0-9]+]], ^[[AFTER:bb[0-9]+]](%[[NONE]] : i32)
// CHECK: ^[[SEND]]:
// CHECK: %[[ID:.*]] = llvm.load volatile
// CHECK: llvm.br ^[[AFTER]](%[[ID]] : i32)
// CHECK: ^[[AFTER]](%[[SENT:.*]]: i32):
// CHECK: %[[ISSUED:.*]] = llvm.icmp "ne" %[[SENT]], %[[NONE]] : i32
// CHECK: llvm.cond_br %[[ISSUED]], ^{{.*}}, ^{{.*}}
spin.context @B link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %c = spin.send %all proof <"f"> : !spin.slice<i8, packet_l1>
    spin.wait %c
    spin.return success
  }
}

// A put of nothing has length 0; match bits are two words. A copy from the
// host has direction 0.
// CHECK-LABEL: llvm.func @C_th() -> i32
// CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK-DAG: %[[KIND1:.*]] = llvm.mlir.constant(2 : i32) : i32
// CHECK-DAG: %[[HDR:.*]] = llvm.mlir.constant(7 : i32) : i32
// CHECK-DAG: %[[BITS:.*]] = llvm.mlir.constant(30 : i64) : i64
// CHECK-DAG: %[[WL:.*]] = llvm.mlir.constant(455102624 : i32) : i32
// CHECK-DAG: %[[WM:.*]] = llvm.mlir.constant(455102628 : i32) : i32
// CHECK: llvm.store volatile %[[HDR]],
// CHECK: %[[PWL:.*]] = llvm.inttoptr %[[WL]] : i32 to !llvm.ptr
// CHECK: llvm.store volatile %[[ZERO]], %[[PWL]]
// CHECK: %[[LOW:.*]] = llvm.trunc %[[BITS]] : i64 to i32
// CHECK: %[[PWM:.*]] = llvm.inttoptr %[[WM]] : i32 to !llvm.ptr
// CHECK: llvm.store volatile %[[LOW]], %[[PWM]]
// CHECK: llvm.store volatile %[[KIND1]],
// CHECK: llvm.store volatile %[[ZERO]], %[[PWL]]
spin.context @C link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.host @src
  spin.handler @completion kind(completion) {
  ^bb0(%m: !spin.message):
    %to = arith.constant 3 : i32
    %hdr = arith.constant 7 : i32
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %bits = arith.constant 30 : i64
    %c = spin.put to %to match %bits hdr_data %hdr
    %all = spin.packet_bytes %m : !spin.message -> !spin.slice<i8, packet_l1>
    %host = spin.host_slice @src : !spin.slice<i8, host>
    %from = spin.subslice %host[%c0, %c16] proof <"f"> : !spin.slice<i8, host>
    %d = spin.dma_from_host %all, %from proof <"f"> : !spin.slice<i8, packet_l1>, !spin.slice<i8, host>
    spin.return success
  }
}

// Commands in a loop read the host base when the handler starts.
// CHECK-LABEL: llvm.func @D_th() -> i32
// CHECK-COUNT-2: llvm.load {{.*}} invariant
// CHECK: ^bb1
// CHECK-NOT: invariant
// CHECK: llvm.return
spin.context @D link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.host @dst
  spin.handler @completion kind(completion) {
  ^bb0(%m: !spin.message):
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %c64 = arith.constant 64 : i32
    %one = arith.constant 1 : i64
    %dst = spin.host_slice @dst : !spin.slice<i8, host>
    scf.for unsigned %i = %c0 to %c64 step %c8 : i32 {
      %slot = spin.subslice %dst[%i, %c8] proof <"f"> : !spin.slice<i8, host>
      %n = spin.notify %slot, %one proof <"f"> : !spin.slice<i8, host>
    }
    spin.return success
  }
}
