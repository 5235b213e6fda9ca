// Copies, notifications, packets and copies of per-cluster state, all accepted.
// RUN: spinc-opt %s --split-input-file --spin-prove-bounds --verify-diagnostics

// accepted: within the contract
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
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %c56 = arith.constant 56 : i32
    %c64 = arith.constant 64 : i32
    %out = spin.host_slice @out : !spin.slice<i8, host>
    %n = arith.minui %len, %c64 : i32
    %src = spin.subslice %s[%c0, %n] : !spin.slice<i8, packet_l1>
    %cmd = spin.dma_to_host %out, %src : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    %slot = spin.subslice %out[%c56, %c8] : !spin.slice<i8, host>
    %one = arith.constant 1 : i64
    %cmd2 = spin.notify %slot, %one : !spin.slice<i8, host>
    %cmd3 = spin.send %s : !spin.slice<i8, packet_l1>
    %id = spin.cluster_id
    %copy = spin.state_copy @bin[%id] : !spin.slice<i32, state_l1>
    spin.return success
  }
}
