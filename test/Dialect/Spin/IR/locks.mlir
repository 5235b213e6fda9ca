// RUN: spinc-opt %s --split-input-file --verify-diagnostics | FileCheck %s
// lck-1: the operations on locks.

spin.context @Good link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @door : i32 count(2) kind(atomic) in(state_l1) where {}
  spin.state @queue : i32 count(1) kind(atomic) in(state_l2) where {}
  spin.state @queue.node : i32 count(2) kind(per_hpu) in(state_l1) where {}
  spin.state @head : i32 count(1) kind(guarded) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    // CHECK: spin.acquire @door kind(spin) contention(31)
    spin.acquire @door kind(spin) contention(31)
    %head = spin.state_load @head : i32
    spin.state_store %head, @head : i32
    // CHECK: spin.release @door kind(spin)
    spin.release @door kind(spin)
    // CHECK: spin.acquire @queue kind(mcs) contention(3) loop(7)
    spin.acquire @queue kind(mcs) contention(3) loop(7)
    spin.release @queue kind(mcs) loop(8)
    spin.return success
  }
}

// -----

spin.context @Bad link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @door : i32 count(2) kind(plain) in(state_l1) where {}
  spin.state @queue : i32 count(1) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error @below {{names @door, which is no atomic field of its context}}
    spin.acquire @door kind(spin) contention(31)
    spin.return success
  }
}

// -----

spin.context @Bad link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @door : i32 count(2) kind(plain) in(state_l1) where {}
  spin.state @queue : i32 count(1) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error @below {{shares a lock that is not rw}}
    spin.acquire @queue kind(spin) shared contention(31)
    spin.return success
  }
}

// -----

spin.context @Bad link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @door : i32 count(2) kind(plain) in(state_l1) where {}
  spin.state @queue : i32 count(1) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error @below {{needs @queue in state_l2 and its per_hpu field queue.node}}
    spin.release @queue kind(mcs)
    spin.return success
  }
}

// -----

spin.context @Cas link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @top : i32 count(1) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %top = spin.state_slice @top : !spin.slice<i32, state_l1>
    // expected-error @below {{compares with an expected value for cas only}}
    %a = spin.atomic_rmw add %top[%c0], %c0 if %c0 : !spin.slice<i32, state_l1>
    spin.return success
  }
}

// -----

spin.context @Cas link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @top : i32 count(1) kind(atomic) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %top = spin.state_slice @top : !spin.slice<i32, state_l1>
    // expected-error @below {{compares and swaps in state_l2 only}}
    %b = spin.atomic_rmw cas %top[%c0], %c0 if %c0 : !spin.slice<i32, state_l1>
    spin.return success
  }
}
