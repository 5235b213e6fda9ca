// The patterns of prove_bounds.mlir, each with one number off by one.
// RUN: spinc-opt %s --split-input-file --spin-prove-bounds --verify-diagnostics=only-expected

// x < 21 does not give x < 20
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c20 = arith.constant 20 : i32
    %c21 = arith.constant 21 : i32
    %x8 = spin.state_slice @bin : !spin.slice<i32, state_l1>
    %n = arith.constant 1500 : i32
    %big = arith.cmpi uge, %len, %c20 : i32
    spin.require %big else drop
    %x = spin.hpu_id
    %y = arith.muli %x, %x overflow<nuw> : i32
    %g = arith.cmpi ult, %y, %c21 : i32
    scf.if %g {
      // expected-error@+1 {{E0401: index may be out of bounds: 'result of muli' is not below 'p.all.length'}}
      %v = spin.load %s[%y] le : !spin.slice<i8, packet_l1> -> i8
    }
    spin.return success
  }
}

// -----

// for (i : 0 ..< 64): 4 * i + 3 < 256
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c64 = arith.constant 64 : i32
    %c255 = arith.constant 255 : i32
    %ok = arith.cmpi uge, %len, %c255 : i32
    spin.require %ok else drop
    scf.for unsigned %i = %c0 to %c64 step %c1 : i32 {
      %a = arith.muli %i, %c4 overflow<nuw> : i32
      %b = arith.addi %a, %c3 overflow<nuw> : i32
      // expected-error@+1 {{E0401}}
      %v = spin.load %s[%b] le : !spin.slice<i8, packet_l1> -> i8
    }
    spin.return success
  }
}

// -----

// for (i : 0 ..< len / 4): 4 * i + 4 <= len
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %n = arith.divui %len, %c4 : i32
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %a = arith.muli %i, %c4 overflow<nuw> : i32
      %b = arith.addi %a, %c1 overflow<nuw> : i32
      // expected-error@+1 {{E0402: access may be out of bounds: 4 bytes from 'result of addi' on are not within 'p.all.length'}}
      %v = spin.wire_load %s[%b] be : !spin.slice<i8, packet_l1> -> i32
    }
    spin.return success
  }
}

// -----

// (x & 15) * 4 + 8 <= 68
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c4 = arith.constant 4 : i32
    %c15 = arith.constant 15 : i32
    %c67 = arith.constant 67 : i32
    %ok = arith.cmpi uge, %len, %c67 : i32
    spin.require %ok else drop
    %x = spin.hpu_id
    %y = arith.muli %x, %x overflow<nuw> : i32
    %m = arith.andi %y, %c15 : i32
    %a = arith.muli %m, %c4 overflow<nuw> : i32
    // expected-error@+1 {{E0402}}
    %v = spin.wire_load %s[%a] be : !spin.slice<i8, packet_l1> -> i64
    spin.return success
  }
}
