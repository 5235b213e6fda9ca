// RUN: spinc-opt %s --spin-merge-loop-copies --canonicalize --cse | FileCheck %s

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(256) mtu(1500) match [] {
  spin.host @out
  spin.contract "out.size >= 4096" {
    %least = arith.constant 4096 : i128
    %size = spin.host_size @out
    %wide = arith.extui %size : i32 to i128
    %enough = arith.cmpi sge, %wide, %least : i128
    spin.yield_condition %enough
  }

  // CHECK-LABEL: spin.handler @rounds
  spin.handler @rounds kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
    // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
    // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i32
    // CHECK-DAG: %[[C25:.*]] = arith.constant 25 : i32
    // CHECK-DAG: %[[C16:.*]] = arith.constant 16 : i32
    // CHECK-DAG: %[[C24:.*]] = arith.constant 24 : i32
    // CHECK: %[[ALL:.*]] = spin.packet_bytes
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %out = spin.host_slice @out : !spin.slice<i8, host>
    %length = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %n = arith.divui %length, %c8 : i32
    // At least 32 rounds: no branch, and no loop.
    // CHECK: %[[N:.*]] = arith.divui %{{.*}}, %[[C8]]
    // CHECK-NEXT: %[[COUNT:.*]] = arith.muli %[[N]], %[[C8]] overflow<nuw>
    // CHECK-NEXT: %[[TO:.*]] = spin.subslice %{{.*}}[%[[C8]], %[[COUNT]]]
    // CHECK-NEXT: %[[FROM:.*]] = spin.subslice %[[ALL]][%[[C0]], %[[COUNT]]]
    // CHECK-NEXT: spin.dma_to_host %[[TO]], %[[FROM]]
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %at = arith.muli %i, %c8 overflow<nuw> : i32
      %behind = arith.addi %at, %c8 overflow<nuw> : i32
      %s = spin.subslice %all[%at, %c8] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%behind, %c8] : !spin.slice<i8, host>
      %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    }
    // The number of rounds comes from the packet: a branch, and the wait is in it.
    // CHECK: %[[M:.*]] = arith.extui
    // CHECK: %[[SOME:.*]] = arith.cmpi ugt, %[[M]], %[[C24]]
    // CHECK: scf.if %[[SOME]] {
    // CHECK: %[[LAST:.*]] = arith.subi %[[M]], %[[C25]] overflow<nuw>
    // CHECK: %[[OTHERS:.*]] = arith.divui %[[LAST]], %[[C16]]
    // CHECK: %[[ROUNDS:.*]] = arith.addi %[[OTHERS]], %[[C1]] overflow<nuw>
    // CHECK: %[[BYTES:.*]] = arith.muli %[[ROUNDS]], %[[C16]] overflow<nuw>
    // CHECK: spin.subslice %{{.*}}[%[[C24]], %[[BYTES]]]
    // CHECK: spin.subslice %{{.*}}[%[[C24]], %[[BYTES]]]
    // CHECK-NEXT: %[[SENT:.*]] = spin.dma_from_host
    // CHECK-NEXT: spin.wait %[[SENT]]
    // CHECK-NEXT: }
    // CHECK-NOT: scf.for
    %byte = spin.load %all[%c0] le : !spin.slice<i8, packet_l1> -> i8
    %m = arith.extui %byte : i8 to i32
    %c200 = arith.constant 200 : i32
    %c24 = arith.constant 24 : i32
    %few = arith.cmpi ule, %m, %c200 : i32
    spin.require %few else drop
    scf.for unsigned %i = %c24 to %m step %c16 : i32 {
      %s = spin.subslice %all[%i, %c16] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%i, %c16] : !spin.slice<i8, host>
      %c = spin.dma_from_host %s, %d : !spin.slice<i8, packet_l1>, !spin.slice<i8, host>
      spin.wait %c
    }
    spin.return success
  }

}

spin.context @B link(ip) header_bytes(28) guaranteed_bytes(256) mtu(1500) match [] {
  spin.host @out
  spin.contract "out.size >= 4096" {
    %least = arith.constant 4096 : i128
    %size = spin.host_size @out
    %wide = arith.extui %size : i32 to i128
    %enough = arith.cmpi sge, %wide, %least : i128
    spin.yield_condition %enough
  }

  // CHECK-LABEL: spin.handler @nested
  spin.handler @nested kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i8
    %c1 = arith.constant 1 : i8
    %c3 = arith.constant 3 : i8
    %c5 = arith.constant 5 : i8
    %w0 = arith.constant 0 : i32
    %w8 = arith.constant 8 : i32
    %w40 = arith.constant 40 : i32
    // CHECK-DAG: %[[START:.*]] = arith.constant 0 : i32
    // CHECK-DAG: %[[ROW:.*]] = arith.constant 120 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %out = spin.host_slice @out : !spin.slice<i8, host>
    // Three rows of five, in slices of slices, in a loop that has more to do:
    // CHECK: %[[D:.*]] = spin.subslice %{{.*}}[%[[START]], %[[ROW]]]
    // CHECK: %[[S:.*]] = spin.subslice %{{.*}}[%[[START]], %[[ROW]]]
    // CHECK: spin.dma_to_host %[[D]], %[[S]]
    // CHECK: scf.for
    // CHECK-NOT: spin.dma_to_host
    // CHECK: spin.load
    %sum = scf.for unsigned %i = %c0 to %c3 step %c1 iter_args(%old = %c0) -> (i8) : i8 {
      %row = arith.extui %i : i8 to i32
      %at = arith.muli %row, %w40 overflow<nuw> : i32
      %s = spin.subslice %all[%at, %w40] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%at, %w40] : !spin.slice<i8, host>
      scf.for unsigned %j = %c0 to %c5 step %c1 : i8 {
        %column = arith.extui %j : i8 to i32
        %in = arith.muli %column, %w8 overflow<nuw> : i32
        %t = spin.subslice %s[%in, %w8] : !spin.slice<i8, packet_l1>
        %e = spin.subslice %d[%in, %w8] : !spin.slice<i8, host>
        %c = spin.dma_to_host %e, %t : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
      }
      %byte = spin.load %all[%row] le : !spin.slice<i8, packet_l1> -> i8
      %new = arith.addi %old, %byte : i8
      scf.yield %new : i8
    }
    %is = arith.cmpi eq, %sum, %c3 : i8
    spin.require %is else drop
    spin.return success
  }

}

spin.context @C link(ip) header_bytes(28) guaranteed_bytes(256) mtu(1500) match [] {
  spin.host @out
  spin.contract "out.size >= 4096" {
    %least = arith.constant 4096 : i128
    %size = spin.host_size @out
    %wide = arith.extui %size : i32 to i128
    %enough = arith.cmpi sge, %wide, %least : i128
    spin.yield_condition %enough
  }

  // CHECK-LABEL: spin.handler @apart
  spin.handler @apart kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c7 = arith.constant 7 : i32
    %c8 = arith.constant 8 : i32
    %c10 = arith.constant 10 : i32
    %c80 = arith.constant 80 : i32
    %c90 = arith.constant 90 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %out = spin.host_slice @out : !spin.slice<i8, host>
    %byte = spin.load %all[%c0] le : !spin.slice<i8, packet_l1> -> i8
    %n = arith.extui %byte : i8 to i32
    // A gap, or an overlap, on one side.
    // CHECK: scf.for
    // CHECK: spin.dma_to_host
    // CHECK: scf.for
    // CHECK: spin.dma_to_host
    scf.for unsigned %i = %c0 to %c10 step %c1 : i32 {
      %at = arith.muli %i, %c8 overflow<nuw> : i32
      %to = arith.muli %i, %c10 overflow<nuw> : i32
      %s = spin.subslice %all[%at, %c8] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%to, %c8] : !spin.slice<i8, host>
      %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    }
    scf.for unsigned %i = %c0 to %c10 step %c1 : i32 {
      %at = arith.muli %i, %c7 overflow<nuw> : i32
      %to = arith.muli %i, %c8 overflow<nuw> : i32
      %s = spin.subslice %all[%at, %c8] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%to, %c8] : !spin.slice<i8, host>
      %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    }
    // The step leaves a gap.
    // CHECK: scf.for
    // CHECK: spin.dma_to_host
    scf.for unsigned %i = %c0 to %c90 step %c10 : i32 {
      %s = spin.subslice %all[%i, %c8] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%i, %c8] : !spin.slice<i8, host>
      %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    }
    // Downwards, round and round, and where the index is halved.
    // CHECK: scf.for
    // CHECK: spin.dma_to_host
    // CHECK: scf.for
    // CHECK: spin.dma_to_host
    // CHECK: scf.for
    // CHECK: spin.dma_to_host
    scf.for unsigned %i = %c0 to %c10 step %c1 : i32 {
      %up = arith.muli %i, %c8 overflow<nuw> : i32
      %at = arith.subi %c80, %up overflow<nuw> : i32
      %s = spin.subslice %all[%at, %c8] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%at, %c8] : !spin.slice<i8, host>
      %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    }
    scf.for unsigned %i = %c0 to %c10 step %c1 : i32 {
      %turn = arith.remui %i, %c7 : i32
      %at = arith.muli %turn, %c8 overflow<nuw> : i32
      %s = spin.subslice %all[%at, %c8] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%at, %c8] : !spin.slice<i8, host>
      %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    }
    scf.for unsigned %i = %c0 to %c10 step %c1 : i32 {
      %half = arith.divui %i, %c2 : i32
      %more = arith.muli %i, %c8 overflow<nuw> : i32
      %at = arith.addi %more, %half overflow<nuw> : i32
      %s = spin.subslice %all[%at, %c8] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%at, %c8] : !spin.slice<i8, host>
      %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    }
    // All rounds together are not known to be in bounds.
    // CHECK: scf.for
    // CHECK: spin.dma_to_host
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %at = arith.muli %i, %c8 overflow<nuw> : i32
      %s = spin.subslice %all[%at, %c8] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%at, %c8] : !spin.slice<i8, host>
      %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    }
    // As many bytes as the packet says.
    // CHECK: scf.for
    // CHECK: spin.dma_to_host
    scf.for unsigned %i = %c0 to %c10 step %c1 : i32 {
      %at = arith.muli %i, %n overflow<nuw> : i32
      %s = spin.subslice %all[%at, %n] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%at, %n] : !spin.slice<i8, host>
      %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    }
    spin.return success
  }

}

spin.context @D link(ip) header_bytes(28) guaranteed_bytes(256) mtu(1500) match [] {
  spin.host @out
  spin.contract "out.size >= 4096" {
    %least = arith.constant 4096 : i128
    %size = spin.host_size @out
    %wide = arith.extui %size : i32 to i128
    %enough = arith.cmpi sge, %wide, %least : i128
    spin.yield_condition %enough
  }

  // CHECK-LABEL: spin.handler @busy
  spin.handler @busy kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c10 = arith.constant 10 : i32
    %one = arith.constant 1 : i64
    %no = arith.constant 0 : i8
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %out = spin.host_slice @out : !spin.slice<i8, host>
    // Not in each round.
    // CHECK: scf.for
    // CHECK: scf.if
    // CHECK: spin.dma_to_host
    scf.for unsigned %i = %c0 to %c10 step %c1 : i32 {
      %at = arith.muli %i, %c8 overflow<nuw> : i32
      %s = spin.subslice %all[%at, %c8] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%at, %c8] : !spin.slice<i8, host>
      %byte = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      %is = arith.cmpi ne, %byte, %no : i8
      scf.if %is {
        %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
      }
    }
    // A round may be the last one.
    // CHECK: scf.for
    // CHECK: spin.require
    // CHECK: spin.dma_to_host
    scf.for unsigned %i = %c0 to %c10 step %c1 : i32 {
      %at = arith.muli %i, %c8 overflow<nuw> : i32
      %s = spin.subslice %all[%at, %c8] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%at, %c8] : !spin.slice<i8, host>
      %byte = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      %is = arith.cmpi ne, %byte, %no : i8
      spin.require %is else drop
      %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    }
    // What later rounds copy is written.
    // CHECK: scf.for
    // CHECK: spin.dma_to_host
    // CHECK: spin.store
    scf.for unsigned %i = %c0 to %c10 step %c1 : i32 {
      %at = arith.muli %i, %c8 overflow<nuw> : i32
      %s = spin.subslice %all[%at, %c8] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%at, %c8] : !spin.slice<i8, host>
      %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
      spin.wait %c
      spin.store %no, %all[%c8] le : i8, !spin.slice<i8, packet_l1>
    }
    // What is filled is read, maybe before.
    // CHECK: scf.for
    // CHECK: spin.dma_from_host
    // CHECK: spin.load
    %sum = scf.for unsigned %i = %c0 to %c10 step %c1 iter_args(%old = %no) -> (i8) : i32 {
      %at = arith.muli %i, %c8 overflow<nuw> : i32
      %s = spin.subslice %all[%at, %c8] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%at, %c8] : !spin.slice<i8, host>
      %c = spin.dma_from_host %s, %d : !spin.slice<i8, packet_l1>, !spin.slice<i8, host>
      spin.wait %c
      %byte = spin.load %all[%c10] le : !spin.slice<i8, packet_l1> -> i8
      %new = arith.addi %old, %byte : i8
      scf.yield %new : i8
    }
    %odd = arith.cmpi ne, %sum, %no : i8
    spin.require %odd else drop
    // Two copies, another command, a wait that is not for each round.
    // CHECK: scf.for
    // CHECK: spin.dma_to_host
    // CHECK: spin.dma_to_host
    // CHECK: scf.for
    // CHECK: spin.notify
    // CHECK: spin.dma_to_host
    // CHECK: scf.for
    // CHECK: spin.dma_to_host
    // CHECK: scf.if
    // CHECK-NEXT: spin.wait
    scf.for unsigned %i = %c0 to %c10 step %c1 : i32 {
      %at = arith.muli %i, %c8 overflow<nuw> : i32
      %s = spin.subslice %all[%at, %c8] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%at, %c8] : !spin.slice<i8, host>
      %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
      %e = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    }
    scf.for unsigned %i = %c0 to %c10 step %c1 : i32 {
      %at = arith.muli %i, %c8 overflow<nuw> : i32
      %s = spin.subslice %all[%at, %c8] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%at, %c8] : !spin.slice<i8, host>
      %n = spin.notify %d, %one : !spin.slice<i8, host>
      %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    }
    scf.for unsigned %i = %c0 to %c10 step %c1 : i32 {
      %at = arith.muli %i, %c8 overflow<nuw> : i32
      %s = spin.subslice %all[%at, %c8] : !spin.slice<i8, packet_l1>
      %d = spin.subslice %out[%at, %c8] : !spin.slice<i8, host>
      %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
      scf.if %odd {
        spin.wait %c
      }
    }
    spin.return success
  }
}

spin.context @E link(ip) header_bytes(28) guaranteed_bytes(256) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) per_cluster in(state_l1) where {}
  spin.host @out
  spin.contract "out.size >= 4096" {
    %least = arith.constant 4096 : i128
    %size = spin.host_size @out
    %wide = arith.extui %size : i32 to i128
    %enough = arith.cmpi sge, %wide, %least : i128
    spin.yield_condition %enough
  }

  // CHECK-LABEL: spin.handler @elements
  spin.handler @elements kind(completion) {
  ^bb0(%m: !spin.message):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
    // CHECK-DAG: %[[WORDS:.*]] = arith.constant 8 : i32
    // CHECK-DAG: %[[BYTES:.*]] = arith.constant 32 : i32
    %out = spin.host_slice @out : !spin.slice<i8, host>
    // As many words as are in the bytes; the field is named in the loop.
    // CHECK: %[[TO:.*]] = spin.subslice %{{.*}}[%[[ZERO]], %[[BYTES]]] : !spin.slice<i8, host>
    // CHECK: %[[FIELD:.*]] = spin.state_slice @bin
    // CHECK: %[[FROM:.*]] = spin.subslice %[[FIELD]][%[[ZERO]], %[[WORDS]]] : !spin.slice<i32, state_l1>
    // CHECK: spin.dma_to_host %[[TO]], %[[FROM]]
    // CHECK-NOT: spin.dma_to_host
    scf.for unsigned %i = %c0 to %c4 step %c1 : i32 {
      %bin = spin.state_slice @bin : !spin.slice<i32, state_l1>
      %word = arith.muli %i, %c2 overflow<nuw> : i32
      %at = arith.muli %i, %c8 overflow<nuw> : i32
      %s = spin.subslice %bin[%word, %c2] : !spin.slice<i32, state_l1>
      %d = spin.subslice %out[%at, %c8] : !spin.slice<i8, host>
      %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i32, state_l1>
    }
    // Each round has another copy of the field.
    // CHECK: scf.for
    // CHECK: spin.state_copy
    // CHECK: spin.dma_to_host
    scf.for unsigned %i = %c0 to %c4 step %c1 : i32 {
      %bin = spin.state_copy @bin[%i] : !spin.slice<i32, state_l1>
      %word = arith.muli %i, %c2 overflow<nuw> : i32
      %at = arith.muli %i, %c8 overflow<nuw> : i32
      %s = spin.subslice %bin[%word, %c2] : !spin.slice<i32, state_l1>
      %d = spin.subslice %out[%at, %c8] : !spin.slice<i8, host>
      %c = spin.dma_to_host %d, %s : !spin.slice<i8, host>, !spin.slice<i32, state_l1>
    }
    spin.return success
  }
}
