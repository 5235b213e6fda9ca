// What spin-check-proofs does, for passes that check what they did.
#ifndef SPINC_DIALECT_SPIN_CHECKER_CHECKPROOFS_H
#define SPINC_DIALECT_SPIN_CHECKER_CHECKPROOFS_H

#include "mlir/IR/BuiltinOps.h"

namespace spinc::spin::checker {

/// Whether all certificates are valid; tells of those that are not. `after`:
/// the pass that is to blame then.
llvm::LogicalResult checkProofs(mlir::ModuleOp module, llvm::StringRef after);

} // namespace spinc::spin::checker

#endif // SPINC_DIALECT_SPIN_CHECKER_CHECKPROOFS_H
