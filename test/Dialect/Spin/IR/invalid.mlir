// RUN: spinc-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{has headers beyond its mtu of 20}}
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(20) match [] {
}

// -----

// expected-error@+1 {{has headers beyond its mtu of 30}}
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(40) mtu(30) match [] {
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @a kind(payload) {
  ^bb0(%p: !spin.packet):
    spin.return success
  }
  // expected-error@+1 {{is the second payload handler of its context}}
  spin.handler @b kind(payload) {
  ^bb0(%p: !spin.packet):
    spin.return success
  }
}

// -----

// expected-error@+2 {{matching rule reads 1, 2 or 4 bytes, not 3}}
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) 
    match [#spin.match_rule<offset = 0, width = 3, mask = 1, min = 0, max = 1>] {

}

// -----

// expected-error@+2 {{matching rule has min 2 above max 1}}
spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) 
    match [#spin.match_rule<offset = 0, width = 2, mask = 1, min = 2, max = 1>] {

}

// -----

// expected-error@+1 {{bound needs a map of symbols to one result}}
module attributes {a = #spin.bound<affine_map<(d0) -> (d0)>>} {}

// -----

// expected-error@+1 {{bound has 1 symbols but names 0}}
module attributes {a = #spin.bound<affine_map<()[s0] -> (s0)>>} {}

// -----

// expected-error@+1 {{slice elements are signless integers of whole bytes, not 'i12'}}
func.func private @f(!spin.slice<i12, host>)

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // expected-error@+1 {{lies in state_l1 or state_l2, not host}}
  spin.state @s : i32 count(1) kind(plain) in(host) where {}
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // expected-error@+1 {{is per_cluster but not atomic}}
  spin.state @s : i32 count(1) kind(plain) per_cluster in(state_l1) where {}
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // expected-error@+1 {{is per_cluster but not in state_l1}}
  spin.state @s : i32 count(1) kind(atomic) per_cluster in(state_l2) where {}
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // expected-error@+1 {{has a where region but is not a param}}
  spin.state @s : i32 count(1) kind(plain) in(state_l1) where {
  ^bb0(%v: i32):
    %ok = arith.constant true
    spin.yield_condition %ok
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // expected-error@+1 {{needs a where region with one argument of type 'i32'}}
  spin.state @s : i32 count(1) kind(param) in(state_l1) where {
  ^bb0(%v: i16):
    %ok = arith.constant true
    spin.yield_condition %ok
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // expected-error@+1 {{needs one argument of type '!spin.packet'}}
  spin.handler @h kind(payload) {
  ^bb0(%m: !spin.message):
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // expected-error@+1 {{needs one argument of type '!spin.message'}}
  spin.handler @h kind(header) {
  ^bb0(%p: !spin.packet):
    spin.return process_data
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error@+1 {{has code process_data, which a payload handler cannot return}}
    spin.return process_data
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(header) {
  ^bb0(%m: !spin.message):
    // expected-error@+1 {{has code success, which a header handler cannot return}}
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(completion) {
  ^bb0(%p: !spin.message):
    %ok = arith.constant true
    // expected-error@+1 {{has code drop, which a completion handler cannot return}}
    spin.require %ok else drop
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error@+1 {{has code process_data, which a payload handler cannot return}}
    spin.exit process_data
    spin.return success
  }
}

// -----

// expected-error@+2 {{must be inside spin.handler}}
func.func @f() {
  spin.exit drop
  return
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error@+1 {{names @x, which is no spin.state of its context}}
    %v = spin.param @x : i32
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @plain : i32 count(1) kind(plain) in(state_l1) where {}
  spin.state @array : i32 count(4) kind(atomic) in(state_l1) where {}
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error@+1 {{needs a param field; @plain is plain}}
    %v = spin.param @plain : i32
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @plain : i32 count(1) kind(plain) in(state_l1) where {}
  spin.state @array : i32 count(4) kind(atomic) in(state_l1) where {}
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error@+1 {{has element type 'i16'; @plain has 'i32'}}
    %v = spin.state_load @plain : i16
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @plain : i32 count(1) kind(plain) in(state_l1) where {}
  spin.state @array : i32 count(4) kind(atomic) in(state_l1) where {}
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error@+1 {{needs a plain field; @array is atomic}}
    %v = spin.state_load @array : i32
    spin.return success
  }
}

// -----

// Through a slice it could be written, and no longer be what the host checked.
spin.context @SliceOfParam link(portals) header_bytes(32) guaranteed_bytes(32) mtu(1500) match [] {
  spin.state @limit : i32 count(1) kind(param) in(state_l1) where {}
  spin.handler @payload kind(payload) {
  ^bb0(%p: !spin.packet):
    %limit = spin.param @limit : i32
    // expected-error@+1 {{makes a slice of @limit, which spin.param reads}}
    %s = spin.state_slice @limit : !spin.slice<i32, state_l1>
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @many : i32 count(4) kind(plain) in(state_l1) where {}
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error@+1 {{needs a scalar field; @many has 4 elements}}
    %v = spin.state_load @many : i32
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @plain : i32 count(1) kind(plain) in(state_l1) where {}
  spin.state @array : i32 count(4) kind(atomic) in(state_l1) where {}
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %c = arith.constant 1 : i32
    // expected-error@+1 {{writes plain state in a payload handler}}
    spin.state_store %c, @plain : i32
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @plain : i32 count(1) kind(plain) in(state_l1) where {}
  spin.state @array : i32 count(4) kind(atomic) in(state_l1) where {}
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error@+1 {{has element type 'i8'; @array has 'i32'}}
    %v = spin.state_slice @array : !spin.slice<i8, state_l1>
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @plain : i32 count(1) kind(plain) in(state_l1) where {}
  spin.state @array : i32 count(4) kind(atomic) in(state_l1) where {}
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %c = arith.constant 1 : i32
    // expected-error@+1 {{needs a per_cluster or per_hpu field}}
    %v = spin.state_copy @array[%c] : !spin.slice<i32, state_l1>
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error@+1 {{names @x, which is no spin.host of its context}}
    %v = spin.host_size @x
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error@+1 {{names @x, which is no spin.host of its context}}
    %v = spin.host_slice @x : !spin.slice<i8, host>
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error@+1 {{gives i8 elements in packet memory, not '!spin.slice<i8, host>'}}
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, host>
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error@+1 {{gives i8 elements in packet memory, not '!spin.slice<i16, packet_l1>'}}
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i16, packet_l1>
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    // expected-error@+1 {{turns i8 elements into elements of the same space}}
    %w = spin.view_as %all : !spin.slice<i8, packet_l1> -> !spin.slice<i32, packet_l2>
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %c = arith.constant 1 : i32
    // expected-error@+1 {{moves 'i16' but elements are 'i8'}}
    %v = spin.load %all[%c] le : !spin.slice<i8, packet_l1> -> i16
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %c = arith.constant 1 : i32
    // expected-error@+1 {{moves 'i32' but elements are 'i8'}}
    spin.store %c, %all[%c] le : i32, !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %c = arith.constant 1 : i32
    %w = spin.view_as %all : !spin.slice<i8, packet_l1> -> !spin.slice<i32, packet_l1>
    // expected-error@+1 {{needs a slice of i8, not '!spin.slice<i32, packet_l1>'}}
    %v = spin.wire_load %w[%c] le : !spin.slice<i32, packet_l1> -> i16
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %c = arith.constant 1 : i32
    // expected-error@+1 {{moves whole bytes, at most 8, not 'i4'}}
    %v = spin.wire_load %all[%c] le : !spin.slice<i8, packet_l1> -> i4
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %c = arith.constant 1 : i32
    %w = spin.view_as %all : !spin.slice<i8, packet_l1> -> !spin.slice<i32, packet_l1>
    // expected-error@+1 {{needs a slice of i8}}
    spin.wire_store %c, %w[%c] le : i32, !spin.slice<i32, packet_l1>
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @d
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error@+1 {{needs a slice of i8, not '!spin.slice<i32, host>'}}
    %d = spin.host_slice @d : !spin.slice<i32, host>
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @d
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %c = arith.constant 1 : i32
    %d = spin.host_slice @d : !spin.slice<i8, host>
    %d32 = spin.view_as %d : !spin.slice<i8, host> -> !spin.slice<i32, host>
    // expected-error@+1 {{needs a slice of i8, not '!spin.slice<i32, host>'}}
    %v = spin.strided_view %d32, %c, %c, %c : !spin.slice<i32, host>
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @d
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %d = spin.host_slice @d : !spin.slice<i8, host>
    %d32 = spin.view_as %d : !spin.slice<i8, host> -> !spin.slice<i32, host>
    %x = arith.constant 1 : i64
    // expected-error@+1 {{needs a slice of i8, not '!spin.slice<i32, host>'}}
    %n = spin.notify %d32, %x : !spin.slice<i32, host>
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @d
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %c = arith.constant 1 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %d = spin.host_slice @d : !spin.slice<i8, host>
    %v = spin.strided_view %d, %c, %c, %c : !spin.slice<i8, host>
    // expected-error@+1 {{needs a body with two pieces and 0 carried values}}
    spin.for_pieces %v at %c data %all : !spin.slice<i8, packet_l1> {
    ^bb0(%a: !spin.slice<i8, host>):
      spin.yield
    }
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @d
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %c = arith.constant 1 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %d = spin.host_slice @d : !spin.slice<i8, host>
    %v = spin.strided_view %d, %c, %c, %c : !spin.slice<i8, host>
    // expected-error@+1 {{needs pieces of types '!spin.slice<i8, host>' and '!spin.slice<i8, packet_l1>'}}
    spin.for_pieces %v at %c data %all : !spin.slice<i8, packet_l1> {
    ^bb0(%a: !spin.slice<i8, host>, %b: !spin.slice<i8, packet_l2>):
      spin.yield
    }
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @d
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %c = arith.constant 1 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    %d = spin.host_slice @d : !spin.slice<i8, host>
    %v = spin.strided_view %d, %c, %c, %c : !spin.slice<i8, host>
    // expected-error@+1 {{must carry and yield values of the same types}}
    %r = spin.for_pieces %v at %c data %all iter(%c : i32) : !spin.slice<i8, packet_l1> -> i32 {
    ^bb0(%a: !spin.slice<i8, host>, %b: !spin.slice<i8, packet_l1>, %x: i32):
      spin.yield
    }
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @a : i8 count(4) kind(atomic) in(state_l1) where {}
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %c = arith.constant 1 : i32
    %s = spin.state_slice @a : !spin.slice<i8, state_l1>
    // expected-error@+1 {{works on elements of i32, not '!spin.slice<i8, state_l1>'}}
    %o = spin.atomic_rmw add %s[%c], %c : !spin.slice<i8, state_l1>
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.host @d
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %c = arith.constant 1 : i32
    %d = spin.host_slice @d : !spin.slice<i8, host>
    // expected-error@+1 {{must be slice of NIC memory}}
    %v = spin.load %d[%c] le : !spin.slice<i8, host> -> i8
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %c = arith.constant 1 : i32
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    // expected-error@+1 {{must be slice of state}}
    %o = spin.atomic_rmw add %all[%c], %c : !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    // expected-error@+1 {{must be slice of host memory}}
    %o = spin.dma_to_host %all, %all : !spin.slice<i8, packet_l1>, !spin.slice<i8, packet_l1>
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @block : i32 count(1) kind(param) in(state_l1) where {}
  spin.state @sum : i32 count(1) kind(atomic) in(state_l1) where {}
  // expected-error@+1 {{has cycles that depend on "sum", which is no quantity of the handler}}
  spin.handler @h kind(payload) budget <"b", lineRate = false, cycles = <affine_map<()[s0] -> (s0)>, "sum">> {
  ^bb0(%p: !spin.packet):
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @block : i32 count(1) kind(param) in(state_l1) where {}
  spin.state @sum : i32 count(1) kind(atomic) in(state_l1) where {}
  // expected-error@+1 {{has cycles that depend on "p.length / bloc"}}
  spin.handler @h kind(payload) budget <"b", lineRate = false, cycles = <affine_map<()[s0] -> (s0)>, "p.length / bloc">> {
  ^bb0(%p: !spin.packet):
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @block : i32 count(1) kind(param) in(state_l1) where {}
  spin.state @sum : i32 count(1) kind(atomic) in(state_l1) where {}
  // expected-error@+1 {{has commands that depend on "p.length"}}
  spin.handler @h kind(completion) budget <"b", lineRate = false, commands = <affine_map<()[s0] -> (s0)>, "p.length">> {
  ^bb0(%p: !spin.message):
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @block : i32 count(1) kind(param) in(state_l1) where {}
  spin.state @sum : i32 count(1) kind(atomic) in(state_l1) where {}
  // expected-error@+1 {{has a line rate but not for each packet}}
  spin.handler @h kind(completion) budget <"line_rate", lineRate = true> {
  ^bb0(%p: !spin.message):
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @block : i32 count(1) kind(param) in(state_l1) where {}
  spin.state @sum : i32 count(1) kind(atomic) in(state_l1) where {}
  // expected-error@+1 {{has a negative number of cycles}}
  spin.handler @h kind(payload) budget <"b", lineRate = false, occupancy = <affine_map<() -> (-4)>>> {
  ^bb0(%p: !spin.packet):
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @block : i32 count(1) kind(param) in(state_l1) where {}
  spin.state @sum : i32 count(1) kind(atomic) in(state_l1) where {}
  // expected-error@+1 {{has a budget of stack that is no constant}}
  spin.handler @h kind(payload) budget <"b", lineRate = false, stack = <affine_map<()[s0] -> (s0)>, "p.length">> {
  ^bb0(%p: !spin.packet):
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @block : i32 count(1) kind(param) in(state_l1) where {}
  spin.state @sum : i32 count(1) kind(atomic) in(state_l1) where {}
  // expected-error@+1 {{has a budget that limits nothing}}
  spin.handler @h kind(payload) budget <"b", lineRate = false> {
  ^bb0(%p: !spin.packet):
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @block : i32 count(1) kind(param) in(state_l1) where {}
  spin.state @sum : i32 count(1) kind(atomic) in(state_l1) where {}
  // expected-error@+1 {{has cycles that depend on "x"}}
  spin.handler @h kind(payload) bound <7, <affine_map<()[s0] -> (s0)>, "x">> {
  ^bb0(%p: !spin.packet):
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // expected-error@+1 {{is a function with an argument of type '!spin.packet'}}
  spin.handler @f kind(function) {
  ^bb0(%p: !spin.packet):
    spin.give
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // expected-error@+1 {{is a function and must end with spin.give}}
  spin.handler @f kind(function) {
    %x = arith.constant 1 : i8
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @f kind(function) {
    %ok = arith.constant true
    // expected-error@+1 {{leaves a function with code drop}}
    spin.require %ok else drop
    spin.give %ok : i1
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  // expected-error@+1 {{must end with spin.return}}
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    spin.give
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error@+1 {{calls @h, which is no function}}
    spin.call @h() : () -> ()
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @f kind(function) {
  ^bb0(%n: i32):
    spin.give %n : i32
  }
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %n = arith.constant 1 : i8
    // expected-error@+1 {{does not have the types of @f}}
    %r = spin.call @f(%n) : (i8) -> i32
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @f kind(function) {
  ^bb0(%n: i8, %s: !spin.slice<i8, packet_l1>):
    %i = arith.constant 0 : i32
    %part = spin.subslice %s[%i, %i] : !spin.slice<i8, packet_l1>
    spin.store %n, %part[%i] le : i8, !spin.slice<i8, packet_l1>
    spin.give
  }
  spin.handler @g kind(function) {
  ^bb0(%n: i8, %s: !spin.slice<i8, packet_l1>):
    spin.call @f(%n, %s) writes [1] : (i8, !spin.slice<i8, packet_l1>) -> ()
    spin.give
  }
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %n = arith.constant 1 : i8
    %all = spin.packet_bytes %p : !spin.packet -> !spin.slice<i8, packet_l1>
    // expected-error@+1 {{does not say that @g writes its argument 1}}
    spin.call @g(%n, %all) : (i8, !spin.slice<i8, packet_l1>) -> ()
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    // expected-error@+1 {{names @f, which is no spin.handler of its context}}
    spin.call @f() : () -> ()
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.state @n : i32 count(1) kind(plain) in(state_l1) where {}
  spin.handler @f kind(function) {
    // expected-error@+1 {{touches in a function what lies outside}}
    %n = spin.state_load @n : i32
    spin.give %n : i32
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %n = arith.constant 1 : i32
    // expected-error@+1 {{has no lane 2}}
    %v = spin.insert_lane %n, %n lane(2) count(2)
    spin.return success
  }
}

// -----

spin.context @A link(ip) header_bytes(28) guaranteed_bytes(0) mtu(1500) match [] {
  spin.handler @h kind(payload) {
  ^bb0(%p: !spin.packet):
    %n = arith.constant 1 : i32
    // expected-error@+1 {{attribute 'count' failed to satisfy constraint}}
    %v = spin.splat %n count(3)
    spin.return success
  }
}
