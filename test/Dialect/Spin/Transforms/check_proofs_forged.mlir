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

// -----

// The payload of a packet lies within its message.
spin.context @Place link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %place = arith.constant 20 : i32
    %headers = arith.constant 32 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %length = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %payload = arith.subi %length, %headers overflow<nuw> {spin.certificate = "+ 1 k0 1 a0.0 ; + 1 k0 1 a0.1 ; "} : i32
    %at = spin.wire_load %all[%place] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i32
    %end = arith.addi %at, %payload overflow<nuw> {spin.certificate = "+ 1 k0 1 a0.0 1 a1.0 ; + 1 k0 1 v6.0 1 a2.1 ; "} : i32
    spin.return success
  }
}

// -----

// A number that is not its place.
spin.context @PlaceForged link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %place = arith.constant 24 : i32
    %headers = arith.constant 32 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %length = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %payload = arith.subi %length, %headers overflow<nuw> {spin.certificate = "+ 1 k0 1 a0.0 ; + 1 k0 1 a0.1 ; "} : i32
    %at = spin.wire_load %all[%place] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i32
    // expected-error @+1 {{'arith.addi' op has no valid certificate for its obligation 1}}
    %end = arith.addi %at, %payload overflow<nuw> {spin.certificate = "+ 1 k0 1 a0.0 1 a1.0 ; + 1 k0 1 v6.0 1 a2.1 ; "} : i32
    spin.return success
  }
}

// -----

// Two loads of a field with no store between them.
spin.context @Field link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.state @n : i32 count(1) kind(plain) in(state_l1) where {
  }
  spin.state @m : i32 count(1) kind(plain) in(state_l1) where {
  }
  spin.state @slots : i8 count(16) kind(atomic) in(state_l1) where {
  }
  spin.handler @completion kind(completion) {
  ^bb0(%m: !spin.message):
    %count = arith.constant 16 : i32
    %slots = spin.state_slice @slots : !spin.slice<i8, state_l1>
    %old = spin.state_load @m : i32
    %c = arith.cmpi ult, %old, %count : i32
    scf.if %c {
      spin.state_store %old, @n : i32
    }
    %first = spin.state_load @n : i32
    %fits = arith.cmpi ult, %first, %count : i32
    scf.if %fits {
      spin.state_store %count, @m : i32
      %again = spin.state_load @n : i32
      %x = spin.load %slots[%again] le {spin.certificate = "+ 1 k0 1 s5.7 1 t6.1 ; "} : !spin.slice<i8, state_l1> -> i8
    }
    spin.return success
  }
}

// -----

// With a store.
spin.context @FieldForged link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.state @n : i32 count(1) kind(plain) in(state_l1) where {
  }
  spin.state @m : i32 count(1) kind(plain) in(state_l1) where {
  }
  spin.state @slots : i8 count(16) kind(atomic) in(state_l1) where {
  }
  spin.handler @completion kind(completion) {
  ^bb0(%m: !spin.message):
    %count = arith.constant 16 : i32
    %slots = spin.state_slice @slots : !spin.slice<i8, state_l1>
    %old = spin.state_load @m : i32
    %c = arith.cmpi ult, %old, %count : i32
    scf.if %c {
      spin.state_store %old, @n : i32
    }
    %first = spin.state_load @n : i32
    %fits = arith.cmpi ult, %first, %count : i32
    scf.if %fits {
      spin.state_store %count, @n : i32
      %again = spin.state_load @n : i32
      // expected-error @+1 {{'spin.load' op has no valid certificate for its obligation 0}}
      %x = spin.load %slots[%again] le {spin.certificate = "+ 1 k0 1 s5.7 1 t6.1 ; "} : !spin.slice<i8, state_l1> -> i8
    }
    spin.return success
  }
}

// -----

// What a mask leaves is no larger than the mask.
spin.context @Mask link(portals) header_bytes(32) guaranteed_bytes(40) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %mask = arith.constant 65535 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %x = spin.wire_load %all[%zero] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i32
    %y = spin.wire_load %all[%one] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i16
    %part = arith.andi %x, %mask : i32
    %other = arith.extui %y : i16 to i32
    %product = arith.muli %part, %other overflow<nuw> {spin.certificate = "+ 1 a1.0 ; + 1 a2.0 ; * k1 k2 + 1 k0 1 k3 ; + 1 a1.0 ; + 1 a2.4 ; * k1 k2 + 1 k0 65535 a1.1 1 k3 ; "} : i32
    spin.return success
  }
}

// -----

// A larger mask.
spin.context @MaskForged link(portals) header_bytes(32) guaranteed_bytes(40) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %mask = arith.constant 131071 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %x = spin.wire_load %all[%zero] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i32
    %y = spin.wire_load %all[%one] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i16
    %part = arith.andi %x, %mask : i32
    %other = arith.extui %y : i16 to i32
    // expected-error @+1 {{'arith.muli' op has no valid certificate for its obligation 1}}
    %product = arith.muli %part, %other overflow<nuw> {spin.certificate = "+ 1 a1.0 ; + 1 a2.0 ; * k1 k2 + 1 k0 1 k3 ; + 1 a1.0 ; + 1 a2.4 ; * k1 k2 + 1 k0 65535 a1.1 1 k3 ; "} : i32
    spin.return success
  }
}

// -----

// A shift of a narrow number loses no bit.
spin.context @Narrow link(portals) header_bytes(32) guaranteed_bytes(40) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %zero = arith.constant 0 : i32
    %mask = arith.constant 16 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %x = spin.wire_load %all[%zero] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i16
    %left = arith.extui %x : i16 to i32
    %amount = arith.andi %left, %mask : i32
    %shifted = arith.shli %left, %amount {spin.certificate = "+ 1 k0 1 a0.1 1 a2.0 ; "} : i32
    %more = arith.subi %shifted, %left overflow<nuw> {spin.certificate = "+ 1 k0 1 a1.2 ; + 1 k0 1 a0.0 1 a1.1 ; "} : i32
    spin.return success
  }
}

// -----

// One more amount, and it may.
spin.context @NarrowForged link(portals) header_bytes(32) guaranteed_bytes(40) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %zero = arith.constant 0 : i32
    %mask = arith.constant 17 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %x = spin.wire_load %all[%zero] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i16
    %left = arith.extui %x : i16 to i32
    %amount = arith.andi %left, %mask : i32
    // expected-error @+1 {{'arith.shli' op has no valid certificate for its obligation 0}}
    %shifted = arith.shli %left, %amount {spin.certificate = "+ 1 k0 1 a0.1 1 a2.0 ; "} : i32
    // expected-error @+1 {{'arith.subi' op has no valid certificate for its obligation 0}}
    %more = arith.subi %shifted, %left overflow<nuw> {spin.certificate = "+ 1 k0 1 a1.2 ; + 1 k0 1 a0.0 1 a1.1 ; "} : i32
    spin.return success
  }
}

// -----

// A quotient of a quotient and an integer is one quotient.
spin.context @Quotients link(portals) header_bytes(32) guaranteed_bytes(40) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %zero = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    %by = arith.constant 2 : i32
    %four = arith.constant 4 : i32
    %eight = arith.constant 8 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %length = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %x = spin.wire_load %all[%zero] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i16
    %m = arith.extui %x : i16 to i32
    %half = arith.divui %length, %two : i32
    %more = arith.addi %half, %m : i32
    %nested = arith.divui %more, %four : i32
    %scaled = arith.muli %m, %by : i32
    %sum = arith.addi %length, %scaled : i32
    %once = arith.divui %sum, %eight : i32
    %apart = arith.subi %once, %nested overflow<nuw> {spin.certificate = "+ 1 k0 ; + 1 a0.0 2 a1.1 1 a2.1 ; + 1 k1 1 k2 ; + 1 a3.1 2 a1.0 1 a2.0 8589934592 k3 ; + 8 k0 1 a0.1 1 a3.0 ; "} : i32
    spin.return success
  }
}

// -----

// The integer counts twice in the one quotient.
spin.context @QuotientsForged link(portals) header_bytes(32) guaranteed_bytes(40) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %zero = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    %by = arith.constant 1 : i32
    %four = arith.constant 4 : i32
    %eight = arith.constant 8 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %length = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %x = spin.wire_load %all[%zero] le {spin.certificate = "+ 1 k0 1 a0.0 ; "} : !spin.slice<i8, packet_l1> -> i16
    %m = arith.extui %x : i16 to i32
    %half = arith.divui %length, %two : i32
    %more = arith.addi %half, %m : i32
    %nested = arith.divui %more, %four : i32
    %scaled = arith.muli %m, %by : i32
    %sum = arith.addi %length, %scaled : i32
    %once = arith.divui %sum, %eight : i32
    // expected-error @+1 {{'arith.subi' op has no valid certificate for its obligation 0}}
    %apart = arith.subi %once, %nested overflow<nuw> {spin.certificate = "+ 1 k0 ; + 1 a0.0 2 a1.1 1 a2.1 ; + 1 k1 1 k2 ; + 1 a3.1 2 a1.0 1 a2.0 8589934592 k3 ; + 8 k0 1 a0.1 1 a3.0 ; "} : i32
    spin.return success
  }
}

// -----

// The first result of a loop stands for its rounds, but has a type of its own.
spin.context @RoundsForged link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %end = arith.constant 8000 : i32
    %seed = arith.constant 1 : i8
    %factor = arith.constant 3 : i8
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %last = scf.for unsigned %i = %zero to %end step %one iter_args(%x = %seed) -> (i8) : i32 {
      %next = arith.muli %x, %factor : i8
      scf.yield %next : i8
    }
    %at = arith.extui %last : i8 to i32
    // expected-error @+1 {{'spin.load' op has no valid certificate for its obligation 0}}
    %beyond = spin.load %all[%at] le {spin.certificate = "+ 1 a0.2 1 a2.1 ; "} : !spin.slice<i8, packet_l1> -> i8
    spin.return success
  }
}

// -----

// What `exact` promises would have to be proved.
spin.context @ExactForged link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %two = arith.constant 2 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %length = spin.slice_length %all : !spin.slice<i8, packet_l1>
    // expected-error @+1 {{'arith.shrui' op has no valid certificate for its obligation 0}}
    %some = arith.shrui %length, %two exact : i32
    spin.return success
  }
}
