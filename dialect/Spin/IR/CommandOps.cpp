// Verifiers and meaning of the operations that issue commands.
#include "dialect/Spin/IR/Numbers.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::meaning;

LogicalResult NotifyOp::verify() {
  if (!getDest().getType().getElement().isInteger(8))
    return emitOpError() << "needs a slice of i8, not " << getDest().getType();
  return success();
}

// Meaning.

Obligations DmaToHostOp::getObligations(Numbers &numbers) {
  return {Obligation::notBelow(numbers.bytes(getDest()),
                               numbers.bytes(getSource()))};
}

Obligations DmaFromHostOp::getObligations(Numbers &numbers) {
  return {Obligation::notBelow(numbers.bytes(getDest()),
                               numbers.bytes(getSource()))};
}

Obligations SendOp::getObligations(Numbers &numbers) {
  return {Obligation::notBelow(Form(Int(numbers.context.getMtu())),
                               numbers.bytes(getData()))};
}

Obligations NotifyOp::getObligations(Numbers &numbers) {
  Form size = numbers.length(getDest()), eight(Int(8)),
       offset = numbers.start(getDest()).second;
  // The rest of the division by 8 is 0.
  return {Obligation::notBelow(size, eight), Obligation::notBelow(eight, size),
          Obligation::notBelow(numbers.quotient(offset, Int(8)).times(Int(8)),
                               offset)};
}
