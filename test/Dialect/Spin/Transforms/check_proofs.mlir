// RUN: spinc-opt %s --spin-check-proofs --split-input-file --verify-diagnostics

// A guard is cited by the number of its condition.
spin.context @Good link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %n = arith.constant 100 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %length = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %ok = arith.cmpi ult, %n, %length : i32
    scf.if %ok {
      %x = spin.load %all[%n] le {spin.certificate = "+ 1 k0 1 t4.1 ; "} : !spin.slice<i8, packet_l1> -> i8
    }
    spin.return success
  }
}

// -----

// The same certificate outside of the guard.
spin.context @Moved link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %n = arith.constant 100 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %length = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %ok = arith.cmpi ult, %n, %length : i32
    // expected-error @+1 {{'spin.load' op has no valid certificate for its obligation 0}}
    %x = spin.load %all[%n] le {spin.certificate = "+ 1 k0 1 t4.1 ; "} : !spin.slice<i8, packet_l1> -> i8
    spin.return success
  }
}

// -----

// A weaker guard.
spin.context @Weaker link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %n = arith.constant 100 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %length = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %ok = arith.cmpi ule, %n, %length : i32
    scf.if %ok {
      // expected-error @+1 {{'spin.load' op has no valid certificate for its obligation 0}}
      %x = spin.load %all[%n] le {spin.certificate = "+ 1 k0 1 t4.1 ; "} : !spin.slice<i8, packet_l1> -> i8
    }
    spin.return success
  }
}

// -----

// A multiplier that is negative, a fact that is missing.
spin.context @Negative link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %n = arith.constant 100 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    // expected-error @+1 {{'spin.load' op has no valid certificate for its obligation 0}}
    %x = spin.load %all[%n] le {spin.certificate = "+ 1 k0 -1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i8
    // expected-error @+1 {{'spin.load' op has no valid certificate for its obligation 0}}
    %y = spin.load %all[%n] le : !spin.slice<i8, packet_l1> -> i8
    spin.return success
  }
}
