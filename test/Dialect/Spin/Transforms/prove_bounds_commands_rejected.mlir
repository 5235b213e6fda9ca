// Copies that do not fit, notifications off the grid, and slices, clusters and
// packets beyond their limits.
// RUN: spinc-opt %s --split-input-file --spin-prove-bounds --verify-diagnostics=only-expected

// a copy that is longer than its destination
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) per_cluster in(state_l1) where {}
  spin.host @out
  spin.contract "out.size >= 64" {
    %size = spin.host_size @out
    %k = arith.constant 64 : i32
    %ok = arith.cmpi uge, %size, %k : i32
    spin.yield_condition %ok
  }
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %out = spin.host_slice @out : !spin.slice<i8, host>
    // expected-error@+2 {{E0404: copy may be out of bounds: 'p.all' may be longer than 'out'}}
    // expected-note@+1 {{witness: p.all.length = 65, out.length = 64}}
    %cmd = spin.dma_to_host %out, %s : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    %bin = spin.state_slice @bin : !spin.slice<i32, state_l1>
    // expected-error@+1 {{E0404: copy may be out of bounds: 'bin' may be longer than 'out'}}
    %cmd2 = spin.dma_to_host %out, %bin : !spin.slice<i8, host>, !spin.slice<i32, state_l1>
    spin.return success
  }
}

// -----

// a notification of another length, and one off the grid
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) per_cluster in(state_l1) where {}
  spin.host @out
  spin.contract "out.size >= 64" {
    %size = spin.host_size @out
    %k = arith.constant 64 : i32
    %ok = arith.cmpi uge, %size, %k : i32
    spin.yield_condition %ok
  }
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c48 = arith.constant 48 : i32
    %out = spin.host_slice @out : !spin.slice<i8, host>
    %one = arith.constant 1 : i64
    %long = spin.subslice %out[%c48, %c16] : !spin.slice<i8, host>
    // expected-error@+1 {{E0407: notification needs a slice of 8 bytes}}
    %cmd = spin.notify %long, %one : !spin.slice<i8, host>
    %inner = spin.subslice %out[%c4, %c48] : !spin.slice<i8, host>
    %slot = spin.subslice %inner[%c8, %c8] : !spin.slice<i8, host>
    // expected-error@+1 {{E0407: notification needs an offset that is a multiple of 8}}
    %cmd2 = spin.notify %slot, %one : !spin.slice<i8, host>
    %good = spin.subslice %inner[%c4, %c8] : !spin.slice<i8, host>
    %cmd3 = spin.notify %good, %one : !spin.slice<i8, host>
    spin.return success
  }
}

// -----

// a slice beyond the contract, a cluster beyond the target, a packet beyond the MTU
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @bin : i32 count(1024) kind(atomic) per_cluster in(state_l1) where {}
  spin.host @out
  spin.contract "out.size >= 64" {
    %size = spin.host_size @out
    %k = arith.constant 64 : i32
    %ok = arith.cmpi uge, %size, %k : i32
    spin.yield_condition %ok
  }
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c57 = arith.constant 57 : i32
    %out = spin.host_slice @out : !spin.slice<i8, host>
    // expected-error@+2 {{E0403: slice may be out of bounds: 8 elements from 57 on are not within 'out.size'}}
    // expected-note@+1 {{witness: out.size = 64}}
    %slot = spin.subslice %out[%c57, %c8] : !spin.slice<i8, host>
    // expected-error@+1 {{E0409: no such cluster: 4 is not below 4}}
    %copy = spin.state_copy @bin[%c4] : !spin.slice<i32, state_l1>
    %bin = spin.state_slice @bin : !spin.slice<i32, state_l1>
    // expected-error@+1 {{E0408: packet may be too long: 'bin' may be longer than the MTU of 1500}}
    %cmd = spin.send %bin : !spin.slice<i32, state_l1>
    spin.return success
  }
}
