// Only what every code for a handler takes counts: the cheapest way, at the
// longest or the shortest payload.
// RUN: spinc-opt %s --split-input-file --spin-check-budgets --verify-diagnostics

// A notification is at least the read that issues it, and the return takes 2.
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @out
  // expected-error@+1 {{E0517: whatever its code, the handler takes at least 3 cycles, the budget allows 2}}
  spin.handler @completion kind(completion) budget <"cycles <= 2", lineRate = false, cycles = <affine_map<() -> (2)>>> {
  ^bb0(%m: !spin.message):
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %one = arith.constant 1 : i64
    %all = spin.host_slice @out : !spin.slice<i8, host>
    %place = spin.subslice %all[%c0, %c8] : !spin.slice<i8, host>
    %c = spin.notify %place, %one : !spin.slice<i8, host>
    spin.return success
  }
}

// -----

// The same limit holds for 3, and where the command is only one of two ways.
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @out
  spin.state @go : i32 count(1) kind(param) in(state_l1) where {}
  spin.handler @completion kind(completion) budget <"cycles <= 3", lineRate = false, cycles = <affine_map<() -> (3)>>> {
  ^bb0(%m: !spin.message):
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %one = arith.constant 1 : i64
    %all = spin.host_slice @out : !spin.slice<i8, host>
    %place = spin.subslice %all[%c0, %c8] : !spin.slice<i8, host>
    %c = spin.notify %place, %one : !spin.slice<i8, host>
    %v = spin.param @go : i32
    %cond = arith.cmpi eq, %v, %c0 : i32
    scf.if %cond {
      %d = spin.notify %place, %one : !spin.slice<i8, host>
    }
    spin.require %cond else fail
    %e = spin.notify %place, %one : !spin.slice<i8, host>
    spin.return success
  }
}

// -----

// 1472 bytes are 368 words: 368 additions and the return.
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @n : i32 count(1) kind(atomic) in(state_l1) where {}
  // expected-error@+1 {{E0517: whatever its code, the handler takes at least 370 cycles where p.length is 1472, the budget allows 369}}
  spin.handler @payload kind(payload) budget <"cycles <= 1 + p.length / 4", lineRate = false, cycles = <affine_map<()[s0] -> (s0 floordiv 4 + 1)>, "p.length">> {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c28 = arith.constant 28 : i32
    %payload = arith.subi %n, %c28 overflow<nuw> : i32
    %s = spin.state_slice @n : !spin.slice<i32, state_l1>
    scf.for unsigned %i = %c0 to %payload step %c4 : i32 {
      %old = spin.atomic_rmw add %s[%c0], %c1 : !spin.slice<i32, state_l1>
    }
    spin.return success
  }
}

// -----

// The additions may all be of 0, and of a loop that may leave the handler in
// its first round only that is sure.
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @n : i32 count(1) kind(atomic) in(state_l1) where {}
  spin.state @by : i32 count(1) kind(param) in(state_l1) where {}
  spin.handler @payload kind(payload) budget <"cycles <= 3", lineRate = false, cycles = <affine_map<() -> (3)>>> {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %by = spin.param @by : i32
    %s = spin.state_slice @n : !spin.slice<i32, state_l1>
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %old = spin.atomic_rmw add %s[%c0], %by : !spin.slice<i32, state_l1>
    }
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %old = spin.atomic_rmw add %s[%c0], %c1 : !spin.slice<i32, state_l1>
      %go = arith.cmpi ult, %i, %by : i32
      spin.require %go else drop
    }
    spin.return success
  }
}

// -----

// Occupancy: a quarter of the latency for each of two commands and a read each,
// a latency for the wait and one at the end, and the return.
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @out
  // expected-error@+1 {{E0517: whatever its code, the handler takes at least 2004 cycles with its waits for commands, the budget allows 2003}}
  spin.handler @completion kind(completion) budget <"occupancy <= 2003", lineRate = false, occupancy = <affine_map<() -> (2003)>>> {
  ^bb0(%m: !spin.message):
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %one = arith.constant 1 : i64
    %all = spin.host_slice @out : !spin.slice<i8, host>
    %place = spin.subslice %all[%c0, %c8] : !spin.slice<i8, host>
    %c = spin.notify %place, %one : !spin.slice<i8, host>
    spin.wait %c
    %d = spin.notify %place, %one : !spin.slice<i8, host>
    spin.return success
  }
}

// -----

// The command moves nothing where the payload is empty, and 1,003 cycles are
// allowed where it is not.
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @out
  spin.handler @payload kind(payload) budget <"occupancy <= 2 + p.length", lineRate = false, occupancy = <affine_map<()[s0] -> (s0 + 2)>, "p.length">> {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %c28 = arith.constant 28 : i32
    %count = arith.subi %n, %c28 overflow<nuw> : i32
    %part = spin.subslice %all[%c28, %count] : !spin.slice<i8, packet_l1>
    %host = spin.host_slice @out : !spin.slice<i8, host>
    %c = spin.dma_to_host %host, %part : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

// Of the stack, the largest array that a command works on is sure: its address
// is written to the card. The others LLVM may keep in registers or remove.
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @out
  // expected-error@+1 {{E0517: whatever its code, the handler needs at least 96 bytes of stack, the budget allows 95}}
  spin.handler @completion kind(completion) budget <"stack <= 95", lineRate = false, stack = <affine_map<() -> (95)>>> {
  ^bb0(%m: !spin.message):
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %none = spin.local count(200) zero : !spin.slice<i8, local>
    %little = spin.local count(8) zero : !spin.slice<i8, local>
    %data = spin.local count(24) zero : !spin.slice<i32, local>
    %part = spin.subslice %data[%c8, %c8] : !spin.slice<i32, local>
    %all = spin.host_slice @out : !spin.slice<i8, host>
    %c = spin.dma_to_host %all, %part : !spin.slice<i8, host>, !spin.slice<i32, local>
    %d = spin.dma_to_host %all, %little : !spin.slice<i8, host>, !spin.slice<i8, local>
    spin.return success
  }
}

// -----

// Not sure: an array that is too large for the stack, and one that only one of
// two ways gives to a command.
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @out
  spin.state @go : i32 count(1) kind(param) in(state_l1) where {}
  spin.handler @completion kind(completion) budget <"stack <= 0", lineRate = false, stack = <affine_map<() -> (0)>>> {
  ^bb0(%m: !spin.message):
    %c0 = arith.constant 0 : i32
    %large = spin.local count(600) zero : !spin.slice<i8, local>
    %data = spin.local count(24) zero : !spin.slice<i32, local>
    %all = spin.host_slice @out : !spin.slice<i8, host>
    %c = spin.dma_to_host %all, %large : !spin.slice<i8, host>, !spin.slice<i8, local>
    %v = spin.param @go : i32
    %cond = arith.cmpi eq, %v, %c0 : i32
    scf.if %cond {
      %d = spin.dma_to_host %all, %data : !spin.slice<i8, host>, !spin.slice<i32, local>
    }
    spin.return success
  }
}
