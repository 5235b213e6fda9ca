// Constants among the operands that passes look at.
#ifndef SPINC_DIALECT_SPIN_TRANSFORMS_CONSTANTS_H
#define SPINC_DIALECT_SPIN_TRANSFORMS_CONSTANTS_H

#include "mlir/IR/Matchers.h"

namespace spinc::spin {

/// Whether `value` is a constant, read as unsigned, that equals `expected`.
inline bool isNumber(mlir::Value value, uint64_t expected) {
  llvm::APInt number;
  return mlir::matchPattern(value, mlir::m_ConstantInt(&number)) &&
         number == expected;
}

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_TRANSFORMS_CONSTANTS_H
