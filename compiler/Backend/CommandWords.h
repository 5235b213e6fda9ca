// Words of commands: the HPU driver keeps them, so what a word holds already
// need not be written again.
#ifndef SPINC_COMPILER_BACKEND_COMMANDWORDS_H
#define SPINC_COMPILER_BACKEND_COMMANDWORDS_H

#include "llvm/IR/PassManager.h"

namespace spinc::backend {

/// Takes stores to command words out of loops whose commands all have the same
/// word, and leaves out those of what is in the word on all ways to the place.
/// Needs loops in simple form.
struct CommandWords : llvm::PassInfoMixin<CommandWords> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_COMMANDWORDS_H
