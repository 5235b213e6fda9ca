// When a pass runs and why there. What a pass does is said in its Passes.td.
#include "compiler/Backend/Pipelines.h"
#include "dialect/Conversion/SpinToLLVM/SpinToLLVM.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using spinc::backend::Ablation;
using spinc::backend::Ablations;
namespace spin = spinc::spin;

/// Certificates for what the program is now, checked at once. `culprit` names
/// what ran since the last check. An operation for which no certificate is
/// found passes here, but not in a stand-alone run of spin-check-proofs.
static void checkProofs(OpPassManager &passes, StringRef culprit) {
  passes.addPass(spin::createSpinCertify({culprit.str(), /*partial=*/true}));
  passes.addPass(
      spin::createSpinCheckProofs({culprit.str(), /*partial=*/true}));
}

/// With `keepRejected` the program holds what could not be proved, so there is
/// nothing to certify.
static void buildOptimizePipeline(OpPassManager &passes,
                                  const Ablations &disabled,
                                  bool keepRejected) {
  spin::SpinProveBoundsOptions proving;
  proving.keepRejected = keepRejected;
  // While commands and accesses are those of the source.
  passes.addPass(spin::createSpinCheckCommands());
  // First of all: any pass that folds arithmetic may drop an obligation that
  // the program has.
  passes.addPass(spin::createSpinProveBounds(proving));
  if (!keepRejected)
    checkProofs(passes, "spin-prove-bounds");
  // Before anything may remove a loop.
  passes.addPass(spin::createSpinDemandLoopBounds());
  // Void from now on, and in the way of finding equal operations.
  passes.addPass(spin::createSpinStripCertificates());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(spin::createSpinFillLocals());
  if (!disabled.has(Ablation::SkipWords))
    passes.addPass(spin::createSpinSkipWords());
  if (!disabled.has(Ablation::WidenLoops))
    passes.addPass(spin::createSpinWidenLoops());
  if (!disabled.has(Ablation::UnrollLoops))
    passes.addPass(spin::createSpinUnrollLoops());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  // Behind CSE, which does not see past stores that are in the way.
  if (!disabled.has(Ablation::AdvanceLoads))
    passes.addPass(spin::createSpinAdvanceLoads());
  // Again, for the copies that unrolling made and what folding made of them.
  passes.addPass(spin::createSpinProveBounds(proving));
  passes.addPass(spin::createSpinInferLoopBounds());
  if (!keepRejected)
    checkProofs(passes, "the passes since the first spin-prove-bounds");
  // Last: whoever copies a loop after this copies its marker with it.
  passes.addPass(spin::createSpinMarkLoops());
  // Markers are in nobody's way: the certificates stay valid.
  if (!keepRejected)
    passes.addPass(
        spin::createSpinCheckProofs({"spin-mark-loops", /*partial=*/true}));
}

void spinc::backend::buildSpinOptimizePipeline(OpPassManager &passes,
                                               const Ablations &disabled) {
  buildOptimizePipeline(passes, disabled, /*keepRejected=*/false);
}

void spinc::backend::buildRejectedPipeline(OpPassManager &passes,
                                           const Ablations &disabled) {
  buildOptimizePipeline(passes, disabled, /*keepRejected=*/true);
}

void spinc::backend::buildSpinToLLVMPipeline(OpPassManager &passes,
                                             const Ablations &disabled) {
  passes.addPass(spin::createSpinStripCertificates());
  passes.addPass(
      spin::createSpinExpandPieces({!disabled.has(Ablation::SplitPieces)}));
  if (!disabled.has(Ablation::NarrowSums))
    passes.addPass(spin::createSpinNarrowSums());
  if (disabled.has(Ablation::PackedSimd))
    passes.addPass(spin::createSpinExpandLanes());
  passes.addPass(spin::createConvertSpinToLLVM());
  // The cycle bound is told per source line, so there are always locations.
  LLVM::DIScopeForLLVMFuncOpPassOptions debugInfo;
  debugInfo.emissionKind = LLVM::DIEmissionKind::LineTablesOnly;
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(debugInfo));
}

void spinc::backend::registerPipelines() {
  PassPipelineRegistration<>(
      "spin-optimize", "Prove, bound and mark a spin module",
      [](OpPassManager &passes) { buildSpinOptimizePipeline(passes); });
  PassPipelineRegistration<>(
      "spin-to-llvm", "Lower an optimised spin module to LLVM",
      [](OpPassManager &passes) { buildSpinToLLVMPipeline(passes); });
}

void spinc::backend::registerDialects(DialectRegistry &registry) {
  registry
      .insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
              LLVM::LLVMDialect, scf::SCFDialect, spin::SpinDialect>();
}
