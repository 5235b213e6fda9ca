// RUN: spinc-opt --spin-widen-loops %s | FileCheck %s

spin.context @Widen link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // CHECK-LABEL: spin.handler @payload
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %n = spin.slice_length %all : !spin.slice<i8, packet_l1>
    %a = spin.local count(1500) : !spin.slice<i8, local>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %mask = arith.constant 15 : i8
    %zero = arith.constant 0 : i16
    // Groups of four words, words, and the bytes that are left.
    // CHECK: scf.for unsigned %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}}
    // CHECK-COUNT-4: spin.wire_store %{{.*}} le : i32
    // CHECK: scf.for unsigned
    // CHECK-COUNT-2: spin.wire_load %{{.*}} -> i32
    // CHECK: arith.constant 252645135 : i32
    // CHECK: spin.wire_store %{{.*}} le : i32
    // CHECK: scf.for unsigned
    // CHECK: spin.store %{{.*}} le : i8
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %x = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      %y = spin.load %a[%i] le : !spin.slice<i8, local> -> i8
      %z = arith.andi %x, %mask : i8
      %w = arith.xori %z, %y : i8
      spin.store %w, %a[%i] le : i8, !spin.slice<i8, local>
    }
    // Parts of one array that might overlap.
    // CHECK-NOT: spin.wire_load
    // CHECK: spin.exit
    %b = spin.subslice %a[%c1, %n] : !spin.slice<i8, local>
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %x = spin.load %a[%i] le : !spin.slice<i8, local> -> i8
      spin.store %x, %b[%i] le : i8, !spin.slice<i8, local>
    }
    %never = arith.constant false
    scf.if %never {
      spin.exit drop
    }
    // Parts that follow one another cannot; all loads come first. Of numbers
    // that are cut to bytes, lanes give the bytes.
    // CHECK: scf.for unsigned
    // Two words at once, so that no load is waited for and few registers are
    // taken.
    // CHECK-COUNT-4: spin.wire_load
    // CHECK-NOT: spin.wire_load
    // CHECK-COUNT-2: spin.lanes add %{{.*}}, %{{.*}} count(4)
    // CHECK-COUNT-2: spin.lanes shl
    // CHECK-COUNT-2: spin.wire_store
    // CHECK-COUNT-4: spin.wire_load
    // CHECK-COUNT-2: spin.wire_store
    // CHECK: scf.if
    // CHECK: spin.wire_load %{{.*}} -> i16
    // CHECK: arith.trunci %{{.*}} : i32 to i16
    // CHECK: scf.if
    // CHECK: spin.load
    // CHECK-NOT: spin.wire
    // CHECK: spin.header_bytes
    %half = arith.divui %n, %c2 : i32
    %first = spin.subslice %all[%c0, %half] : !spin.slice<i8, packet_l1>
    %second = spin.subslice %all[%half, %half] : !spin.slice<i8, packet_l1>
    scf.for unsigned %i = %c0 to %half step %c1 : i32 {
      %x = spin.load %first[%i] le : !spin.slice<i8, packet_l1> -> i8
      %y = spin.load %second[%i] le : !spin.slice<i8, packet_l1> -> i8
      %wide_x = arith.extui %x : i8 to i32
      %wide_y = arith.extsi %y : i8 to i32
      %sum = arith.addi %wide_x, %wide_y : i32
      %twice = arith.shli %sum, %c1 : i32
      %z = arith.trunci %twice : i32 to i8
      spin.store %z, %second[%i] le : i8, !spin.slice<i8, packet_l1>
    }
    %h1 = spin.header_bytes %c2 at_most(60)
    // What is not known of upper bits is not compared; what crosses lanes is
    // not computed.
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %x = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      %wide = arith.extui %x : i8 to i32
      %sum = arith.addi %wide, %wide : i32
      %less = arith.cmpi ult, %sum, %c2 : i32
      %z = arith.select %less, %x, %mask : i8
      spin.store %z, %all[%i] le : i8, !spin.slice<i8, packet_l1>
    }
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %x = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      %wide = arith.extui %x : i8 to i32
      %twice = arith.addi %wide, %wide : i32
      %mean = arith.shrui %twice, %c1 : i32
      %z = arith.trunci %mean : i32 to i8
      spin.store %z, %all[%i] le : i8, !spin.slice<i8, packet_l1>
    }
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %x = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      %z = arith.muli %x, %x : i8
      spin.store %z, %all[%i] le : i8, !spin.slice<i8, packet_l1>
    }
    // A value that each iteration depends on.
    %hash = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%h = %c0) -> (i32) : i32 {
      %x = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      %wide = arith.extui %x : i8 to i32
      %moved = arith.shli %h, %c1 : i32
      %next = arith.xori %moved, %wide : i32
      scf.yield %next : i32
    }
    // Sums of big-endian half-words.
    %be = spin.view_as %all : !spin.slice<i8, packet_l1> -> !spin.slice<i16, packet_l1>
    %be_count = spin.slice_length %be : !spin.slice<i16, packet_l1>
    scf.for unsigned %i = %c0 to %be_count step %c1 : i32 {
      %x = spin.load %be[%i] be : !spin.slice<i16, packet_l1> -> i16
      %z = arith.addi %x, %x : i16
      spin.store %z, %be[%i] be : i16, !spin.slice<i16, packet_l1>
    }
    // And what a reduction of them gives.
    %parity = scf.for unsigned %i = %c0 to %be_count step %c1 iter_args(%h = %zero) -> (i16) : i32 {
      %x = spin.load %be[%i] be : !spin.slice<i16, packet_l1> -> i16
      %next = arith.xori %h, %x : i16
      scf.yield %next : i16
    }
    %h2 = spin.header_bytes %c2 at_most(60)
    // CHECK: spin.header_bytes
    // Reductions have a word each; the old loop does the rest.
    // CHECK: %[[WIDE:.*]]:2 = scf.for unsigned {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (i32, i32)
    // CHECK-COUNT-2: arith.xori
    // CHECK-COUNT-2: spin.lanes minu
    // CHECK-COUNT-2: arith.xori
    // CHECK-COUNT-2: spin.lanes minu
    // CHECK: scf.for unsigned {{.*}} -> (i32, i32)
    // CHECK: arith.shrui
    // CHECK: arith.xori
    // CHECK: scf.for unsigned {{.*}} -> (i32, i8)
    // CHECK: spin.load
    // CHECK: spin.header_bytes
    %most = arith.constant -1 : i8
    %r:2 = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%odd = %c1, %least = %most) -> (i32, i8) : i32 {
      %x = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      %wide = arith.extui %x : i8 to i32
      %next = arith.xori %odd, %wide : i32
      %less = arith.cmpi ult, %x, %least : i8
      %z = arith.select %less, %x, %least : i8
      scf.yield %next, %z : i32, i8
    }
    %h3 = spin.header_bytes %r#0 at_most(60)
    // A loop that leaves where bytes differ asks once for four words; of half a
    // word only the half counts.
    // CHECK: scf.for unsigned
    // CHECK-COUNT-3: arith.ori
    // CHECK: %[[DIFFER:.*]] = arith.cmpi ne
    // CHECK: scf.if %[[DIFFER]]
    // CHECK-NEXT: spin.exit drop
    // CHECK: spin.wire_load %{{.*}} -> i16
    // CHECK: arith.shli
    // CHECK: spin.exit drop
    // CHECK: spin.load
    // CHECK: spin.exit drop
    // CHECK: spin.return
    scf.for unsigned %i = %c0 to %n step %c1 : i32 {
      %x = spin.load %all[%i] le : !spin.slice<i8, packet_l1> -> i8
      %y = spin.load %a[%i] le : !spin.slice<i8, local> -> i8
      %differ = arith.cmpi ne, %x, %y : i8
      scf.if %differ {
        spin.exit drop
      }
    }
    spin.return success
  }
}
