// A file of its own: the translation interfaces are slow to compile.
#include "compiler/Backend/TranslateToLLVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// MLIR's operation cannot say that assembly leaves memory alone; LLVM then
/// takes it for a store to everything.
static void limitMemoryOfAssembly(Module &module) {
  for (Function &function : module)
    for (Instruction &instr : instructions(function)) {
      auto *call = dyn_cast<CallInst>(&instr);
      if (!call || !call->isInlineAsm())
        continue;
      auto *text = cast<InlineAsm>(call->getCalledOperand());
      if (StringRef(text->getConstraintString()).contains("~{memory}"))
        continue;
      call->setMemoryEffects(text->hasSideEffects()
                                 ? MemoryEffects::inaccessibleMemOnly()
                                 : MemoryEffects::none());
    }
}

std::unique_ptr<Module> spinc::backend::translateToLLVM(mlir::ModuleOp module,
                                                        LLVMContext &context,
                                                        StringRef name,
                                                        StringRef layout) {
  mlir::registerBuiltinDialectTranslation(*module->getContext());
  mlir::registerLLVMDialectTranslation(*module->getContext());
  module->setAttr(mlir::LLVM::LLVMDialect::getDataLayoutAttrName(),
                  mlir::StringAttr::get(module->getContext(), layout));
  std::unique_ptr<Module> translated =
      mlir::translateModuleToLLVMIR(module, context, name);
  if (translated)
    limitMemoryOfAssembly(*translated);
  return translated;
}
