// Task registers and the number of the HPU are read once, outside of loops.
// RUN: spinc-opt %s --spin-share-task-reads | FileCheck %s
// RUN: spinc-opt %s --spin-share-task-reads=once=false | FileCheck %s --check-prefix=EACH

// Where the host region starts is read in a branch inside of a loop.
// CHECK-LABEL: llvm.func @loop
// CHECK: %[[ADDRESS:.*]] = llvm.mlir.constant(455102524 : i32)
// CHECK: %[[POINTER:.*]] = llvm.inttoptr %[[ADDRESS]]
// CHECK: %[[BASE:.*]] = llvm.load %[[POINTER]] atomic unordered invariant
// CHECK: llvm.br
// CHECK-NOT: llvm.load
// CHECK: llvm.add %{{.*}}, %[[BASE]]
// CHECK-NOT: llvm.load
// EACH-LABEL: llvm.func @loop
// EACH: llvm.br
// EACH: llvm.load volatile %{{.*}} atomic unordered {alignment = 4 : i64}
// EACH-NEXT: llvm.add
llvm.func @loop(%n: i32, %c: i1) -> i32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.br ^head(%zero : i32)
^head(%i: i32):
  llvm.cond_br %c, ^some, ^next(%i : i32)
^some:
  %a = llvm.mlir.constant(455102524 : i32) : i32
  %p = llvm.inttoptr %a : i32 to !llvm.ptr
  %v = llvm.load %p atomic unordered invariant {alignment = 4 : i64} : !llvm.ptr -> i32
  %sum = llvm.add %i, %v : i32
  llvm.br ^next(%sum : i32)
^next(%j: i32):
  %more = llvm.icmp "ult" %j, %n : i32
  llvm.cond_br %more, ^head(%j : i32), ^out
^out:
  llvm.return %j : i32
}

// Two ways that never meet share the read in front of them; who leaves before
// pays nothing. The packet's bytes are used as a pointer, twice.
// CHECK-LABEL: llvm.func @branches
// CHECK: llvm.cond_br
// CHECK: %[[BYTES:.*]] = llvm.inttoptr %{{.*}} : i32 to !llvm.ptr
// CHECK: %[[PACKET:.*]] = llvm.load %[[BYTES]] atomic unordered invariant
// CHECK: llvm.cond_br
// CHECK: llvm.inttoptr %[[PACKET]]
// CHECK: llvm.inttoptr %[[PACKET]]
// EACH-LABEL: llvm.func @branches
// EACH-COUNT-3: llvm.load volatile %{{.*}} atomic unordered {alignment = 4 : i64}
// EACH-NOT: atomic
llvm.func @branches(%c: i1, %d: i1) -> i8 {
  %reg = llvm.mlir.constant(455102480 : i32) : i32
  llvm.cond_br %d, ^none, ^split
^split:
  llvm.cond_br %c, ^left, ^right
^left:
  %p = llvm.inttoptr %reg : i32 to !llvm.ptr
  %v = llvm.load %p atomic unordered invariant {alignment = 4 : i64} : !llvm.ptr -> i32
  %bytes = llvm.inttoptr %v : i32 to !llvm.ptr
  %x = llvm.load %bytes : !llvm.ptr -> i8
  llvm.store %x, %bytes : i8, !llvm.ptr
  llvm.return %x : i8
^right:
  %q = llvm.inttoptr %reg : i32 to !llvm.ptr
  %w = llvm.load %q atomic unordered invariant {alignment = 4 : i64} : !llvm.ptr -> i32
  %others = llvm.inttoptr %w : i32 to !llvm.ptr
  %y = llvm.load %others : !llvm.ptr -> i8
  llvm.return %y : i8
^none:
  %zero = llvm.mlir.constant(0 : i8) : i8
  llvm.return %zero : i8
}

// CHECK-LABEL: llvm.func @identity
// CHECK: csrr
// CHECK-NOT: csrr
// EACH-LABEL: llvm.func @identity
// EACH-COUNT-2: csrr
llvm.func @identity(%c: i1) -> i32 {
  llvm.cond_br %c, ^left, ^right
^left:
  %a = llvm.inline_asm "csrr $0, 20", "=r" : () -> i32
  llvm.return %a : i32
^right:
  %b = llvm.inline_asm "csrr $0, 20", "=r" : () -> i32
  llvm.return %b : i32
}

// A load of the own program is none of them.
// CHECK-LABEL: llvm.func @other
// CHECK-COUNT-2: llvm.load %{{.*}} invariant
llvm.func @other(%p: !llvm.ptr) -> i32 {
  %a = llvm.load %p invariant : !llvm.ptr -> i32
  %b = llvm.load %p invariant : !llvm.ptr -> i32
  %sum = llvm.add %a, %b : i32
  llvm.return %sum : i32
}
