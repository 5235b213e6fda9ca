// RUN: spinc-opt %s --split-input-file --spin-prove-bounds | FileCheck %s
// bnd-13: what the header handler has checked holds in the handlers after it.

// The range of the whole message; msg-1 puts each packet into it.
spin.context @C link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.host @strip
  spin.state @base : i32 count(1) kind(plain) in(state_l1) where {}
  spin.state @verdict : i8 count(1) kind(plain) in(state_l1) where {}
  spin.handler @header kind(header) {
  ^bb0(%m: !spin.message):
    %bytes = spin.packet_bytes %m : !spin.message -> !spin.slice<i8, packet_l1>
    %size = spin.slice_length %bytes : !spin.slice<i8, packet_l1>
    %c0_8 = arith.constant 0 : i8
    %c1_8 = arith.constant 1 : i8
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %c20 = arith.constant 20 : i32
    spin.state_store %c1_8, @verdict : i8
    %length = spin.wire_load %bytes[%c16] le : !spin.slice<i8, packet_l1> -> i32
    %offset = spin.wire_load %bytes[%c20] le : !spin.slice<i8, packet_l1> -> i32
    %room = spin.host_size @strip
    %length64 = arith.extui %length : i32 to i64
    %offset64 = arith.extui %offset : i32 to i64
    %room64 = arith.extui %room : i32 to i64
    %end = arith.addi %offset64, %length64 overflow<nuw> : i64
    %fits = arith.cmpi ule, %end, %room64 : i64
    spin.require %fits else drop
    spin.state_store %offset, @base : i32
    spin.state_store %c0_8, @verdict : i8
    spin.return process_data
  }
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %verdict = spin.state_load @verdict : i8
    %zero = arith.constant 0 : i8
    %goes = arith.cmpi eq, %verdict, %zero : i8
    spin.require %goes else drop
    %bytes = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %c20 = arith.constant 20 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %offset = spin.wire_load %bytes[%c20] le : !spin.slice<i8, packet_l1> -> i32
    %size = spin.slice_length %bytes : !spin.slice<i8, packet_l1>
    %length = arith.subi %size, %c32 overflow<nuw> : i32
    %data = spin.subslice %bytes[%c32, %length] : !spin.slice<i8, packet_l1>
    %base = spin.state_load @base : i32
    %from = arith.addi %base, %offset overflow<nuw> : i32
    %whole = spin.host_slice @strip : !spin.slice<i8, host>
    // CHECK: spin.subslice %{{.*}} proof <{{.*}}header handler
    %part = spin.subslice %whole[%from, %length] : !spin.slice<i8, host>
    %command = spin.dma_to_host %part, %data : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

// The field is stored in both arms of a branch.
spin.context @C link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.host @strip
  spin.state @base : i32 count(1) kind(plain) in(state_l1) where {}
  spin.state @verdict : i8 count(1) kind(plain) in(state_l1) where {}
  spin.handler @header kind(header) {
  ^bb0(%m: !spin.message):
    %bytes = spin.packet_bytes %m : !spin.message -> !spin.slice<i8, packet_l1>
    %size = spin.slice_length %bytes : !spin.slice<i8, packet_l1>
    %c0_8 = arith.constant 0 : i8
    %c1_8 = arith.constant 1 : i8
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %c20 = arith.constant 20 : i32
    spin.state_store %c1_8, @verdict : i8
    %length = spin.wire_load %bytes[%c16] le : !spin.slice<i8, packet_l1> -> i32
    %offset = spin.wire_load %bytes[%c20] le : !spin.slice<i8, packet_l1> -> i32
    %room = spin.host_size @strip
    %length64 = arith.extui %length : i32 to i64
    %offset64 = arith.extui %offset : i32 to i64
    %room64 = arith.extui %room : i32 to i64
    %end = arith.addi %offset64, %length64 overflow<nuw> : i64
    %fits = arith.cmpi ule, %end, %room64 : i64
    spin.require %fits else drop
    %odd = arith.cmpi uge, %length, %c20 : i32
    scf.if %odd {
      spin.state_store %offset, @base : i32
    } else {
      %none = arith.constant 0 : i32
      spin.state_store %none, @base : i32
    }
    spin.state_store %c0_8, @verdict : i8
    spin.return process_data
  }
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %verdict = spin.state_load @verdict : i8
    %zero = arith.constant 0 : i8
    %goes = arith.cmpi eq, %verdict, %zero : i8
    spin.require %goes else drop
    %bytes = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %c20 = arith.constant 20 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %offset = spin.wire_load %bytes[%c20] le : !spin.slice<i8, packet_l1> -> i32
    %size = spin.slice_length %bytes : !spin.slice<i8, packet_l1>
    %length = arith.subi %size, %c32 overflow<nuw> : i32
    %data = spin.subslice %bytes[%c32, %length] : !spin.slice<i8, packet_l1>
    %base = spin.state_load @base : i32
    %from = arith.addi %base, %offset overflow<nuw> : i32
    %whole = spin.host_slice @strip : !spin.slice<i8, host>
    // CHECK: spin.subslice %{{.*}} proof <{{.*}}header handler
    %part = spin.subslice %whole[%from, %length] : !spin.slice<i8, host>
    %command = spin.dma_to_host %part, %data : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    spin.return success
  }
}
