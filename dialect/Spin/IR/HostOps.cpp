// Verifiers and meaning of the operations on host memory.
#include "dialect/Spin/IR/Numbers.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::meaning;

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

// Meaning.

std::optional<Form> HostSizeOp::getNumber(Value, bool isSigned,
                                          Numbers &numbers) {
  return isSigned ? std::nullopt
                  : std::optional(numbers.hostBytes(getRegionAttr().getAttr()));
}

std::optional<Form> HostSliceOp::getLength(Value, Numbers &numbers) {
  return numbers.hostBytes(getRegionAttr().getAttr());
}

Obligations StridedViewOp::getObligations(Numbers &numbers) {
  Form count = numbers.number(getCount()), block = numbers.number(getBlock()),
       stride = numbers.number(getStride()), one(Int(1));
  return {Obligation::notBelow(count, one), Obligation::notBelow(block, one),
          Obligation::notBelow(stride, block),
          Obligation::notBelow(
              numbers.length(getRegion()),
              numbers.multiply(count.minus(one), stride).plus(block))};
}

/// The bytes that a view holds, if it is known how it was made.
static std::optional<Form> viewBytes(Value view, Numbers &numbers) {
  auto made = view.getDefiningOp<StridedViewOp>();
  return made ? std::optional(numbers.multiply(numbers.number(made.getCount()),
                                               numbers.number(made.getBlock())))
              : std::nullopt;
}

std::optional<Form> StridedLengthOp::getNumber(Value, bool isSigned,
                                               Numbers &numbers) {
  return isSigned ? std::nullopt : viewBytes(getView(), numbers);
}

Obligations ForPiecesOp::getObligations(Numbers &numbers) {
  std::optional<Form> bytes = viewBytes(getView(), numbers);
  if (!bytes)
    return {Obligation::impossible()};
  return {Obligation::notBelow(
      *bytes, numbers.number(getOffset()).plus(numbers.bytes(getData())))};
}

/// The two pieces of an iteration have one length in bytes.
std::optional<Form> ForPiecesOp::getLength(Value piece, Numbers &numbers) {
  Block &body = getBody().front();
  return piece == body.getArgument(0) &&
                 getData().getType().getElementBytes() == 1
             ? std::optional(numbers.length(body.getArgument(1)))
             : std::nullopt;
}

Constraints ForPiecesOp::getAxioms(Value piece, bool, Numbers &numbers) {
  if (piece != getBody().front().getArgument(1) ||
      getData().getType().getElementBytes() != 1)
    return {};
  Form length = numbers.length(piece);
  Constraints result{notBelow(length, Form(Int(1))),
                     notBelow(numbers.length(getData()), length)};
  if (auto view = getView().getDefiningOp<StridedViewOp>())
    result.push_back(notBelow(numbers.number(view.getBlock()), length));
  return result;
}
