// Where an operation comes from in a file.
#ifndef SPINC_DIALECT_SPIN_IR_SOURCEPLACE_H
#define SPINC_DIALECT_SPIN_IR_SOURCEPLACE_H

#include "mlir/IR/Location.h"

namespace spinc::spin {

/// The first place in a file that `location` leads to; of a call that was
/// inlined, the place in the function. Null if it leads to none.
mlir::FileLineColRange sourcePlace(mlir::Location location);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_IR_SOURCEPLACE_H
