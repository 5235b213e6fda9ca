// The conversion out of the spin dialect.
#ifndef SPIN_CONVERSION_SPINTOLLVM_PASSES_TD
#define SPIN_CONVERSION_SPINTOLLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertSpinToLLVM : Pass<"convert-spin-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert contexts and handlers to the LLVM dialect for PsPIN";
  let description = [{
    Each handler becomes a function `<context>_hh`, `_ph` or `_th` without
    arguments that returns the code of runtime/abi in a0. What a handler knows
    of its packet, message and host region comes from the task registers; those
    loads are invariant (`spin-share-task-reads`). scf and arith inside handlers are converted too, so
    that the result holds the LLVM dialect only.

    A wire integer is loaded by one access, aligned or not, and its bytes are
    swapped once, for all uses; a comparison with a constant swaps the constant
    instead. Without `wire-words` its bytes are loaded and joined by shifts.
    Constant tables become globals in read-only data, which lies in L2; a read at
    a constant index has been folded before.

    State fields become globals `<context>.<field>` in section `.spin.l1` (an
    address of the executing cluster's alias, from which the address in the home
    cluster is computed) or `.spin.l2`; the parameters of a context one global
    `<context>.params` in `.spin.params`; the plain fields `<context>.messages`
    in `.spin.l1.messages` and `<context>.messages_l2` in `.spin.l2.messages`,
    blocks in which fields of bits of the address are the message's number
    (`runtime/abi/MessageBlocks.h`).

    A slice becomes a pair of a pointer (or, in host memory, an offset into the
    region) and a length. Commands are written to the registers of the HPU
    driver between compiler fences; a command whose slice may be empty is
    skipped when it is.

    Fails if an operation with an obligation has no `proof`, if
    `spin.for_pieces` or strided views are left (spin-expand-pieces), or if a
    context has more than the one host region that the card supports.

    Example: `spin.handler @payload kind(payload)` of `spin.context @Echo`
    becomes `llvm.func @Echo_ph() -> i32`.
  }];
  let options = [
    Option<"wireWords", "wire-words", "bool", "true",
           "Big-endian numbers are loaded as a whole and swapped">
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::arith::ArithDialect"
  ];
}

def SpinShareTaskReads : Pass<"spin-share-task-reads", "::mlir::ModuleOp"> {
  let summary = "Read each task register and the number of the HPU once";
  let description = [{
    What the card tells a handler about its packet, message and host region is in
    registers of the HPU driver, which are the same while it runs, and so is the
    number of the HPU, whose read takes four cycles. All reads of one of them in
    a function become one, in the last block outside of loops that the ways to
    all of them lead through. LLVM may not do it, for it cannot know that a read
    is harmless where there was none.

    Without `once` each use of a task register reads it.

    Example: two commands in a loop, which read where the host region starts,
    find it in a register that is loaded in front of the loop.
  }];
  let options = [
    Option<"once", "once", "bool", "true", "One read for all uses">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // SPIN_CONVERSION_SPINTOLLVM_PASSES_TD
