// Divisors, shift amounts and loop steps.
// RUN: spinc-opt %s --split-input-file --spin-prove-bounds --verify-diagnostics=only-expected

// division and remainder
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    // expected-error@+2 {{E0412: division by zero: 'p.all.length' may be 0}}
    // expected-note@+1 {{fix: guard the division, for example `if (p.all.length != 0)`}}
    %n = arith.divui %c8, %len : i32
    %m = arith.addi %len, %c1 overflow<nuw> : i32
    %o = arith.remui %c8, %m : i32
    spin.return success
  }
}

// -----

// shift amounts
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %n = spin.hpu_id
    %a = arith.shli %c1, %n : i32
    %m = arith.addi %n, %c1 overflow<nuw> : i32
    // expected-error@+1 {{E0413: shift amount may be out of range: 'result of addi' is not below 32}}
    %b = arith.shrui %c8, %m : i32
    spin.return success
  }
}

// -----

// steps of loops
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %n = spin.hpu_id
    // expected-error@+1 {{E0414: loop may not end: step 'result of hpu_id' may be 0}}
    scf.for unsigned %i = %c0 to %len step %n : i32 {
    }
    %end = arith.constant -1 : i32
    // expected-error@+1 {{E0414: loop may not end: its index may step over the largest number}}
    scf.for unsigned %i = %c0 to %end step %c4 : i32 {
    }
    scf.for unsigned %i = %c0 to %end step %c1 : i32 {
    }
    spin.return success
  }
}

// -----

// signed division
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %min = arith.constant -2147483648 : i32
    %n = spin.hpu_id
    %a = arith.addi %n, %c1 overflow<nuw> : i32
    %b = arith.divsi %min, %a : i32
    %minus = arith.subi %c0, %a overflow<nsw> : i32
    // expected-error@+1 {{E0410: arithmetic may overflow: the least 'i32' divided by -1}}
    %d = arith.divsi %min, %minus : i32
    %e = arith.divsi %n, %minus : i32
    spin.return success
  }
}
