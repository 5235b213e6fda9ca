// Matching rules are facts about the packet as it arrived.
// RUN: spinc-opt %s --split-input-file --spin-prove-bounds --verify-diagnostics

// a field that the card has matched, and bits of one
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
    %n16 = spin.wire_load %s[%c2] be : !spin.slice<i8, packet_l1> -> i16
    %n = arith.extui %n16 : i16 to i32
    %rest = arith.subi %len, %n overflow<nuw> : i32
    %part = spin.subslice %s[%c0, %n] : !spin.slice<i8, packet_l1>
    %b = spin.wire_load %s[%c0] be : !spin.slice<i8, packet_l1> -> i8
    %low = arith.andi %b, %c15 : i8
    %five = arith.extui %low : i8 to i32
    %zero = arith.subi %five, %c4 overflow<nuw> : i32
    spin.return success
  }
}

// -----

// the field behind a part of the packet, at the same place
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
    %tail = spin.subslice %s[%c2, %c4] : !spin.slice<i8, packet_l1>
    %n16 = spin.wire_load %tail[%c0] be : !spin.slice<i8, packet_l1> -> i16
    %n = arith.extui %n16 : i16 to i32
    %part = spin.subslice %s[%c0, %n] : !spin.slice<i8, packet_l1>
    spin.return success
  }
}
