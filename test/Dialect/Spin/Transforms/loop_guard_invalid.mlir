// RUN: spinc-opt %s --split-input-file --spin-infer-loop-bounds --spin-mark-loops --verify-diagnostics
// lop-5, bnd-12: a guard whose left side does not count the rounds is no bound.
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c5 = arith.constant 5 : i32
    // expected-error@+1 {{loop has no bound}}
    %r = scf.while (%n = %c0) : (i32) -> i32 {
      %more = spin.hpu_id
      %yes = arith.cmpi ne, %more, %c0 : i32
      scf.condition(%yes) %n : i32
    } do {
    ^bb0(%n: i32):
      %few = arith.cmpi ult, %n, %c5 : i32
      spin.require %few else fail {spin.loop_guard}
      %next = spin.hpu_id
      scf.yield %next : i32
    }
    spin.return success
  }
}
