// Passes that may not break a proof.
#ifndef SPINC_DIALECT_SPIN_TRANSFORMS_CHECKEDPASSES_H
#define SPINC_DIALECT_SPIN_TRANSFORMS_CHECKEDPASSES_H

#include "dialect/Spin/Certify/Memory.h"
#include "mlir/Pass/PassManager.h"
#include <memory>

namespace spinc::spin {

/// Runs `passes` on a module. If they change it, certificates are found anew
/// and checked, and removed again; where that fails, the error names `culprit`.
/// Those that share a memory search for what none of them has found before.
std::unique_ptr<mlir::Pass>
createCheckedPasses(mlir::OpPassManager passes, llvm::StringRef culprit,
                    std::shared_ptr<certify::Memory> memory = nullptr);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_TRANSFORMS_CHECKEDPASSES_H
