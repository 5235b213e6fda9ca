// Certificates for all handlers of a module.
#ifndef SPINC_DIALECT_SPIN_CERTIFY_CERTIFY_H
#define SPINC_DIALECT_SPIN_CERTIFY_CERTIFY_H

#include "dialect/Spin/Certify/Memory.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace spinc::spin {

/// Writes certificates and the claims that they cite. False, and a call of
/// `report` for an operation of each context that is short of one, if some are
/// not found. `dropFlags`: `nuw` and `nsw` that are not proved are taken back,
/// which is right behind passes that made them up, not where they state what
/// the program must keep. `memory`: what was found the last time, and is from
/// now on. `believes`: what was found for the same obligation is taken to hold
/// still, because the caller has the result checked and asks again if that
/// fails.
bool certifyModule(mlir::ModuleOp module, bool dropFlags,
                   certify::Memory *memory,
                   llvm::function_ref<void(mlir::Operation *)> report,
                   bool believes = false);

/// spin-certify with a memory.
std::unique_ptr<mlir::Pass>
createCertifyPass(llvm::StringRef after, bool dropFlags,
                  std::shared_ptr<certify::Memory> memory);

/// The error of a program that is refused for want of a certificate. `after`:
/// the passes that ran since the last one was found.
void reportUncertified(mlir::Operation *op, llvm::StringRef after);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_CERTIFY_CERTIFY_H
