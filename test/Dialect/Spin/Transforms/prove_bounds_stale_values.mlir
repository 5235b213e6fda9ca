// Values that are not those that were checked: each program must be rejected.
// RUN: spinc-opt %s --split-input-file --spin-prove-bounds --verify-diagnostics=only-expected

// a value is loaded again after its check and a store
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %first = arith.cmpi uge, %len, %c1 : i32
    spin.require %first else drop
    %x = spin.load %s[%c0] le : !spin.slice<i8, packet_l1> -> i8
    %x32 = arith.extui %x : i8 to i32
    %ok = arith.cmpi ult, %x32, %len : i32
    spin.require %ok else drop
    %big = arith.constant -1 : i8
    spin.store %big, %s[%c0] le : i8, !spin.slice<i8, packet_l1>
    %y = spin.load %s[%c0] le : !spin.slice<i8, packet_l1> -> i8
    %y32 = arith.extui %y : i8 to i32
    // expected-error@+1 {{E0401}}
    %v = spin.load %s[%y32] le : !spin.slice<i8, packet_l1> -> i8
    spin.return success
  }
}

// -----

// a cursor checked before the loop moves in it
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %ok = arith.cmpi ult, %c0, %len : i32
    spin.require %ok else drop
    %r = scf.for unsigned %i = %c0 to %c8 step %c1 iter_args(%k = %c0) -> (i32) : i32 {
      // expected-error@+1 {{E0401: index may be out of bounds: 'loop variable' is not below 'p.all.length'}}
      %v = spin.load %s[%k] le : !spin.slice<i8, packet_l1> -> i8
      %n = arith.addi %k, %c1 overflow<nuw> : i32
      scf.yield %n : i32
    }
    spin.return success
  }
}

// -----

// what holds for a value in one branch does not hold for the result
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c7 = arith.constant 7 : i32
    %c8 = arith.constant 8 : i32
    %id = spin.hpu_id
    %ok = arith.cmpi ult, %c7, %len : i32
    %small = arith.cmpi ult, %id, %c8 : i32
    spin.require %ok else drop
    %i = scf.if %small -> (i32) {
      scf.yield %id : i32
    } else {
      scf.yield %c8 : i32
    }
    // expected-error@+1 {{E0401}}
    %v = spin.load %s[%i] le : !spin.slice<i8, packet_l1> -> i8
    spin.return success
  }
}

// -----

// a checked addition in a branch says nothing about its operand elsewhere
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c100 = arith.constant 100 : i32
    %c251 = arith.constant 251 : i32
    %big = arith.cmpi uge, %len, %c100 : i32
    spin.require %big else drop
    %x8 = spin.load %s[%c0] le : !spin.slice<i8, packet_l1> -> i8
    %k = arith.constant 250 : i8
    %small = arith.cmpi ule, %x8, %k : i8
    %r = scf.if %small -> (i8) {
      %five = arith.constant 5 : i8
      %y = arith.addi %x8, %five overflow<nuw> : i8
      scf.yield %y : i8
    } else {
      scf.yield %x8 : i8
    }
    %fit = arith.cmpi uge, %len, %c251 : i32
    spin.require %fit else drop
    %i = arith.extui %x8 : i8 to i32
    // expected-error@+1 {{E0401}}
    %v = spin.load %s[%i] le : !spin.slice<i8, packet_l1> -> i8
    spin.return success
  }
}
