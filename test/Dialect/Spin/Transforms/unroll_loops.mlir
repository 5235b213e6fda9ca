// RUN: spinc-opt %s --spin-unroll-loops=factor=4 | FileCheck %s
// RUN: spinc-opt %s --spin-unroll-loops=factor=1 | FileCheck %s --check-prefix=OFF
// RUN: spinc-opt %s --spin-unroll-loops="factor=2 max-ops=1 max-full-ops=1" \
// RUN:   | FileCheck %s --check-prefix=SMALL
// RUN: spinc-opt %s --spin-unroll-loops | FileCheck %s --check-prefix=FULL
// RUN: spinc-opt %s --spin-unroll-loops=max-full-ops=8 \
// RUN:   | FileCheck %s --check-prefix=NOTFULL
// The flags on the new arithmetic can be proved.
// RUN: spinc-opt %s --spin-prove-bounds --spin-unroll-loops --canonicalize \
// RUN:   --cse --spin-prove-bounds | FileCheck %s --check-prefix=PROVED

// OFF-COUNT-7: scf.for
// OFF-NOT: scf.for
// SMALL-COUNT-7: scf.for
// SMALL-NOT: scf.for

// CHECK-LABEL: spin.context @A
// CHECK: %[[REST:.*]] = arith.remui %[[N:.*]], %{{.*}} : i32
// CHECK: %[[MID:.*]] = arith.subi %[[N]], %[[REST]] overflow<nuw> : i32
// CHECK: %[[MAIN:.*]] = scf.for unsigned %[[I:.*]] = %{{.*}} to %[[MID]] step %{{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (i32)
// The loads come first: no copy waits for its load.
// CHECK: %[[V0:.*]] = spin.load %{{.*}}[%[[I]]]
// CHECK: %[[I1:.*]] = arith.addi %[[I]], %{{.*}} overflow<nuw> : i32
// CHECK: %[[V1:.*]] = spin.load %{{.*}}[%[[I1]]]
// CHECK: %[[I2:.*]] = arith.addi %[[I]], %{{.*}} overflow<nuw> : i32
// CHECK: %[[V2:.*]] = spin.load %{{.*}}[%[[I2]]]
// CHECK: %[[I3:.*]] = arith.addi %[[I]], %{{.*}} overflow<nuw> : i32
// CHECK: %[[V3:.*]] = spin.load %{{.*}}[%[[I3]]]
// CHECK: %[[S0:.*]] = arith.xori %[[S]], %[[V0]]
// CHECK: %[[S1:.*]] = arith.xori %[[S0]], %[[V1]]
// CHECK: %[[S2:.*]] = arith.xori %[[S1]], %[[V2]]
// CHECK: %[[S3:.*]] = arith.xori %[[S2]], %[[V3]]
// CHECK: scf.yield %[[S3]] : i32
// CHECK: %[[ALL:.*]] = scf.for unsigned %{{.*}} = %[[MID]] to %[[N]] step %{{.*}} iter_args(%{{.*}} = %[[MAIN]]) -> (i32)
// CHECK: spin.store %[[ALL]]
// An early exit in the body leaves from each copy.
// CHECK-COUNT-4: spin.exit drop
// CHECK: scf.for
// CHECK: spin.exit drop
// CHECK-NOT: spin.exit
// PROVED-LABEL: spin.context @A
// PROVED: spin.load %{{.*}}[%{{.*}}] le proof
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %words = spin.view_as %all : !spin.slice<i8, packet_l1> -> !spin.slice<i32, packet_l1>
    %n = spin.slice_length %words : !spin.slice<i32, packet_l1>
    %some = arith.cmpi ne, %n, %c0 : i32
    spin.require %some else drop
    %sum = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%s = %c0) -> (i32) : i32 {
      %v = spin.load %words[%i] le : !spin.slice<i32, packet_l1> -> i32
      %next = arith.xori %s, %v : i32
      scf.yield %next : i32
    }
    spin.store %sum, %words[%c0] le : i32, !spin.slice<i32, packet_l1>
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %v = spin.load %words[%i] le : !spin.slice<i32, packet_l1> -> i32
      %bad = arith.cmpi eq, %v, %c0 : i32
      scf.if %bad {
        spin.exit drop
      }
    }
    spin.return success
  }
}

// Loops around loops and loops of other forms stay: the inner one starts at 1,
// the outer one has it inside.
// CHECK-LABEL: spin.context @B
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
spin.context @B link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %c64 = arith.constant 64 : i32
    scf.for unsigned %i = %c0 to %c64 step %c1 : i32 {
      scf.for unsigned %j = %c1 to %c64 step %c1 : i32 {
      }
    }
    spin.return success
  }
}

// What runs a few times is written out, and what is around it is then innermost:
// a row of three words at a time, four rows a turn.
// CHECK-LABEL: spin.context @Rows
// FULL-LABEL: spin.context @Rows
// FULL: scf.for
// FULL-COUNT-12: spin.load
// FULL: scf.for
// FULL-COUNT-3: spin.load
// FULL-NOT: spin.load
// FULL: spin.context @Writes
// NOTFULL-LABEL: spin.context @Rows
// NOTFULL-COUNT-2: scf.for
// NOTFULL-NOT: scf.for
// NOTFULL: spin.context @Writes
spin.context @Rows link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %rows = arith.divui %n, %c3 : i32
    %sum = scf.for unsigned %i = %c0 to %rows step %c1 iter_args(%s = %c0) -> (i32) : i32 {
      %first = arith.muli %i, %c3 overflow<nuw> : i32
      %row = scf.for unsigned %j = %c0 to %c3 step %c1 iter_args(%t = %s) -> (i32) : i32 {
        %at = arith.addi %first, %j overflow<nuw> : i32
        %v = spin.load %all[%at] le : !spin.slice<i8, packet_l1> -> i8
        %w = arith.extui %v : i8 to i32
        %x = arith.xori %t, %w : i32
        scf.yield %x : i32
      }
      scf.yield %row : i32
    }
    %low = arith.trunci %sum : i32 to i8
    %some = arith.cmpi ne, %n, %c0 : i32
    scf.if %some {
      spin.store %low, %all[%c0] le : i8, !spin.slice<i8, packet_l1>
    }
    spin.return success
  }
}

// A body that stores to the packet keeps its order.
// CHECK-LABEL: spin.context @Writes
// CHECK: scf.for
// CHECK: spin.load
// CHECK: spin.store
// CHECK: spin.load
// CHECK: spin.store
spin.context @Writes link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %some = arith.cmpi ne, %n, %c0 : i32
    spin.require %some else drop
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %v = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      spin.store %v, %all[%c0] le : i8, !spin.slice<i8, packet_l1>
    }
    spin.return success
  }
}
