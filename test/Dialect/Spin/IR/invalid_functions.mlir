// RUN: spinc-opt %s --split-input-file --verify-diagnostics
// What a function does besides giving numbers, it and its calls say.

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // expected-error@+1 {{may fail and does not say at last whether it has}}
  spin.handler @f kind(function) {
    %ok = arith.constant true
    %n = arith.constant 1 : i8
    spin.require %ok else fail
    spin.give %ok, %n : i1, i8
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @f kind(function) {
  ^bb0(%s: !spin.slice<i8, packet_l1>):
    %c = spin.send %s : !spin.slice<i8, packet_l1>
    spin.give
  }
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    // expected-error@+1 {{does not say that @f issues commands}}
    spin.call @f(%all) : (!spin.slice<i8, packet_l1>) -> ()
    spin.return success
  }
}
