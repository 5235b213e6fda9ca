// What the user is told of a loop that may run for ever.
#ifndef SPINC_DIALECT_SPIN_TRANSFORMS_UNBOUNDEDLOOP_H
#define SPINC_DIALECT_SPIN_TRANSFORMS_UNBOUNDEDLOOP_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace spinc::spin {

/// bnd-12: the cycle bound needs one for every loop.
inline mlir::LogicalResult reportUnbounded(mlir::Operation *loop) {
  return mlir::emitError(loop->getLoc()) << "E0513: loop has no bound";
}

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_TRANSFORMS_UNBOUNDEDLOOP_H
