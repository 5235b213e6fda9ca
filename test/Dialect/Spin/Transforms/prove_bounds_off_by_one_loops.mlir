// The patterns of prove_bounds_loops.mlir, each with one number off by one.
// RUN: spinc-opt %s --split-input-file --spin-prove-bounds --verify-diagnostics=only-expected

// the length of an IP header: 20 <= 4 * ihl and 4 * ihl + 8 <= len, then words behind it
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c15 = arith.constant 15 : i32
    %c20 = arith.constant 20 : i32
    %first = arith.cmpi uge, %len, %c20 : i32
    spin.require %first else drop
    %vi = spin.load %s[%c0] le : !spin.slice<i8, packet_l1> -> i8
    %w = arith.extui %vi : i8 to i32
    %m = arith.andi %w, %c15 : i32
    %ihl = arith.muli %m, %c4 overflow<nuw> : i32
    %ok1 = arith.cmpi uge, %ihl, %c20 : i32
    %e = arith.addi %ihl, %c8 overflow<nuw> : i32
    %ok2 = arith.cmpi ule, %e, %len : i32
    %ok = arith.andi %ok1, %ok2 : i1
    spin.require %ok else drop
    %rest = arith.subi %len, %e overflow<nuw> : i32
    %body = spin.subslice %s[%e, %rest] : !spin.slice<i8, packet_l1>
    %words = spin.view_as %body : !spin.slice<i8, packet_l1> -> !spin.slice<i32, packet_l1>
    %n = spin.slice_length %words : !spin.slice<i32, packet_l1>
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %j = arith.addi %i, %c1 overflow<nuw> : i32
      // expected-error@+1 {{E0401: index may be out of bounds: 'result of addi' is not below 'part of p.all.length'}}
      %v = spin.load %words[%j] le : !spin.slice<i32, packet_l1> -> i32
    }
    spin.return success
  }
}

// -----

// eight elements per iteration while i + 8 <= n
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c7 = arith.constant 7 : i32
    %c8 = arith.constant 8 : i32
    %r = scf.while (%i = %c0) : (i32) -> i32 {
      %e = arith.addi %i, %c7 overflow<nuw> : i32
      %c = arith.cmpi ule, %e, %len : i32
      scf.condition(%c) %i : i32
    } do {
    ^bb0(%i: i32):
      %last = arith.addi %i, %c7 overflow<nuw> : i32
      // expected-error@+1 {{E0401}}
      %v = spin.load %s[%last] le : !spin.slice<i8, packet_l1> -> i8
      %next = arith.addi %i, %c8 overflow<nuw> : i32
      scf.yield %next : i32
    }
    spin.return success
  }
}

// -----

// records of type, length and value
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %r = scf.while (%o = %c0) : (i32) -> i32 {
      %e = arith.addi %o, %c2 overflow<nuw> : i32
      %c = arith.cmpi ule, %e, %len : i32
      scf.condition(%c) %o : i32
    } do {
    ^bb0(%o: i32):
      %o1 = arith.addi %o, %c2 overflow<nuw> : i32
      // expected-error@+1 {{E0401}}
      %l8 = spin.load %s[%o1] le : !spin.slice<i8, packet_l1> -> i8
      %l = arith.extui %l8 : i8 to i32
      %e = arith.addi %o, %l overflow<nuw> : i32
      %ok = arith.cmpi ule, %e, %len : i32
      spin.require %ok else drop
      %part = spin.subslice %s[%o, %l] : !spin.slice<i8, packet_l1>
      scf.yield %e : i32
    }
    %rest = arith.subi %len, %r overflow<nuw> : i32
    spin.return success
  }
}

// -----

// a hash masked to the size of a table
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c1 = arith.constant 1 : i32
    %c2047 = arith.constant 2047 : i32
    %c40503 = arith.constant 40503 : i32
    %bin = spin.state_slice @bin : !spin.slice<i32, state_l1>
    %h = arith.muli %len, %c40503 : i32
    %i = arith.andi %h, %c2047 : i32
    // expected-error@+1 {{E0401: index may be out of bounds: 'result of andi' is not below 1024}}
    %old = spin.atomic_rmw add %bin[%i], %c1 : !spin.slice<i32, state_l1>
    spin.return success
  }
}
