// Packed values of constants, and what their operations oblige to.
#include "dialect/Spin/IR/Numbers.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::meaning;

/// What `kind` makes of one lane of each operand.
static llvm::APInt evaluateLane(LaneKind kind, const llvm::APInt &a,
                                const llvm::APInt &b) {
  auto mask = [&](bool holds) {
    return holds ? llvm::APInt::getAllOnes(a.getBitWidth())
                 : llvm::APInt::getZero(a.getBitWidth());
  };
  switch (kind) {
  case LaneKind::Add:
    return a + b;
  case LaneKind::Sub:
    return a - b;
  case LaneKind::MinS:
    return a.slt(b) ? a : b;
  case LaneKind::MinU:
    return a.ult(b) ? a : b;
  case LaneKind::MaxS:
    return a.sgt(b) ? a : b;
  case LaneKind::MaxU:
    return a.ugt(b) ? a : b;
  case LaneKind::Shl:
    return a.shl(b);
  case LaneKind::ShrU:
    return a.lshr(b);
  case LaneKind::ShrS:
    return a.ashr(b);
  case LaneKind::Eq:
    return mask(a == b);
  case LaneKind::Ne:
    return mask(a != b);
  case LaneKind::LtS:
    return mask(a.slt(b));
  case LaneKind::LeS:
    return mask(a.sle(b));
  case LaneKind::GtS:
    return mask(a.sgt(b));
  case LaneKind::GeS:
    return mask(a.sge(b));
  case LaneKind::LtU:
    return mask(a.ult(b));
  case LaneKind::LeU:
    return mask(a.ule(b));
  case LaneKind::GtU:
    return mask(a.ugt(b));
  case LaneKind::GeU:
    return mask(a.uge(b));
  }
  llvm_unreachable("all kinds are handled");
}

OpFoldResult LanesOp::fold(FoldAdaptor adaptor) {
  auto left = dyn_cast_if_present<IntegerAttr>(adaptor.getLeft());
  auto right = dyn_cast_if_present<IntegerAttr>(adaptor.getRight());
  if (!left || !right)
    return {};
  unsigned width = laneBits();
  llvm::APInt word = left.getValue(), other = right.getValue();
  if (isShift()) {
    if (other.uge(width))
      return {};
    other = llvm::APInt::getSplat(32, other.trunc(width));
  }
  for (unsigned at = 0; at < 32; at += width)
    word.insertBits(evaluateLane(getKind(), word.extractBits(width, at),
                                 other.extractBits(width, at)),
                    at);
  return IntegerAttr::get(getType(), word);
}

Obligations LanesOp::getObligations(Numbers &numbers) {
  if (!isShift())
    return {};
  return {Obligation::notBelow(Form(Int(laneBits() - 1)),
                               numbers.number(getRight()))};
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  auto number = dyn_cast_if_present<IntegerAttr>(adaptor.getValue());
  if (!number)
    return {};
  return IntegerAttr::get(
      getType(),
      llvm::APInt::getSplat(32, number.getValue().trunc(32 / getCount())));
}

LogicalResult InsertLaneOp::verify() {
  if (getLane() >= getCount())
    return emitOpError() << "has no lane " << getLane();
  return success();
}
