// RUN: spinc-opt %s -o /dev/null --spin-check-proofs --split-input-file --verify-diagnostics
// Each rule with a certificate that rests on it, and with a program for which the
// same certificate is forged.

// A shift of a constant loses no bit.
spin.context @Shift link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %mask = arith.constant 5 : i32
    %left = arith.constant 67108864 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %length = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %amount = arith.andi %length, %mask : i32
    %shifted = arith.shli %left, %amount {spin.certificate = "+ 1 k0 1 a0.3 ; "} : i32
    %more = arith.subi %shifted, %left overflow<nuw> {spin.certificate = "+ 1 k0 1 a0.2 ; + 1 k0 1 a0.1 ; "} : i32
    spin.return success
  }
}

// -----

// Twice the constant may lose one.
spin.context @ShiftForged link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %mask = arith.constant 5 : i32
    %left = arith.constant 134217728 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %length = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %amount = arith.andi %length, %mask : i32
    %shifted = arith.shli %left, %amount {spin.certificate = "+ 1 k0 1 a0.3 ; "} : i32
    // expected-error @+1 {{'arith.subi' op has no valid certificate for its obligation 0}}
    %more = arith.subi %shifted, %left overflow<nuw> {spin.certificate = "+ 1 k0 1 a0.2 ; + 1 k0 1 a0.1 ; "} : i32
    spin.return success
  }
}

// -----

// Exclusive or turns the bits of a field around.
spin.context @Xor link(portals) header_bytes(32) guaranteed_bytes(40) mtu(1500) match [] {
  spin.state @bits : i8 count(7) kind(atomic) in(state_l1) where {
  }
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %zero = arith.constant 0 : i32
    %six = arith.constant 6 : i8
    %mask = arith.constant 6 : i8
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %slots = spin.state_slice @bits : !spin.slice<i8, state_l1>
    %x = spin.load %all[%zero] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i8
    %field = arith.andi %x, %six : i8
    %turned = arith.xori %field, %mask : i8
    %index = arith.extui %turned : i8 to i32
    %y = spin.load %slots[%index] le {spin.certificate = "+ 1 k0 ; + 2 k1 1 a0.1 1 a2.0 ; "} : !spin.slice<i8, state_l1> -> i8
    spin.return success
  }
}

// -----

// Bits that are no field.
spin.context @XorForged link(portals) header_bytes(32) guaranteed_bytes(40) mtu(1500) match [] {
  spin.state @bits : i8 count(7) kind(atomic) in(state_l1) where {
  }
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %zero = arith.constant 0 : i32
    %six = arith.constant 6 : i8
    %mask = arith.constant 5 : i8
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %slots = spin.state_slice @bits : !spin.slice<i8, state_l1>
    %x = spin.load %all[%zero] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i8
    %field = arith.andi %x, %six : i8
    %turned = arith.xori %field, %mask : i8
    %index = arith.extui %turned : i8 to i32
    // expected-error @+1 {{'spin.load' op has no valid certificate for its obligation 0}}
    %y = spin.load %slots[%index] le {spin.certificate = "+ 1 k0 ; + 2 k1 1 a0.1 1 a2.0 ; "} : !spin.slice<i8, state_l1> -> i8
    spin.return success
  }
}

// -----

// What is not the least number lies above it.
spin.context @Least link(portals) header_bytes(32) guaranteed_bytes(40) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i8
    %least = arith.constant 0 : i8
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %x = spin.load %all[%zero] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i8
    %some = arith.cmpi ne, %x, %least : i8
    scf.if %some {
      %y = arith.subi %x, %one overflow<nuw> {spin.certificate = "+ 1 k0 1 t6.1 ; + 1 k0 1 a0.1 ; "} : i8
    }
    spin.return success
  }
}

// -----

// Another number.
spin.context @LeastForged link(portals) header_bytes(32) guaranteed_bytes(40) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i8
    %least = arith.constant 1 : i8
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %x = spin.load %all[%zero] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i8
    %some = arith.cmpi ne, %x, %least : i8
    scf.if %some {
      // expected-error @+1 {{'arith.subi' op has no valid certificate for its obligation 0}}
      %y = arith.subi %x, %one overflow<nuw> {spin.certificate = "+ 1 k0 1 t6.1 ; + 1 k0 1 a0.1 ; "} : i8
    }
    spin.return success
  }
}

// -----

// What is not the largest number lies below it.
spin.context @Largest link(portals) header_bytes(32) guaranteed_bytes(40) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i8
    %largest = arith.constant 127 : i8
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %x = spin.load %all[%zero] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i8
    %less = arith.cmpi ne, %x, %largest : i8
    scf.if %less {
      %y = arith.addi %x, %one overflow<nsw> {spin.certificate = "+ 1 k0 1 a1.0 ; + 1 k0 1 t6.1 ; "} : i8
    }
    spin.return success
  }
}

// -----

// Another number.
spin.context @LargestForged link(portals) header_bytes(32) guaranteed_bytes(40) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i8
    %largest = arith.constant 126 : i8
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %x = spin.load %all[%zero] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i8
    %less = arith.cmpi ne, %x, %largest : i8
    scf.if %less {
      // expected-error @+1 {{'arith.addi' op has no valid certificate for its obligation 1}}
      %y = arith.addi %x, %one overflow<nsw> {spin.certificate = "+ 1 k0 1 a1.0 ; + 1 k0 1 t6.1 ; "} : i8
    }
    spin.return success
  }
}

// -----

// A condition that is a constant is known.
spin.context @Never link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %length = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %never = arith.constant false
    scf.if %never {
      %x = spin.load %all[%length] le : !spin.slice<i8, packet_l1> -> i8
    }
    spin.return success
  }
}

// -----

// The other constant.
spin.context @NeverForged link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %length = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %never = arith.constant true
    scf.if %never {
      // expected-error @+1 {{'spin.load' op has no valid certificate for its obligation 0}}
      %x = spin.load %all[%length] le : !spin.slice<i8, packet_l1> -> i8
    }
    spin.return success
  }
}

// -----

// What makes a ratio meaningful is known in a rounded form.
spin.context @Ratio link(portals) header_bytes(32) guaranteed_bytes(40) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %length = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %x = spin.load %all[%zero] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i8
    %wide = arith.extui %x : i8 to i32
    %some = arith.cmpi uge, %wide, %one : i32
    %double = arith.shli %wide, %one overflow<nuw> {spin.certificate = "+ 1 k0 ; + 1 k1 1 a0.0 ; + 1 k0 2 a0.1 ; "} : i32
    %last = arith.subi %length, %one overflow<nuw> {spin.certificate = "+ 1 k0 1 a0.0 ; + 1 k0 1 a0.1 ; "} : i32
    scf.if %some {
      %part = arith.divui %last, %double {spin.certificate = "+ 1 k0 2 t7.1 ; "} : i32
      %y = spin.load %all[%part] le {spin.certificate = "+ 1 t7.1 ; + 1 a0.0 ; + 1 k0 1 a1.3 ; "} : !spin.slice<i8, packet_l1> -> i8
    }
    spin.return success
  }
}

// -----

// The divisor may be 0.
spin.context @RatioForged link(portals) header_bytes(32) guaranteed_bytes(40) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %length = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %x = spin.load %all[%zero] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i8
    %wide = arith.extui %x : i8 to i32
    %some = arith.cmpi uge, %wide, %zero : i32
    %double = arith.shli %wide, %one overflow<nuw> {spin.certificate = "+ 1 k0 ; + 1 k1 1 a0.0 ; + 1 k0 2 a0.1 ; "} : i32
    %last = arith.subi %length, %one overflow<nuw> {spin.certificate = "+ 1 k0 1 a0.0 ; + 1 k0 1 a0.1 ; "} : i32
    scf.if %some {
      // expected-error @+1 {{'arith.divui' op has no valid certificate for its obligation 0}}
      %part = arith.divui %last, %double {spin.certificate = "+ 1 k0 2 t7.1 ; "} : i32
      // expected-error @+1 {{'spin.load' op has no valid certificate for its obligation 0}}
      %y = spin.load %all[%part] le {spin.certificate = "+ 1 t7.1 ; + 1 a0.0 ; + 1 k0 1 a1.3 ; "} : !spin.slice<i8, packet_l1> -> i8
    }
    spin.return success
  }
}
