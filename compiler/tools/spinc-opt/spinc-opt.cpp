// spinc-opt: runs passes over modules of the spin dialect and of the dialects
// that it lowers to, as mlir-opt does for MLIR's own.
#include "compiler/Backend/Pipelines.h"
#include "dialect/Conversion/SpinToLLVM/SpinToLLVM.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  spinc::backend::registerDialects(registry);
  mlir::registerTransformsPasses();
  spinc::spin::registerSpinPasses();
  spinc::spin::registerSpinToLLVMPasses();
  spinc::backend::registerPipelines();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "spinc-opt: passes of the spin dialect\n", registry));
}
