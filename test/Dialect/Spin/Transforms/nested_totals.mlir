// Rounds of inner loops, added up over the rounds of the loop around.
// RUN: spinc-opt %s --spin-prove-bounds --spin-infer-loop-bounds --spin-mark-loops | FileCheck %s
// The loops are numbered as they stand here.
// CHECK: spin.totals = [
// CHECK-SAME: limit = #spin.bound<affine_map<() -> (28)>>, loops = array<i64: 1>, weights = array<i64: 1>
// CHECK-SAME: limit = #spin.bound<affine_map<() -> (13)>>, loops = array<i64: 2>, weights = array<i64: 1>
// CHECK-SAME: limit = #spin.bound<affine_map<() -> (18)>>, loops = array<i64: 3>, weights = array<i64: 1>
// CHECK-SAME: limit = #spin.bound<affine_map<() -> (4)>>, loops = array<i64: 4>, weights = array<i64: 1>
// CHECK-SAME: limit = #spin.bound<affine_map<() -> (28)>>, loops = array<i64: 14>, weights = array<i64: 1>}]
spin.context @T link(portals) header_bytes(0) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @n : i32 count(1) kind(atomic) in(state_l1) where {
  }
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %s = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %len = spin.slice_length %s : !spin.slice<i8, packet_l1>
    %n = spin.state_slice @n : !spin.slice<i32, state_l1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %c5 = arith.constant 5 : i32
    %c8 = arith.constant 8 : i32
    // Loop 0.
    scf.for unsigned %i = %c0 to %c8 step %c1 : i32 {
      // 0 + 1 + … + 7
      scf.for unsigned %j = %c0 to %i step %c1 : i32 {
        %old = spin.atomic_rmw add %n[%c0], %j : !spin.slice<i32, state_l1>
      }
      // Two for each of 0 to 5, one for 6, none for 7.
      %rest = arith.subi %c8, %i overflow<nuw> : i32
      %wide = arith.extui %rest : i32 to i64
      %half = arith.trunci %wide : i64 to i32
      %few = arith.minui %half, %c3 : i32
      scf.for unsigned %j = %c1 to %few step %c1 : i32 {
        %old = spin.atomic_rmw add %n[%c0], %j : !spin.slice<i32, state_l1>
      }
      // Six times, and where i is less than 3 only.
      %is_small = arith.cmpi ult, %i, %c3 : i32
      scf.if %is_small {
        scf.for unsigned %j = %c2 to %c8 step %c1 : i32 {
          %old = spin.atomic_rmw add %n[%c0], %j : !spin.slice<i32, state_l1>
        }
      } else {
        // 0 + 0 + 1 + 1 + 2, for 3 to 7.
        %from = arith.subi %i, %c3 : i32
        %by_two = arith.shrui %from, %c1 : i32
        scf.for unsigned %j = %c0 to %by_two step %c1 : i32 {
          %old = spin.atomic_rmw add %n[%c0], %j : !spin.slice<i32, state_l1>
        }
      }
    }
    // Loop 5: what the packet says, and the same count in each round.
    scf.for unsigned %i = %c0 to %c8 step %c1 : i32 {
      scf.for unsigned %j = %c0 to %len step %c1 : i32 {
        %old = spin.atomic_rmw add %n[%c0], %j : !spin.slice<i32, state_l1>
      }
      scf.for unsigned %j = %c0 to %c5 step %c1 : i32 {
        %old = spin.atomic_rmw add %n[%c0], %j : !spin.slice<i32, state_l1>
      }
    }
    // Loop 8: it is not the outermost one whose index counts.
    scf.for unsigned %k = %c0 to %c5 step %c1 : i32 {
      scf.for unsigned %i = %c0 to %c8 step %c1 : i32 {
        scf.for unsigned %j = %c0 to %i step %c1 : i32 {
          %old = spin.atomic_rmw add %n[%c0], %j : !spin.slice<i32, state_l1>
        }
      }
    }
    // Loop 11: loop 13 is not directly in it, loop 14 is.
    scf.for unsigned %i = %c0 to %c8 step %c1 : i32 {
      scf.for unsigned %k = %c0 to %c5 step %c1 : i32 {
        scf.for unsigned %j = %c0 to %i step %c1 : i32 {
          %old = spin.atomic_rmw add %n[%c0], %j : !spin.slice<i32, state_l1>
        }
      }
      scf.for unsigned %j = %c0 to %i step %c1 : i32 {
        %old = spin.atomic_rmw add %n[%c0], %j : !spin.slice<i32, state_l1>
      }
    }
    spin.return success
  }
}
