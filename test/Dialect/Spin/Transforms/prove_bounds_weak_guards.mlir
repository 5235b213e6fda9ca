// Guards that do not guard what follows them: each program must be rejected.
// RUN: spinc-opt %s --split-input-file --spin-prove-bounds --verify-diagnostics=only-expected

// an addition that wraps round passes the check with a large offset
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c4 = arith.constant 4 : i32
    %first = arith.cmpi uge, %len, %c4 : i32
    spin.require %first else drop
    %off = spin.wire_load %s[%c0] be : !spin.slice<i8, packet_l1> -> i32
    %e = arith.addi %off, %c4 : i32
    %ok = arith.cmpi ule, %e, %len : i32
    spin.require %ok else drop
    // expected-error@+2 {{E0402: access may be out of bounds}}
    // expected-note@+1 {{witness: loaded value = 4294967292}}
    %v = spin.wire_load %s[%off] be : !spin.slice<i8, packet_l1> -> i32
    spin.return success
  }
}

// -----

// a signed comparison lets numbers with the top bit pass
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c4 = arith.constant 4 : i32
    %first = arith.cmpi uge, %len, %c4 : i32
    spin.require %first else drop
    %off = spin.wire_load %s[%c0] be : !spin.slice<i8, packet_l1> -> i32
    %ok = arith.cmpi slt, %off, %len : i32
    spin.require %ok else drop
    // expected-error@+2 {{E0401: index may be out of bounds}}
    // expected-note@+1 {{witness: loaded value = 2147483648}}
    %v = spin.load %s[%off] le : !spin.slice<i8, packet_l1> -> i8
    spin.return success
  }
}

// -----

// the guard is in the other branch
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c7 = arith.constant 7 : i32
    %ok = arith.cmpi ult, %c7, %len : i32
    scf.if %ok {
    } else {
      // expected-error@+1 {{E0401: index may be out of bounds: 7 is not below 'p.all.length'}}
      %v = spin.load %s[%c7] le : !spin.slice<i8, packet_l1> -> i8
    }
    spin.return success
  }
}

// -----

// the guard's branch does not leave the handler
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c7 = arith.constant 7 : i32
    %short = arith.cmpi ule, %len, %c7 : i32
    scf.if %short {
      %n = spin.hpu_id
    }
    // expected-error@+1 {{E0401}}
    %v = spin.load %s[%c7] le : !spin.slice<i8, packet_l1> -> i8
    spin.return success
  }
}

// -----

// either condition may hold
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c7 = arith.constant 7 : i32
    %c8 = arith.constant 8 : i32
    %a = arith.cmpi ult, %c7, %len : i32
    %id = spin.hpu_id
    %b = arith.cmpi ult, %id, %c8 : i32
    %ok = arith.ori %a, %b : i1
    spin.require %ok else drop
    // expected-error@+1 {{E0401}}
    %v = spin.load %s[%c7] le : !spin.slice<i8, packet_l1> -> i8
    spin.return success
  }
}
