// When a pass runs and why there. What a pass does is said in its Passes.td.
#include "compiler/Backend/Pipelines.h"
#include "dialect/Conversion/SpinToLLVM/SpinToLLVM.h"
#include "dialect/Spin/Certify/Certify.h"
#include "dialect/Spin/Transforms/CheckedPasses.h"
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

/// Runs passes that may not break a proof: with `keepRejected` the program
/// holds what could not be proved, so there is nothing to certify.
static void addChecked(OpPassManager &to, bool keepRejected,
                       const std::shared_ptr<spin::certify::Memory> &memory,
                       StringRef culprit,
                       std::vector<std::unique_ptr<Pass>> passes) {
  OpPassManager checked(ModuleOp::getOperationName());
  for (std::unique_ptr<Pass> &pass : passes)
    (keepRejected ? to : checked).addPass(std::move(pass));
  if (!keepRejected)
    to.addPass(spin::createCheckedPasses(std::move(checked), culprit, memory));
}

/// Once operations are folded and merged, equal ones have been found.
static std::vector<std::unique_ptr<Pass>> fold() {
  std::vector<std::unique_ptr<Pass>> passes;
  passes.push_back(createCanonicalizerPass());
  passes.push_back(createCSEPass());
  return passes;
}

static void buildOptimizePipeline(OpPassManager &passes,
                                  const Ablations &disabled,
                                  bool keepRejected) {
  spin::SpinProveBoundsOptions proving;
  proving.keepRejected = keepRejected;
  auto memory = std::make_shared<spin::certify::Memory>();
  auto add = [&](StringRef culprit, std::unique_ptr<Pass> pass) {
    std::vector<std::unique_ptr<Pass>> one;
    one.push_back(std::move(pass));
    addChecked(passes, keepRejected, memory, culprit, std::move(one));
  };
  // First of all: any pass that folds arithmetic may drop an obligation that
  // the program has.
  passes.addPass(spin::createSpinProveBounds(proving));
  if (!keepRejected) {
    passes.addPass(spin::createCertifyPass("", /*dropFlags=*/false, memory));
    passes.addPass(spin::createSpinCheckProofs({"spin-prove-bounds"}));
  }
  // Before anything may remove a loop.
  passes.addPass(spin::createSpinDemandLoopBounds());
  // Void from now on, and in the way of finding equal operations.
  passes.addPass(spin::createSpinStripCertificates());
  // Before folding, which may keep flags that no longer hold.
  std::vector<std::unique_ptr<Pass>> first = fold();
  if (!disabled.has(Ablation::MergeChecks))
    first.insert(first.begin(), spin::createSpinMergeChecks());
  addChecked(passes, keepRejected, memory,
             "spin-merge-checks, canonicalize or cse", std::move(first));
  add("spin-fill-locals", spin::createSpinFillLocals());
  // While each round has its own: what is left of a loop may then be widened.
  if (!disabled.has(Ablation::MergeLoopCopies))
    add("spin-merge-loop-copies", spin::createSpinMergeLoopCopies());
  if (!disabled.has(Ablation::SkipWords))
    add("spin-skip-words", spin::createSpinSkipWords());
  if (!disabled.has(Ablation::WidenLoops))
    add("spin-widen-loops", spin::createSpinWidenLoops());
  if (!disabled.has(Ablation::UnrollLoops))
    add("spin-unroll-loops", spin::createSpinUnrollLoops());
  addChecked(passes, keepRejected, memory, "canonicalize or cse", fold());
  // Where equal slices are one value, and copies of loops stand in a row.
  if (!disabled.has(Ablation::MergeCopies)) {
    std::vector<std::unique_ptr<Pass>> merging;
    merging.push_back(spin::createSpinMergeCopies());
    // Their slices are dead now.
    merging.push_back(createCSEPass());
    addChecked(passes, keepRejected, memory, "spin-merge-copies or cse",
               std::move(merging));
  }
  // Behind CSE, which does not see past stores that are in the way.
  if (!disabled.has(Ablation::AdvanceLoads))
    add("spin-advance-loads", spin::createSpinAdvanceLoads());
  // Behind those that merge copies, and while loops have no markers.
  if (!disabled.has(Ablation::ScheduleCommands))
    add("spin-schedule-commands", spin::createSpinScheduleCommands());
  // Again, for the copies that unrolling made and what folding made of them.
  passes.addPass(spin::createSpinProveBounds(proving));
  passes.addPass(spin::createSpinInferLoopBounds());
  if (!keepRejected)
    passes.addPass(spin::createCertifyPass("spin-infer-loop-bounds",
                                           /*dropFlags=*/true, memory));
  // Last: whoever copies a loop after this copies its marker with it.
  passes.addPass(spin::createSpinMarkLoops());
  // Markers are in nobody's way: the certificates stay valid.
  if (!keepRejected)
    passes.addPass(spin::createSpinCheckProofs(
        {"spin-infer-loop-bounds or spin-mark-loops"}));
}

void spinc::backend::buildSpinCheckPipeline(OpPassManager &passes) {
  passes.addPass(spin::createSpinCheckCommands());
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
  // While the facts about loops and pieces can be read off the operations.
  if (!disabled.has(Ablation::NarrowDivisions))
    passes.addPass(spin::createSpinNarrowDivisions());
  passes.addPass(
      spin::createSpinExpandPieces({!disabled.has(Ablation::SplitPieces)}));
  if (!disabled.has(Ablation::NarrowSums))
    passes.addPass(spin::createSpinNarrowSums());
  if (disabled.has(Ablation::PackedSimd))
    passes.addPass(spin::createSpinExpandLanes());
  passes.addPass(
      spin::createConvertSpinToLLVM({!disabled.has(Ablation::WireWords)}));
  passes.addPass(spin::createSpinShareTaskReads(
      {!disabled.has(Ablation::ShareTaskReads)}));
  // The cycle bound is told per source line, so there are always locations.
  LLVM::DIScopeForLLVMFuncOpPassOptions debugInfo;
  debugInfo.emissionKind = LLVM::DIEmissionKind::LineTablesOnly;
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(debugInfo));
}

void spinc::backend::registerPipelines() {
  PassPipelineRegistration<>("spin-optimize",
                             "Prove, bound and mark a spin module",
                             [](OpPassManager &passes) {
                               buildSpinCheckPipeline(passes);
                               buildSpinOptimizePipeline(passes);
                             });
  PassPipelineRegistration<>(
      "spin-to-llvm", "Lower an optimised spin module to LLVM",
      [](OpPassManager &passes) { buildSpinToLLVMPipeline(passes); });
}

void spinc::backend::registerDialects(DialectRegistry &registry) {
  registry
      .insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
              LLVM::LLVMDialect, scf::SCFDialect, spin::SpinDialect>();
}
