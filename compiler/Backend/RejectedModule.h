// Code for a program that the prover rejects, so that a simulator can show what
// would happen (`--unsafe-emit-rejected`). Never part of an ordinary run.
#ifndef SPINC_COMPILER_BACKEND_REJECTEDMODULE_H
#define SPINC_COMPILER_BACKEND_REJECTEDMODULE_H

#include "llvm/IR/Module.h"

namespace spinc::backend {

/// Makes the code do what the program says even where that is wrong: no access
/// is left out or moved, arithmetic wraps, and behind each state field are
/// bytes that belong to nothing, so that an access behind the field is seen.
void prepareRejected(llvm::Module &module);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_REJECTEDMODULE_H
