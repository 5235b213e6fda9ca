// Matching rules say nothing about other bytes, other byte orders, and a
// packet that may have been written.
// RUN: spinc-opt %s --split-input-file --spin-prove-bounds --verify-diagnostics=only-expected

// another byte order
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500)
    match [#spin.match_rule<offset = 0, width = 1, mask = 15, min = 5, max = 5>,
           #spin.match_rule<offset = 2, width = 2, mask = 65535, min = 20, max = 100>] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c15 = arith.constant 15 : i8
    %c100 = arith.constant 100 : i32
    %ok = arith.cmpi uge, %len, %c100 : i32
    spin.require %ok else drop
    %n16 = spin.wire_load %s[%c2] le : !spin.slice<i8, packet_l1> -> i16
    %n = arith.extui %n16 : i16 to i32
    // expected-error@+1 {{E0403}}
    %part = spin.subslice %s[%c0, %n] : !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

// another place
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500)
    match [#spin.match_rule<offset = 0, width = 1, mask = 15, min = 5, max = 5>,
           #spin.match_rule<offset = 2, width = 2, mask = 65535, min = 20, max = 100>] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c15 = arith.constant 15 : i8
    %c100 = arith.constant 100 : i32
    %ok = arith.cmpi uge, %len, %c100 : i32
    spin.require %ok else drop
    %n16 = spin.wire_load %s[%c4] be : !spin.slice<i8, packet_l1> -> i16
    %n = arith.extui %n16 : i16 to i32
    // expected-error@+1 {{E0403}}
    %part = spin.subslice %s[%c0, %n] : !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

// the packet has been written before
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500)
    match [#spin.match_rule<offset = 0, width = 1, mask = 15, min = 5, max = 5>,
           #spin.match_rule<offset = 2, width = 2, mask = 65535, min = 20, max = 100>] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c15 = arith.constant 15 : i8
    %c100 = arith.constant 100 : i32
    %ok = arith.cmpi uge, %len, %c100 : i32
    spin.require %ok else drop
    spin.store %c15, %s[%c0] le : i8, !spin.slice<i8, packet_l1>
    %n16 = spin.wire_load %s[%c2] be : !spin.slice<i8, packet_l1> -> i16
    %n = arith.extui %n16 : i16 to i32
    // expected-error@+1 {{E0403}}
    %part = spin.subslice %s[%c0, %n] : !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

// the packet is written later in the same loop
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500)
    match [#spin.match_rule<offset = 0, width = 1, mask = 15, min = 5, max = 5>,
           #spin.match_rule<offset = 2, width = 2, mask = 65535, min = 20, max = 100>] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c15 = arith.constant 15 : i8
    %c100 = arith.constant 100 : i32
    %ok = arith.cmpi uge, %len, %c100 : i32
    spin.require %ok else drop
    scf.for unsigned %i = %c0 to %c4 step %c2 : i32 {
      %n16 = spin.wire_load %s[%c2] be : !spin.slice<i8, packet_l1> -> i16
      %n = arith.extui %n16 : i16 to i32
      // expected-error@+1 {{E0403}}
      %part = spin.subslice %s[%c0, %n] : !spin.slice<i8, packet_l1>
      spin.store %c15, %s[%c0] le : i8, !spin.slice<i8, packet_l1>
    }
    spin.return success
  }
}

// -----

// the header handler may have written the packet
spin.context @C link(ip) header_bytes(0) guaranteed_bytes(0) mtu(1500)
    match [#spin.match_rule<offset = 0, width = 1, mask = 15, min = 5, max = 5>,
           #spin.match_rule<offset = 2, width = 2, mask = 65535, min = 20, max = 100>] {
  spin.handler @header kind(header) {
  ^bb0(%m: !spin.message):
    %s = spin.packet_bytes %m : !spin.message -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %ok = arith.cmpi ult, %c0, %len : i32
    spin.require %ok else drop
    %zero = arith.constant 0 : i8
    spin.store %zero, %s[%c0] le : i8, !spin.slice<i8, packet_l1>
    spin.return process_data
  }
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %c0 = arith.constant 0 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c15 = arith.constant 15 : i8
    %c100 = arith.constant 100 : i32
    %ok = arith.cmpi uge, %len, %c100 : i32
    spin.require %ok else drop
    %n16 = spin.wire_load %s[%c2] be : !spin.slice<i8, packet_l1> -> i16
    %n = arith.extui %n16 : i16 to i32
    // expected-error@+1 {{E0403}}
    %part = spin.subslice %s[%c0, %n] : !spin.slice<i8, packet_l1>
    spin.return success
  }
}
