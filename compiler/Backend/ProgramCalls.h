// Calls of functions that the program itself has.
#ifndef SPINC_COMPILER_BACKEND_PROGRAMCALLS_H
#define SPINC_COMPILER_BACKEND_PROGRAMCALLS_H

#include "llvm/IR/IntrinsicInst.h"

namespace spinc::backend {

/// Whether `instr` may call a function of this module. Such may issue commands
/// and have hardware loops; routines of the device runtime do neither.
inline bool mayCallProgram(const llvm::Instruction &instr) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instr);
  if (!call || call->isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call))
    return false;
  const llvm::Function *callee = call->getCalledFunction();
  return !callee || !callee->isDeclaration();
}

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_PROGRAMCALLS_H
