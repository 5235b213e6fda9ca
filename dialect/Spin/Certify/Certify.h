// Certificates for all handlers of a module.
#ifndef SPINC_DIALECT_SPIN_CERTIFY_CERTIFY_H
#define SPINC_DIALECT_SPIN_CERTIFY_CERTIFY_H

#include "mlir/IR/BuiltinOps.h"

namespace spinc::spin {

/// Writes certificates and the claims that they cite. False, and a call of
/// `report` for an operation of each handler that is short of one, if some are
/// not found.
bool certifyModule(mlir::ModuleOp module,
                   llvm::function_ref<void(mlir::Operation *)> report);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_CERTIFY_CERTIFY_H
