// RUN: spinc-opt %s --spin-check-commands --split-input-file --verify-diagnostics
// act-6, act-7, act-8: what is in flight, along all paths.

spin.context @Good link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @own : i32 count(4) kind(per_hpu) in(state_l1) where {}
  spin.host @out
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c20 = arith.constant 20 : i32
    %b = arith.constant 3 : i8
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %head = spin.subslice %all[%c0, %c8] : !spin.slice<i8, packet_l1>
    %out = spin.host_slice @out : !spin.slice<i8, host>
    %own = spin.state_slice @own : !spin.slice<i32, state_l1>
    // Apart by constants.
    %a = spin.send %head : !spin.slice<i8, packet_l1>
    spin.wire_store %b, %all[%c20] le : i8, !spin.slice<i8, packet_l1>
    %twelve = arith.subi %c20, %c8 : i32
    %middle = spin.subslice %all[%c8, %twelve] : !spin.slice<i8, packet_l1>
    %m = spin.send %middle : !spin.slice<i8, packet_l1>
    spin.wire_store %b, %all[%c20] le : i8, !spin.slice<i8, packet_l1>
    // Waited for.
    %s = spin.send %all : !spin.slice<i8, packet_l1>
    spin.wait %s
    spin.wire_store %b, %all[%c20] le : i8, !spin.slice<i8, packet_l1>
    %h = spin.dma_to_host %out, %own : !spin.slice<i8, host>, !spin.slice<i32, state_l1>
    spin.wait %h
    // Two members of a record.
    %records = spin.local count(2) zero : !spin.slice<i128, local>
    %left = spin.member %records[%c1] offset(0) count(8) : !spin.slice<i128, local> -> !spin.slice<i8, local>
    %right = spin.member %records[%c1] offset(8) count(8) : !spin.slice<i128, local> -> !spin.slice<i8, local>
    %r = spin.dma_to_host %out, %left : !spin.slice<i8, host>, !spin.slice<i8, local>
    spin.store %b, %right[%c0] le : i8, !spin.slice<i8, local>
    spin.wait %r
    // A handle in a loop, waited for in each round.
    scf.for unsigned %i = %c0 to %c20 step %c1 : i32 {
      %n = spin.dma_to_host %out, %all : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
      spin.wait %n
    }
    spin.return success
  }
}

// -----

spin.context @Source link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c4 = arith.constant 4 : i32
    %b = arith.constant 3 : i8
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    // expected-note @below {{the command is issued here}}
    %s = spin.send %all : !spin.slice<i8, packet_l1>
    // expected-error @below {{E0415: this writes memory that a command still reads}}
    // expected-note @below {{reason: }}
    // expected-note @below {{fix: }}
    spin.wire_store %b, %all[%c4] le : i8, !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

// A member of any record, and one that it may be.
spin.context @Members link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @out
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c1 = arith.constant 1 : i32
    %b = arith.constant 3 : i8
    %hpu = spin.hpu_id
    %any = arith.andi %hpu, %c1 : i32
    %out = spin.host_slice @out : !spin.slice<i8, host>
    %records = spin.local count(2) zero : !spin.slice<i128, local>
    %left = spin.member %records[%any] offset(0) count(8) : !spin.slice<i128, local> -> !spin.slice<i8, local>
    %right = spin.member %records[%c1] offset(8) count(8) : !spin.slice<i128, local> -> !spin.slice<i8, local>
    // expected-note @below {{the command is issued here}}
    %r = spin.dma_to_host %out, %left : !spin.slice<i8, host>, !spin.slice<i8, local>
    // expected-error @below {{E0415: this writes memory that a command still reads}}
    // expected-note @below {{reason: }}
    // expected-note @below {{fix: }}
    spin.store %b, %right[%c1] le : i8, !spin.slice<i8, local>
    spin.wait %r
    spin.return success
  }
}

// -----

// The wait on one path only, and the next round of a loop.
spin.context @Paths link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %b = arith.constant 3 : i8
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    scf.for unsigned %i = %c0 to %c4 step %c1 : i32 {
      // expected-error @below {{E0415: this writes memory that a command still reads}}
      // expected-note @below {{reason: }}
      // expected-note @below {{fix: }}
      spin.wire_store %b, %all[%i] le : i8, !spin.slice<i8, packet_l1>
      // expected-note @below {{the command is issued here}}
      // expected-error @below {{E0416: the command cannot be waited for}}
      // expected-note @below {{this may be in flight}}
      // expected-note @below {{reason: }}
      // expected-note @below {{fix: }}
      %s = spin.send %all : !spin.slice<i8, packet_l1>
      %odd = arith.cmpi eq, %i, %c1 : i32
      scf.if %odd {
        spin.wait %s
      }
    }
    spin.return success
  }
}

// -----

spin.context @Dest link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @out
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c4 = arith.constant 4 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %out = spin.host_slice @out : !spin.slice<i8, host>
    // expected-note @below {{the command is issued here}}
    %s = spin.dma_from_host %all, %out : !spin.slice<i8, packet_l1>, !spin.slice<i8, host>
    // expected-error @below {{E0415: this reads memory that a command still fills}}
    // expected-note @below {{reason: }}
    // expected-note @below {{fix: }}
    %v = spin.wire_load %all[%c4] le : !spin.slice<i8, packet_l1> -> i32
    spin.return success
  }
}

// -----

spin.context @Own link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @own : i32 count(4) kind(per_hpu) in(state_l1) where {}
  spin.host @out
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %own = spin.state_slice @own : !spin.slice<i32, state_l1>
    %out = spin.host_slice @out : !spin.slice<i8, host>
    // expected-error @below {{E0417: the command works on memory of the HPU}}
    // expected-note @below {{reason: }}
    // expected-note @below {{fix: }}
    %h = spin.dma_to_host %out, %own : !spin.slice<i8, host>, !spin.slice<i32, state_l1>
    // expected-note @below {{the handler ends here}}
    spin.return success
  }
}

// -----

spin.context @Many link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    scf.for unsigned %i = %c0 to %c4 step %c1 : i32 {
      // expected-note @below {{this may be in flight}}
      %s = spin.send %all : !spin.slice<i8, packet_l1>
    }
    // expected-error @below {{E0416: the command cannot be waited for: 4 others may be in flight}}
    // expected-note @below {{reason: }}
    // expected-note @below {{fix: }}
    %l = spin.send %all : !spin.slice<i8, packet_l1>
    spin.wait %l
    spin.return success
  }
}
