// A file of its own: the translation interfaces are slow to compile.
#include "compiler/Backend/TranslateToLLVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"

std::unique_ptr<llvm::Module>
spinc::backend::translateToLLVM(mlir::ModuleOp module,
                                llvm::LLVMContext &context,
                                llvm::StringRef name, llvm::StringRef layout) {
  mlir::registerBuiltinDialectTranslation(*module->getContext());
  mlir::registerLLVMDialectTranslation(*module->getContext());
  module->setAttr(mlir::LLVM::LLVMDialect::getDataLayoutAttrName(),
                  mlir::StringAttr::get(module->getContext(), layout));
  return mlir::translateModuleToLLVMIR(module, context, name);
}
