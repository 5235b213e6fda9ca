// From the LLVM dialect to LLVM IR.
#ifndef SPINC_COMPILER_BACKEND_TRANSLATETOLLVM_H
#define SPINC_COMPILER_BACKEND_TRANSLATETOLLVM_H

#include "llvm/ADT/StringRef.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace spinc::backend {

/// `layout` is that of the card: the places of structure members depend on it.
/// Null, with a diagnostic of MLIR, if `module` is not wholly in the LLVM
/// dialect.
std::unique_ptr<llvm::Module> translateToLLVM(mlir::ModuleOp module,
                                              llvm::LLVMContext &context,
                                              llvm::StringRef name,
                                              llvm::StringRef layout);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_TRANSLATETOLLVM_H
