// RUN: spinc-opt --spin-schedule-commands %s | FileCheck %s
// RUN: spinc-opt --spin-schedule-commands --spin-prove-bounds --spin-check-commands %s

spin.context @Schedule link(ip) header_bytes(28) guaranteed_bytes(64) mtu(1500) match [] {
  spin.state @limit : i32 count(1) kind(plain) in(state_l1) where {}
  spin.state @bin : i32 count(4) kind(atomic) in(state_l1) where {}
  spin.host @out

  // CHECK-LABEL: spin.handler @payload
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c40 = arith.constant 40 : i32
    %zero = arith.constant 0 : i8
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %bin = spin.state_slice @bin : !spin.slice<i32, state_l1>
    %host = spin.host_slice @out : !spin.slice<i8, host>
    %none = spin.subslice %host[%c0, %c0] : !spin.slice<i8, host>
    %old = spin.local count(8) zero : !spin.slice<i8, local>

    // Commands keep their order and take along what they need; what needs the
    // loop stays behind it, and so does the wait.
    // CHECK: spin.loop_marker 0
    // CHECK-NEXT: %[[HEAD:.*]] = spin.subslice
    // CHECK-NEXT: spin.send %[[HEAD]]
    // CHECK-NEXT: %[[EMPTY:.*]] = spin.subslice
    // CHECK-NEXT: %[[COPY:.*]] = spin.dma_to_host %{{.*}}, %[[EMPTY]]
    // CHECK-NEXT: spin.send %[[HEAD]]
    // CHECK-NEXT: %[[SUM:.*]] = scf.for
    // CHECK: scf.yield
    // CHECK: spin.state_load
    // CHECK-NEXT: %[[BITS:.*]] = arith.extui %[[SUM]]
    // CHECK-NEXT: spin.wait %[[COPY]]
    // CHECK-NEXT: spin.put to %{{.*}} match %[[BITS]]
    spin.loop_marker 0
    %sum = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i8) : i32 {
      %x = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      %limit = spin.state_load @limit : i32
      %t = arith.xori %s, %x : i8
      scf.yield %t : i8
    }
    %more = spin.state_load @limit : i32
    %bits = arith.extui %sum : i8 to i64
    %head = spin.subslice %all[%c0, %c40] : !spin.slice<i8, packet_l1>
    %s0 = spin.send %head : !spin.slice<i8, packet_l1>
    %empty = spin.subslice %all[%c0, %c0] : !spin.slice<i8, packet_l1>
    %d0 = spin.dma_to_host %none, %empty : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    %s1 = spin.send %head : !spin.slice<i8, packet_l1>
    spin.wait %d0
    %p0 = spin.put to %c1 match %bits
    spin.wait %s0
    spin.wait %s1
    spin.wait %p0

    // A wait comes behind the loop, and no command in front of it: it may need
    // what was waited for. Two waits keep their order.
    // CHECK: spin.loop_marker 1
    // CHECK-NEXT: %[[A:.*]] = spin.send
    // CHECK-NEXT: %[[B:.*]] = spin.send
    // CHECK-NEXT: scf.for
    // CHECK: spin.wait %[[A]]
    // CHECK-NEXT: spin.wait %[[B]]
    // CHECK-NEXT: spin.put
    spin.loop_marker 1
    %s2 = spin.send %all : !spin.slice<i8, packet_l1>
    %s3 = spin.send %all : !spin.slice<i8, packet_l1>
    spin.wait %s2
    spin.wait %s3
    %sum1 = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i8) : i32 {
      %x = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      %t = arith.xori %s, %x : i8
      scf.yield %t : i8
    }
    %p1 = spin.put to %c1 match %bits

    // What a copy from the host fills is not read before the wait; a loop that
    // only computes is passed.
    // CHECK: spin.loop_marker 2
    // CHECK-NEXT: %[[F:.*]] = spin.subslice
    // CHECK-NEXT: %[[FILL:.*]] = spin.dma_from_host
    // CHECK-NEXT: scf.for
    // CHECK: spin.wait %[[FILL]]
    // CHECK-NEXT: scf.for
    spin.loop_marker 2
    %first = spin.subslice %old[%c0, %c0] : !spin.slice<i8, local>
    %f = spin.dma_from_host %first, %none : !spin.slice<i8, local>, !spin.slice<i8, host>
    spin.wait %f
    %sum2 = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%s = %c1) -> (i32) : i32 {
      %t = arith.xori %s, %i : i32
      scf.yield %t : i32
    }
    %sum3 = scf.for unsigned %i = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (i8) : i32 {
      %x = spin.load %old[%i] le : !spin.slice<i8, local> -> i8
      %t = arith.xori %s, %x : i8
      scf.yield %t : i8
    }

    // Not past a loop that writes,
    // CHECK: spin.loop_marker 3
    // CHECK-NEXT: scf.for
    // CHECK: spin.put
    spin.loop_marker 3
    scf.for unsigned %i = %c0 to %c8 step %c1 : i32 {
      spin.store %zero, %old[%i] le : i8, !spin.slice<i8, local>
    }
    %p2 = spin.put to %c1 match %bits

    // that leaves the handler,
    // CHECK: spin.loop_marker 4
    // CHECK-NEXT: scf.for
    // CHECK: spin.put
    spin.loop_marker 4
    scf.for unsigned %i = %c0 to %c8 step %c1 : i32 {
      %x = spin.load %old[%i] le : !spin.slice<i8, local> -> i8
      %ok = arith.cmpi eq, %x, %zero : i8
      spin.require %ok else drop
    }
    %p3 = spin.put to %c1 match %bits

    // or that reads what other handlers write.
    // CHECK: spin.loop_marker 5
    // CHECK-NEXT: scf.for
    // CHECK: spin.put
    spin.loop_marker 5
    %sum4 = scf.for unsigned %i = %c0 to %c3 step %c1 iter_args(%s = %c0) -> (i32) : i32 {
      %x = spin.load %bin[%i] le : !spin.slice<i32, state_l1> -> i32
      %t = arith.xori %s, %x : i32
      scf.yield %t : i32
    }
    %p4 = spin.put to %c1 match %bits

    // For a division, but not for a single load.
    // CHECK: spin.loop_marker 6
    // CHECK-NEXT: spin.put
    // CHECK-NEXT: arith.divui
    // CHECK-NEXT: spin.loop_marker 7
    // CHECK-NEXT: spin.load
    // CHECK-NEXT: spin.put
    spin.loop_marker 6
    %quotient = arith.divui %n, %c3 : i32
    %p5 = spin.put to %c1 match %bits
    spin.loop_marker 7
    %x = spin.load %all[%c4] le : !spin.slice<i8, packet_l1> -> i8
    %p6 = spin.put to %c1 match %bits

    // A division that one command takes along is no place for the next.
    // CHECK: spin.loop_marker 8
    // CHECK-NEXT: %[[REST:.*]] = arith.remui
    // CHECK-NEXT: spin.put to %[[REST]]
    // CHECK-NEXT: spin.put to %[[REST]]
    // CHECK-NEXT: arith.divui
    // CHECK-NEXT: spin.return
    spin.loop_marker 8
    %other = arith.divui %n, %c4 : i32
    %rest = arith.remui %n, %c3 : i32
    %p7 = spin.put to %rest match %bits
    %p8 = spin.put to %rest match %bits
    spin.return success
  }
}
