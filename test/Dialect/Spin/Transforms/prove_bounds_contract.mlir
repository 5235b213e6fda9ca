// The product in a contract is the product in the obligation of a strided view.
// RUN: spinc-opt %s --spin-prove-bounds | FileCheck %s
// RUN: sed -e 's/arith.addi %m, %b/arith.addi %m, %1/' %s | not spinc-opt --spin-prove-bounds 2>&1 | FileCheck %s --check-prefix=EXTENT
// RUN: sed -e 's/cmpi sle, %be, %e/cmpi sle, %e, %be/' %s | not spinc-opt --spin-prove-bounds 2>&1 | FileCheck %s --check-prefix=STRIDE
// RUN: sed -e 's/cmpi uge, %v, %c1/cmpi ule, %v, %c1/' %s | not spinc-opt --spin-prove-bounds 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: sed -e 's/addi %o64, %l64/addi %l64, %l64/' %s | not spinc-opt --spin-prove-bounds 2>&1 | FileCheck %s --check-prefix=PIECES
// CHECK: spin.strided_view {{.*}} proof <{{.*}}"block + stride * count <= stride + dst.size">
// CHECK: spin.for_pieces {{.*}} proof <"p.length + loaded value <= block * count">
// EXTENT: error: E0405: strided view may be out of bounds: '(count - 1) * stride + block <= dst.size' is not known
// STRIDE: error: E0405: strided view may be out of bounds: 'block <= stride' is not known
// COUNT: error: E0405: strided view may be out of bounds: '1 <= count' is not known
// COUNT: note: witness: count = 0
// PIECES: error: E0406: pieces may be out of bounds

spin.context @Strided link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500)
    match [] {
  spin.state @block : i32 count(1) kind(param) in(state_l1) where {
  ^bb0(%v: i32):
    %e = arith.extui %v : i32 to i64
    %c4 = arith.constant 4 : i64
    %c64 = arith.constant 65536 : i64
    %a = arith.cmpi sle, %c4, %e : i64
    %b = arith.cmpi sle, %e, %c64 : i64
    %ok = arith.andi %a, %b : i1
    spin.yield_condition %ok
  }
  spin.state @stride : i32 count(1) kind(param) in(state_l1) where {
  ^bb0(%v: i32):
    %e = arith.extui %v : i32 to i64
    %block = spin.param @block : i32
    %be = arith.extui %block : i32 to i64
    %c64 = arith.constant 1048576 : i64
    %a = arith.cmpi sle, %be, %e : i64
    %b = arith.cmpi sle, %e, %c64 : i64
    %ok = arith.andi %a, %b : i1
    spin.yield_condition %ok
  }
  spin.state @count : i32 count(1) kind(param) in(state_l1) where {
  ^bb0(%v: i32):
    %c1 = arith.constant 1 : i32
    %ok = arith.cmpi uge, %v, %c1 : i32
    spin.yield_condition %ok
  }
  spin.host @dst
  spin.contract "dst.size >= (count - 1) * stride + block" {
    %size = spin.host_size @dst
    %count = spin.param @count : i32
    %stride = spin.param @stride : i32
    %block = spin.param @block : i32
    %1 = arith.constant 1 : i128
    %s = arith.extui %size : i32 to i128
    %c = arith.extui %count : i32 to i128
    %st = arith.extui %stride : i32 to i128
    %b = arith.extui %block : i32 to i128
    %c1 = arith.subi %c, %1 : i128
    %m = arith.muli %c1, %st : i128
    %e = arith.addi %m, %b : i128
    %ok = arith.cmpi sge, %s, %e : i128
    spin.yield_condition %ok
  }
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %c32 = arith.constant 32 : i32
    %c20 = arith.constant 20 : i32
    %off = spin.wire_load %all[%c20] le : !spin.slice<i8, packet_l1> -> i32
    %len = arith.subi %n, %c32 overflow<nuw> : i32
    %pl = spin.subslice %all[%c32, %len] : !spin.slice<i8, packet_l1>
    %dst = spin.host_slice @dst : !spin.slice<i8, host>
    %count = spin.param @count : i32
    %stride = spin.param @stride : i32
    %block = spin.param @block : i32
    %v = spin.strided_view %dst, %count, %block, %stride : !spin.slice<i8, host>
    %vl = spin.strided_length %v
    %o64 = arith.extui %off : i32 to i64
    %l64 = arith.extui %len : i32 to i64
    %vl64 = arith.extui %vl : i32 to i64
    %sum = arith.addi %o64, %l64 : i64
    %ok = arith.cmpi ule, %sum, %vl64 : i64
    spin.require %ok else drop
    spin.for_pieces %v at %off data %pl : !spin.slice<i8, packet_l1> {
    ^bb1(%host: !spin.slice<i8, host>, %piece: !spin.slice<i8, packet_l1>):
      %cmd = spin.dma_to_host %host, %piece : !spin.slice<i8, host>, !spin.slice<i8, packet_l1>
      spin.yield
    }
    spin.return success
  }
}
