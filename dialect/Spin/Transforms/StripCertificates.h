// What spin-strip-certificates does, for passes that make certificates.
#ifndef SPINC_DIALECT_SPIN_TRANSFORMS_STRIPCERTIFICATES_H
#define SPINC_DIALECT_SPIN_TRANSFORMS_STRIPCERTIFICATES_H

#include "mlir/IR/BuiltinOps.h"

namespace spinc::spin {

/// Takes all certificates and claims away.
void stripCertificates(mlir::ModuleOp module);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_TRANSFORMS_STRIPCERTIFICATES_H
