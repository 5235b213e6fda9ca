// The order of the passes, as named pipelines. spinc runs them and spinc-opt
// offers them under the names given here, so the two cannot differ.
#ifndef SPINC_COMPILER_BACKEND_PIPELINES_H
#define SPINC_COMPILER_BACKEND_PIPELINES_H

#include "compiler/Backend/Ablations.h"

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace spinc::backend {

/// The rules that are checked while commands and accesses are those of the
/// source. A program that breaks one may go on to the prover, which finds what
/// else is wrong.
void buildSpinCheckPipeline(mlir::OpPassManager &passes);

/// spin-optimize, behind these checks: from what IRGen makes to a module whose
/// accesses are proved and whose loops are bounded and marked.
void buildSpinOptimizePipeline(mlir::OpPassManager &passes,
                               const Ablations &disabled = {});

/// The same for a program that may be rejected: goes on behind the errors of
/// the prover. Its result is only fit to show what goes wrong.
void buildRejectedPipeline(mlir::OpPassManager &passes,
                           const Ablations &disabled = {});

/// spin-to-llvm: from there to the LLVM dialect, with debug locations.
void buildSpinToLLVMPipeline(mlir::OpPassManager &passes,
                             const Ablations &disabled = {});

/// Makes both pipelines known to pass-pipeline parsers.
void registerPipelines();

/// All dialects that any stage reads or makes, for tools that parse IR.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_PIPELINES_H
