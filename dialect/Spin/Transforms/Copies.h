// Copies between the NIC and the host, and what may be done around commands,
// for the passes that merge and move them.
#ifndef SPINC_DIALECT_SPIN_TRANSFORMS_COPIES_H
#define SPINC_DIALECT_SPIN_TRANSFORMS_COPIES_H

#include "dialect/Spin/IR/SpinDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace spinc::spin {

/// A copy between the NIC and the host; it is as long as its source.
struct Copy {
  mlir::Operation *op = nullptr;
  mlir::Value dest, source;
};

std::optional<Copy> copyOf(mlir::Operation *op);

/// A copy in the same direction as `copy`, without a proof.
Copy copyLike(const Copy &copy, mlir::ImplicitLocOpBuilder &builder,
              mlir::Value dest, mlir::Value source);

/// Its handle is waited for in this block only, or not at all.
bool isWaitedForHere(mlir::Operation *copy);

/// Sums of offsets and lengths in one slice do not wrap.
mlir::Value addExactly(mlir::ImplicitLocOpBuilder &builder, mlir::Value left,
                       mlir::Value right);

/// Whether `op` only computes and reads. So it leaves the handler on no way,
/// and neither the card nor other handlers can tell when it runs.
bool isQuiet(mlir::Operation *op);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_TRANSFORMS_COPIES_H
