// Attaches MeaningOpInterface to the operations of other dialects that handlers
// are made of. Used by the dialect itself only.
#ifndef SPINC_DIALECT_SPIN_IR_MODELS_H
#define SPINC_DIALECT_SPIN_IR_MODELS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace spinc::spin {

void attachArithModels(mlir::MLIRContext *context);
void attachLoopModels(mlir::MLIRContext *context);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_IR_MODELS_H
