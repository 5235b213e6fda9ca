// spinc-opt: runs passes over modules of the spin dialect and of the dialects
// that it lowers to, as mlir-opt does for MLIR's own.
#include "dialect/Conversion/SpinToLLVM/SpinToLLVM.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                  mlir::func::FuncDialect, mlir::LLVM::LLVMDialect,
                  mlir::scf::SCFDialect, spinc::spin::SpinDialect>();
  mlir::registerTransformsPasses();
  spinc::spin::registerSpinPasses();
  spinc::spin::registerSpinToLLVMPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "spinc-opt: passes of the spin dialect\n", registry));
}
