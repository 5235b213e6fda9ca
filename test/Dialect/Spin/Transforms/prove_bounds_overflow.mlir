// Overflow flags and narrowing.
// RUN: spinc-opt %s --split-input-file --spin-prove-bounds --verify-diagnostics=only-expected

// unsigned and signed overflow
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %id = spin.hpu_id
    // expected-error@+1 {{E0410: arithmetic may overflow: '0 - (result of hpu_id)' may not fit into 'u32'}}
    %a = arith.subi %c0, %id overflow<nuw> : i32
    %n = spin.hpu_id
    %b = arith.subi %c0, %n overflow<nsw> : i32
    %m = arith.constant 2147483640 : i32
    // expected-error@+2 {{E0410: arithmetic may overflow: '(result of hpu_id) + 2147483640' may not fit into 'i32'}}
    // expected-note@+1 {{witness: result of hpu_id = 8}}
    %c = arith.addi %n, %m overflow<nsw> : i32
    %d = arith.addi %n, %m overflow<nuw> : i32
    // expected-error@+1 {{E0410: arithmetic may overflow: '(result of addi) * p.all.length'}}
    %q = arith.muli %d, %len overflow<nsw> : i32
    spin.return success
  }
}

// -----

// narrowing
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %t = arith.trunci %len overflow<nuw> : i32 to i16
    // expected-error@+2 {{E0411: narrowing may lose bits: 'p.all.length' may not fit into 'u8'}}
    // expected-note@+1 {{witness: p.all.length = 256}}
    %u = arith.trunci %len overflow<nuw> : i32 to i8
    spin.return success
  }
}
