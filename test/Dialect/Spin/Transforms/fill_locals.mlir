// RUN: spinc-opt --spin-fill-locals --split-input-file %s | FileCheck %s

// Small arrays are filled in line: a word, a word, a byte.
spin.context @Small link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // CHECK-LABEL: spin.handler @payload
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    // CHECK: spin.local count(9) : !spin.slice<i8, local>
    // CHECK-COUNT-2: spin.wire_store %{{.*}} le : i32
    // CHECK: spin.wire_store %{{.*}} le : i8
    %a = spin.local count(9) zero : !spin.slice<i8, local>
    %c3 = arith.constant 3 : i32
    %x = spin.load %a[%c3] le : !spin.slice<i8, local> -> i8
    spin.store %x, %a[%c3] le : i8, !spin.slice<i8, local>
    spin.return success
  }
}

// -----

spin.context @Large link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @h
  // CHECK-LABEL: spin.handler @payload
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    // A copy that may be shorter than the part proves nothing.
    // CHECK: %[[A:.*]] = spin.local count(1000) :
    // CHECK: scf.for unsigned
    // CHECK-COUNT-4: spin.wire_store
    // CHECK: }
    // CHECK-COUNT-2: spin.wire_store
    %a = spin.local count(1000) zero : !spin.slice<i8, local>
    %c0 = arith.constant 0 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %host = spin.host_slice @h : !spin.slice<i8, host>
    %part = spin.subslice %a[%c0, %c5] : !spin.slice<i8, local>
    %from = spin.subslice %host[%c0, %c4] : !spin.slice<i8, host>
    %c = spin.dma_from_host %part, %from : !spin.slice<i8, local>, !spin.slice<i8, host>
    spin.wait %c
    %x = spin.load %part[%c4] le : !spin.slice<i8, local> -> i8
    spin.store %x, %a[%c4] le : i8, !spin.slice<i8, local>
    spin.return success
  }
}

// -----

// Wholly written before it is read: by a copy that was waited for, and by a
// loop over all elements.
spin.context @Written link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @h
  // CHECK-LABEL: spin.handler @payload
  // CHECK-NOT: spin.wire_store
  // CHECK-NOT: zero
  // CHECK: spin.return
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %a = spin.local count(1000) zero : !spin.slice<i8, local>
    %b = spin.local count(1000) zero : !spin.slice<i8, local>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %host = spin.host_slice @h : !spin.slice<i8, host>
    %part = spin.subslice %a[%c0, %c4] : !spin.slice<i8, local>
    %from = spin.subslice %host[%c1, %c4] : !spin.slice<i8, host>
    %c = spin.dma_from_host %part, %from : !spin.slice<i8, local>, !spin.slice<i8, host>
    spin.wait %c
    %bs = spin.subslice %b[%c1, %c4] : !spin.slice<i8, local>
    scf.for unsigned %i = %c0 to %c4 step %c1 : i32 {
      %x = spin.load %part[%i] le : !spin.slice<i8, local> -> i8
      spin.store %x, %bs[%i] le : i8, !spin.slice<i8, local>
    }
    %d = spin.dma_to_host %from, %bs : !spin.slice<i8, host>, !spin.slice<i8, local>
    spin.wait %d
    spin.return success
  }
}

// -----

// Read before the wait, in the loop that writes, or on a way around the write.
spin.context @TooEarly link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @h
  // CHECK-LABEL: spin.handler @payload
  // CHECK: spin.local count(4)
  // CHECK: spin.wire_store
  // CHECK: spin.local count(4)
  // CHECK: spin.wire_store
  // CHECK: spin.local count(4)
  // CHECK: spin.wire_store
  // CHECK: spin.dma_from_host
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %a = spin.local count(4) zero : !spin.slice<i8, local>
    %b = spin.local count(4) zero : !spin.slice<i8, local>
    %e = spin.local count(4) zero : !spin.slice<i8, local>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %host = spin.host_slice @h : !spin.slice<i8, host>
    %from = spin.subslice %host[%c1, %c4] : !spin.slice<i8, host>
    %c = spin.dma_from_host %a, %from : !spin.slice<i8, local>, !spin.slice<i8, host>
    %x = spin.load %a[%c0] le : !spin.slice<i8, local> -> i8
    spin.wait %c
    scf.for unsigned %i = %c0 to %c4 step %c1 : i32 {
      %y = spin.load %b[%c1] le : !spin.slice<i8, local> -> i8
      spin.store %y, %b[%i] le : i8, !spin.slice<i8, local>
    }
    %packet = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %packet : !spin.slice<i8, packet_l1>
    %some = arith.cmpi ugt, %n, %c4 : i32
    scf.if %some {
      scf.for unsigned %i = %c0 to %c4 step %c1 : i32 {
        spin.store %x, %e[%i] le : i8, !spin.slice<i8, local>
      }
    }
    %z = spin.load %e[%c0] le : !spin.slice<i8, local> -> i8
    spin.store %z, %a[%c0] le : i8, !spin.slice<i8, local>
    spin.return success
  }
}

// -----

// Read at the index of a loop over what was written through a part.
spin.context @Prefix link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @h
  // CHECK-LABEL: spin.handler @payload
  // CHECK: spin.local count(1000)
  // CHECK-NOT: spin.wire_store
  // CHECK: spin.return
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %a = spin.local count(1000) zero : !spin.slice<i8, local>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %host = spin.host_slice @h : !spin.slice<i8, host>
    %part = spin.subslice %a[%c0, %n] : !spin.slice<i8, local>
    %from = spin.subslice %host[%c1, %n] : !spin.slice<i8, host>
    %c = spin.dma_from_host %part, %from : !spin.slice<i8, local>, !spin.slice<i8, host>
    spin.wait %c
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %x = spin.load %a[%i] le : !spin.slice<i8, local> -> i8
      spin.store %x, %all[%i] le : i8, !spin.slice<i8, packet_l1>
    }
    spin.return success
  }
}

// -----

// A longer loop; a part that does not start where the array does; an index
// that is not the loop's; before the copy is waited for.
spin.context @NoPrefix link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @h
  // CHECK-LABEL: spin.handler @payload
  // CHECK: spin.local count(4)
  // CHECK: spin.wire_store
  // CHECK: spin.local count(8)
  // CHECK: spin.wire_store
  // CHECK: spin.local count(12)
  // CHECK: spin.wire_store
  // CHECK: spin.local count(16)
  // CHECK: spin.wire_store
  // CHECK: spin.dma_from_host
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %a = spin.local count(4) zero : !spin.slice<i8, local>
    %b = spin.local count(8) zero : !spin.slice<i8, local>
    %d = spin.local count(12) zero : !spin.slice<i8, local>
    %e = spin.local count(16) zero : !spin.slice<i8, local>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %host = spin.host_slice @h : !spin.slice<i8, host>
    %from = spin.subslice %host[%c0, %c3] : !spin.slice<i8, host>
    %pa = spin.subslice %a[%c0, %c3] : !spin.slice<i8, local>
    %pb = spin.subslice %b[%c1, %c3] : !spin.slice<i8, local>
    %pd = spin.subslice %d[%c0, %c3] : !spin.slice<i8, local>
    %pe = spin.subslice %e[%c0, %c3] : !spin.slice<i8, local>
    %ca = spin.dma_from_host %pa, %from : !spin.slice<i8, local>, !spin.slice<i8, host>
    spin.wait %ca
    %cb = spin.dma_from_host %pb, %from : !spin.slice<i8, local>, !spin.slice<i8, host>
    spin.wait %cb
    %cd = spin.dma_from_host %pd, %from : !spin.slice<i8, local>, !spin.slice<i8, host>
    spin.wait %cd
    %ce = spin.dma_from_host %pe, %from : !spin.slice<i8, local>, !spin.slice<i8, host>
    scf.for unsigned %i = %c0 to %c4 step %c1 : i32 {
      %x = spin.load %a[%i] le : !spin.slice<i8, local> -> i8
      spin.store %x, %all[%i] le : i8, !spin.slice<i8, packet_l1>
    }
    scf.for unsigned %i = %c0 to %c3 step %c1 : i32 {
      %x = spin.load %b[%i] le : !spin.slice<i8, local> -> i8
      %next = arith.addi %i, %c1 : i32
      %y = spin.load %d[%next] le : !spin.slice<i8, local> -> i8
      %z = spin.load %e[%i] le : !spin.slice<i8, local> -> i8
      spin.store %x, %all[%i] le : i8, !spin.slice<i8, packet_l1>
      spin.store %y, %all[%i] le : i8, !spin.slice<i8, packet_l1>
      spin.store %z, %all[%i] le : i8, !spin.slice<i8, packet_l1>
    }
    spin.wait %ce
    spin.return success
  }
}

// -----

// Read at constant indices: inside the part that was written, or behind it; and
// a part that is all of the array.
spin.context @Constant link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @h
  // CHECK-LABEL: spin.handler @payload
  // CHECK: spin.local count(8)
  // CHECK-NEXT: spin.local count(8)
  // CHECK-COUNT-2: spin.wire_store
  // CHECK: spin.local count(8)
  // CHECK-NOT: spin.wire_store
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %a = spin.local count(8) zero : !spin.slice<i8, local>
    %b = spin.local count(8) zero : !spin.slice<i8, local>
    %e = spin.local count(8) zero : !spin.slice<i8, local>
    %c0 = arith.constant 0 : i32
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %host = spin.host_slice @h : !spin.slice<i8, host>
    %from = spin.subslice %host[%c0, %c4] : !spin.slice<i8, host>
    %all = spin.subslice %host[%c0, %c8] : !spin.slice<i8, host>
    %ap = spin.subslice %a[%c0, %c4] : !spin.slice<i8, local>
    %bp = spin.subslice %b[%c0, %c4] : !spin.slice<i8, local>
    %ep = spin.subslice %e[%c0, %c8] : !spin.slice<i8, local>
    %c = spin.dma_from_host %ap, %from : !spin.slice<i8, local>, !spin.slice<i8, host>
    %d = spin.dma_from_host %bp, %from : !spin.slice<i8, local>, !spin.slice<i8, host>
    %f = spin.dma_from_host %ep, %all : !spin.slice<i8, local>, !spin.slice<i8, host>
    spin.wait %c
    spin.wait %d
    spin.wait %f
    %x = spin.load %a[%c3] le : !spin.slice<i8, local> -> i8
    %y = spin.load %b[%c4] le : !spin.slice<i8, local> -> i8
    %last = spin.subslice %e[%c4, %c4] : !spin.slice<i8, local>
    %z = spin.load %last[%c3] le : !spin.slice<i8, local> -> i8
    %xy = arith.addi %x, %y : i8
    %xyz = arith.addi %xy, %z : i8
    %to = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    spin.store %xyz, %to[%c0] le : i8, !spin.slice<i8, packet_l1>
    spin.return success
  }
}
