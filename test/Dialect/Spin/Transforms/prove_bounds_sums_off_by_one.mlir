// The pattern of prove_bounds_sums.mlir with one number off by one.
// RUN: spinc-opt %s --split-input-file --spin-prove-bounds --verify-diagnostics=only-expected

// off + 4 <= len gives off + 3 < len; the sum is computed in 64 bits
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c0_ = arith.constant 0 : i32
    %first = arith.cmpi uge, %len, %c4 : i32
    spin.require %first else drop
    %off = spin.wire_load %s[%c0_] be : !spin.slice<i8, packet_l1> -> i32
    %o64 = arith.extui %off : i32 to i64
    %l64 = arith.extui %len : i32 to i64
    %k = arith.constant 3 : i64
    %e = arith.addi %o64, %k : i64
    %ok = arith.cmpi ule, %e, %l64 : i64
    spin.require %ok else drop
    %i = arith.addi %off, %c3 overflow<nuw> : i32
    // expected-error@+1 {{E0401}}
    %v = spin.load %s[%i] le : !spin.slice<i8, packet_l1> -> i8
    spin.return success
  }
}
