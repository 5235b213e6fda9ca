// Verifiers of the operations on host memory and atomics.
#include "dialect/Spin/IR/SpinDialect.h"

using namespace mlir;
using namespace spinc::spin;

/// Host memory is seen in bytes.
static LogicalResult verifyBytes(Operation *op, Type slice) {
  if (!cast<SliceType>(slice).getElement().isInteger(8))
    return op->emitOpError() << "needs a slice of i8, not " << slice;
  return success();
}

LogicalResult HostSliceOp::verify() { return verifyBytes(*this, getType()); }

LogicalResult StridedViewOp::verify() {
  return verifyBytes(*this, getRegion().getType());
}

LogicalResult NotifyOp::verify() {
  return verifyBytes(*this, getDest().getType());
}

LogicalResult AtomicRmwOp::verify() {
  SliceType slice = getSlice().getType();
  if (!slice.getElement().isInteger(32))
    return emitOpError() << "works on elements of i32, not " << slice;
  return success();
}

LogicalResult ForPiecesOp::verify() {
  Block &body = getBody().front();
  if (body.getNumArguments() != 2 + getInits().size())
    return emitOpError() << "needs a body with two pieces and "
                         << getInits().size() << " carried values";
  Type host = SliceType::get(getContext(), IntegerType::get(getContext(), 8),
                             MemorySpace::Host);
  if (body.getArgument(0).getType() != host ||
      body.getArgument(1).getType() != getData().getType())
    return emitOpError() << "needs pieces of types " << host << " and "
                         << getData().getType();
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getValues().getTypes() != getInits().getTypes() ||
      getResultTypes() != getInits().getTypes() ||
      ValueRange(body.getArguments().drop_front(2)).getTypes() !=
          getInits().getTypes())
    return emitOpError() << "must carry and yield values of the same types";
  return success();
}
