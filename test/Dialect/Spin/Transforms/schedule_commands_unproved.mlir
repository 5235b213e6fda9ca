// A command whose obligation does not follow from the facts in front of the
// loop stays behind it; so does the next one.
// RUN: spinc-opt --spin-schedule-commands %s | FileCheck %s

spin.context @Unproved link(ip) header_bytes(28) guaranteed_bytes(64) mtu(1500) match [] {
  spin.host @out
  // CHECK-LABEL: spin.handler @payload
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0 : i8
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %host = spin.host_slice @out : !spin.slice<i8, host>
    // CHECK: scf.for
    // CHECK: spin.dma_to_host
    // CHECK-NEXT: spin.send
    %sum = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i8) : i32 {
      %x = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      %t = arith.xori %s, %x : i8
      scf.yield %t : i8
    }
    // The region may be smaller than the packet.
    %d = spin.dma_to_host %host, %all : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
    %s0 = spin.send %all : !spin.slice<i8, packet_l1>
    spin.return success
  }
}
