// When a pass runs and why there. What a pass does is said in its Passes.td.
#include "compiler/Backend/Pipelines.h"
#include "dialect/Spin/IR/SpinDialect.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void spinc::backend::buildSpinOptimizePipeline(OpPassManager &passes) {
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
}

void spinc::backend::buildSpinToLLVMPipeline(OpPassManager &passes) {
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  // The cycle bound is told per source line, so there are always locations.
  LLVM::DIScopeForLLVMFuncOpPassOptions debugInfo;
  debugInfo.emissionKind = LLVM::DIEmissionKind::LineTablesOnly;
  passes.addPass(LLVM::createDIScopeForLLVMFuncOpPass(debugInfo));
}

void spinc::backend::registerPipelines() {
  PassPipelineRegistration<>("spin-optimize",
                             "Prove, bound and mark a spin module",
                             buildSpinOptimizePipeline);
  PassPipelineRegistration<>("spin-to-llvm",
                             "Lower an optimised spin module to LLVM",
                             buildSpinToLLVMPipeline);
}

void spinc::backend::registerDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, LLVM::LLVMDialect, scf::SCFDialect,
                  spin::SpinDialect>();
}
