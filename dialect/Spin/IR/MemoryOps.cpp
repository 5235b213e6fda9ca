// Verifiers of the operations on slices.
#include "dialect/Spin/IR/SpinDialect.h"

using namespace mlir;
using namespace spinc::spin;

LogicalResult PacketBytesOp::verify() {
  SliceType type = getType();
  if (!type.getElement().isInteger(8) ||
      (type.getSpace() != MemorySpace::PacketL1 &&
       type.getSpace() != MemorySpace::PacketL2))
    return emitOpError() << "gives i8 elements in packet memory, not " << type;
  return success();
}

LogicalResult ViewAsOp::verify() {
  SliceType from = getSlice().getType(), to = getType();
  if (!from.getElement().isInteger(8) || from.getSpace() != to.getSpace())
    return emitOpError() << "turns i8 elements into elements of the same "
                            "space, not "
                         << from << " into " << to;
  return success();
}

/// Checks that an element access moves a value of the element type.
static LogicalResult verifyElement(Operation *op, SliceType slice, Type value) {
  if (slice.getElement() != value)
    return op->emitOpError() << "moves " << value << " but elements are "
                             << slice.getElement();
  return success();
}

/// Checks that an access at a byte offset has bytes to work on.
static LogicalResult verifyWire(Operation *op, SliceType slice, Type value) {
  if (!slice.getElement().isInteger(8))
    return op->emitOpError() << "needs a slice of i8, not " << slice;
  if (value.getIntOrFloatBitWidth() % 8 != 0 ||
      value.getIntOrFloatBitWidth() > 64)
    return op->emitOpError() << "moves whole bytes, at most 8, not " << value;
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyElement(*this, getSlice().getType(), getType());
}

LogicalResult StoreOp::verify() {
  return verifyElement(*this, getSlice().getType(), getValue().getType());
}

LogicalResult WireLoadOp::verify() {
  return verifyWire(*this, getSlice().getType(), getType());
}

LogicalResult WireStoreOp::verify() {
  return verifyWire(*this, getSlice().getType(), getValue().getType());
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
