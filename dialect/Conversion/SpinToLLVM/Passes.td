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
    loads are invariant. scf and arith inside handlers are converted too, so
    that the result holds the LLVM dialect only.

    State fields become globals `<context>.<field>` in section `.spin.l1` (an
    address of the executing cluster's alias, from which the address in the home
    cluster is computed) or `.spin.l2`; the parameters of a context one global
    `<context>.params` in `.spin.params`.

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
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::arith::ArithDialect"
  ];
}

#endif // SPIN_CONVERSION_SPINTOLLVM_PASSES_TD
