// RUN: spinc-opt %s | spinc-opt | FileCheck %s
// RUN: spinc-opt %s --mlir-print-op-generic | spinc-opt | FileCheck %s

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %n = arith.constant 4 : i32
    %b = arith.constant 1 : i8
    // CHECK: spin.call @fn.swap(%{{.*}}, %{{.*}}) : (i32, i8) -> (i8, i32)
    %r:2 = spin.call @fn.swap(%n, %b) : (i32, i8) -> (i8, i32)
    // CHECK: spin.call @fn.nothing() : () -> ()
    spin.call @fn.nothing() : () -> ()
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    // CHECK: spin.call @fn.clear(%{{.*}}, %{{.*}}) writes [1] : (i8, !spin.slice<i8, packet_l1>) -> ()
    spin.call @fn.clear(%b, %all) writes [1] : (i8, !spin.slice<i8, packet_l1>) -> ()
    // CHECK: spin.call @fn.reply(%{{.*}}) issues : (!spin.slice<i8, packet_l1>) -> ()
    spin.call @fn.reply(%all) issues : (!spin.slice<i8, packet_l1>) -> ()
    spin.return success
  }
  // CHECK: spin.handler @fn.swap kind(function) {
  spin.handler @fn.swap kind(function) {
  ^bb0(%n: i32, %b: i8):
    // CHECK: spin.give %{{.*}}, %{{.*}} : i8, i32
    spin.give %b, %n : i8, i32
  }
  spin.handler @fn.nothing kind(function) {
    // CHECK: spin.give{{$}}
    spin.give
  }
  // CHECK: spin.handler @fn.reply
  spin.handler @fn.reply kind(function) {
  ^bb0(%s: !spin.slice<i8, packet_l1>):
    %c = spin.send %s : !spin.slice<i8, packet_l1>
    spin.wait %c
    spin.give
  }
  // CHECK: spin.handler @fn.limited kind(function) {
  spin.handler @fn.limited kind(function) {
  ^bb0(%ok: i1, %n: i8):
    // CHECK: spin.require %{{.*}} else fail
    spin.require %ok else fail
    %true = arith.constant true
    spin.give %n, %true : i8, i1
  }
  spin.handler @fn.clear kind(function) {
  ^bb0(%b: i8, %s: !spin.slice<i8, packet_l1>):
    %i = arith.constant 0 : i32
    spin.store %b, %s[%i] le : i8, !spin.slice<i8, packet_l1>
    spin.give
  }
}
