// What the user is told of a loop that may run for ever.
#ifndef SPINC_DIALECT_SPIN_TRANSFORMS_UNBOUNDEDLOOP_H
#define SPINC_DIALECT_SPIN_TRANSFORMS_UNBOUNDEDLOOP_H

#include "dialect/Spin/IR/SpinDialect.h"

namespace spinc::spin {

/// bnd-12: the cycle bound needs one for every loop.
inline mlir::LogicalResult reportUnbounded(mlir::Operation *loop) {
  return mlir::emitError(loop->getLoc()) << "E0513: loop has no bound";
}

/// Reports the loops of the handler for which no bound is found, but not those
/// that `isExcused`: another message speaks of why they have none.
mlir::LogicalResult
demandLoopBounds(HandlerOp handler,
                 llvm::function_ref<bool(mlir::Operation *)> isExcused);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_TRANSFORMS_UNBOUNDEDLOOP_H
