// Shifts of lanes get certificates; other packed values need none.
// RUN: spinc-opt %s --spin-certify --spin-check-proofs | FileCheck %s

spin.context @C link(ip) header_bytes(28) guaranteed_bytes(4) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %c7 = arith.constant 7 : i32
    %low = arith.andi %n, %c7 : i32
    // CHECK: spin.lanes shl {{.*}} count(4) {spin.certificate
    %a = spin.lanes shl %n, %low count(4)
    // CHECK: spin.lanes add {{.*}} count(2){{$}}
    %b = spin.lanes add %a, %n count(2)
    %c = spin.splat %b count(2)
    %d = spin.insert_lane %n, %c lane(0) count(2)
    spin.return success
  }
}
