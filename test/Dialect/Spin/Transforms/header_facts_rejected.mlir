// Near misses of header_facts.mlir: each must be rejected (bnd-13).
// RUN: spinc-opt %s --split-input-file --spin-prove-bounds --verify-diagnostics=only-expected

// Nobody looks at the verdict: dropped messages reach the payload handler.
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
    %bytes = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %c20 = arith.constant 20 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %offset = spin.wire_load %bytes[%c20] le : !spin.slice<i8, packet_l1> -> i32
    %size = spin.slice_length %bytes : !spin.slice<i8, packet_l1>
    %length = arith.subi %size, %c32 overflow<nuw> : i32
    %data = spin.subslice %bytes[%c32, %length] : !spin.slice<i8, packet_l1>
    %base = spin.state_load @base : i32
    // expected-error@+1 {{E0410}}
    %from = arith.addi %base, %offset overflow<nuw> : i32
    %whole = spin.host_slice @strip : !spin.slice<i8, host>
    // expected-error@+1 {{E0403}}
    %part = spin.subslice %whole[%from, %length] : !spin.slice<i8, host>
    %command = spin.dma_to_host %part, %data : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

// The verdict is the wrong one.
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
    %zero = arith.constant 1 : i8
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
    // expected-error@+1 {{E0410}}
    %from = arith.addi %base, %offset overflow<nuw> : i32
    %whole = spin.host_slice @strip : !spin.slice<i8, host>
    // expected-error@+1 {{E0403}}
    %part = spin.subslice %whole[%from, %length] : !spin.slice<i8, host>
    %command = spin.dma_to_host %part, %data : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

// The field is not what was checked.
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
    %more = arith.addi %offset, %c1 : i32
    spin.state_store %more, @base : i32
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
    // expected-error@+1 {{E0410}}
    %from = arith.addi %base, %offset overflow<nuw> : i32
    %whole = spin.host_slice @strip : !spin.slice<i8, host>
    // expected-error@+1 {{E0403}}
    %part = spin.subslice %whole[%from, %length] : !spin.slice<i8, host>
    %command = spin.dma_to_host %part, %data : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

// One path leaves the field as an earlier message left it.
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
    // expected-error@+1 {{E0410}}
    %from = arith.addi %base, %offset overflow<nuw> : i32
    %whole = spin.host_slice @strip : !spin.slice<i8, host>
    // expected-error@+1 {{E0403}}
    %part = spin.subslice %whole[%from, %length] : !spin.slice<i8, host>
    %command = spin.dma_to_host %part, %data : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

// A loop may store something else.
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
    scf.for unsigned %i = %c1 to %length step %c1 : i32 {
      spin.state_store %i, @base : i32
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
    // expected-error@+1 {{E0410}}
    %from = arith.addi %base, %offset overflow<nuw> : i32
    %whole = spin.host_slice @strip : !spin.slice<i8, host>
    // expected-error@+1 {{E0403}}
    %part = spin.subslice %whole[%from, %length] : !spin.slice<i8, host>
    %command = spin.dma_to_host %part, %data : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

// The other comparison.
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
    %fits = arith.cmpi uge, %end, %room64 : i64
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
    // expected-error@+1 {{E0410}}
    %from = arith.addi %base, %offset overflow<nuw> : i32
    %whole = spin.host_slice @strip : !spin.slice<i8, host>
    // expected-error@+1 {{E0403}}
    %part = spin.subslice %whole[%from, %length] : !spin.slice<i8, host>
    %command = spin.dma_to_host %part, %data : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

// The packet says one byte more.
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
    %longer = arith.addi %offset, %c1 : i32
    // expected-error@+1 {{E0410}}
    %from = arith.addi %base, %longer overflow<nuw> : i32
    %whole = spin.host_slice @strip : !spin.slice<i8, host>
    // expected-error@+1 {{E0403}}
    %part = spin.subslice %whole[%from, %length] : !spin.slice<i8, host>
    %command = spin.dma_to_host %part, %data : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

// The header handler's loads see a packet that it has changed.
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
    spin.wire_store %c1, %bytes[%c16] le : i32, !spin.slice<i8, packet_l1>
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
    // expected-error@+1 {{E0410}}
    %from = arith.addi %base, %offset overflow<nuw> : i32
    %whole = spin.host_slice @strip : !spin.slice<i8, host>
    // expected-error@+1 {{E0403}}
    %part = spin.subslice %whole[%from, %length] : !spin.slice<i8, host>
    %command = spin.dma_to_host %part, %data : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

// The field is written through a slice as well.
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
    %again = spin.state_slice @base : !spin.slice<i32, state_l1>
    %zero = arith.constant 0 : i32
    spin.store %c20, %again[%zero] le : i32, !spin.slice<i32, state_l1>
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
    // expected-error@+1 {{E0410}}
    %from = arith.addi %base, %offset overflow<nuw> : i32
    %whole = spin.host_slice @strip : !spin.slice<i8, host>
    // expected-error@+1 {{E0403}}
    %part = spin.subslice %whole[%from, %length] : !spin.slice<i8, host>
    %command = spin.dma_to_host %part, %data : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

// The header handler's packet is not the payload handler's.
spin.context @C link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @seen : i32 count(1) kind(plain) in(state_l1) where {}
  spin.handler @header kind(header) {
  ^bb0(%m: !spin.message):
    %bytes = spin.packet_bytes %m : !spin.message -> !spin.slice<i8, packet_l1>
    %size = spin.slice_length %bytes : !spin.slice<i8, packet_l1>
    %c60 = arith.constant 60 : i32
    %long = arith.cmpi uge, %size, %c60 : i32
    spin.require %long else drop
    spin.state_store %size, @seen : i32
    spin.return process_data
  }
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %bytes = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %seen = spin.state_load @seen : i32
    %c40 = arith.constant 40 : i32
    %big = arith.cmpi uge, %seen, %c40 : i32
    spin.require %big else drop
    // expected-error@+1 {{E0401}}
    %v = spin.load %bytes[%c40] le : !spin.slice<i8, packet_l1> -> i8
    spin.return success
  }
}

// -----

// The completion handler's own store counts, not the header handler's.
spin.context @C link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @at : i32 count(1) kind(plain) in(state_l1) where {}
  spin.state @bin : i32 count(8) kind(atomic) in(state_l1) where {}
  spin.handler @header kind(header) {
  ^bb0(%m: !spin.message):
    %c7 = arith.constant 7 : i32
    spin.state_store %c7, @at : i32
    spin.return process_data
  }
  spin.handler @completion kind(completion) {
  ^bb0(%m: !spin.message):
    %bin = spin.state_slice @bin : !spin.slice<i32, state_l1>
    %at = spin.state_load @at : i32
    %old = spin.atomic_rmw add %bin[%at], %at : !spin.slice<i32, state_l1>
    %c1 = arith.constant 1 : i32
    %next = arith.addi %at, %c1 overflow<nuw> : i32
    spin.state_store %next, @at : i32
    %after = spin.state_load @at : i32
    // expected-error@+1 {{E0401}}
    %more = spin.atomic_rmw add %bin[%after], %at : !spin.slice<i32, state_l1>
    spin.return success
  }
}
