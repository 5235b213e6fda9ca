// Passes over the spin dialect. The order in which the compiler runs them is
// in compiler/Backend/Pipelines.cpp.
#ifndef SPIN_TRANSFORMS_PASSES_TD
#define SPIN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SpinMarkLoops : Pass<"spin-mark-loops", "::mlir::ModuleOp"> {
  let summary = "Mark each loop so that its bound reaches the machine code";
  let description = [{
    Puts one `spin.loop_marker` at the start of each loop body: of the body of
    `scf.for`, and of the `do` region of `scf.while`, which runs once per
    iteration. Markers are numbered from 0 in the order of the program.

    Gives the module the attribute `spin.loops`: for each loop its `id`, the
    image symbol of its `handler`, its source `line` (0 if unknown), its `bound`
    (iterations per execution of the enclosing loop or handler), and the id of
    its `parent` (-1 if none).

    Fails if a loop has no `spin.bound` attribute, or if loops are marked
    already.

    Example: `scf.for … {spin.bound = #spin.bound<affine_map<() -> (4)>>}`
    starts with `spin.loop_marker 0` afterwards.
  }];
  let dependentDialects = ["::spinc::spin::SpinDialect"];
}

#endif // SPIN_TRANSFORMS_PASSES_TD
