// Passes that may not break a proof.
#ifndef SPINC_DIALECT_SPIN_TRANSFORMS_CHECKEDPASSES_H
#define SPINC_DIALECT_SPIN_TRANSFORMS_CHECKEDPASSES_H

#include "mlir/Pass/PassManager.h"

namespace spinc::spin {

/// Runs `passes` on a module. If they change it, certificates are found anew
/// and checked, and removed again; where that fails, the error names `culprit`.
std::unique_ptr<mlir::Pass> createCheckedPasses(mlir::OpPassManager passes,
                                                llvm::StringRef culprit);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_TRANSFORMS_CHECKEDPASSES_H
