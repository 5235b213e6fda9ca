// See Overlaps.h.
#include "dialect/Spin/Analysis/Overlaps.h"

using namespace mlir;
using namespace spinc::spin;

/// The array, packet or field that a slice is part of.
static Value memoryOf(Value slice) {
  while (isa_and_nonnull<SubsliceOp, ViewAsOp, MemberOp>(slice.getDefiningOp()))
    slice = slice.getDefiningOp()->getOperand(0);
  return slice;
}

static MemorySpace spaceOf(Value slice) {
  return cast<SliceType>(slice.getType()).getSpace();
}

/// Whether the first bytes are so far apart that neither reaches the other.
static bool isBehind(HandlerFacts &facts, const LinearExpr &left,
                     const LinearExpr &leftBytes, const LinearExpr &right,
                     const LinearExpr &rightBytes) {
  Solver solver = facts.getSolver();
  return solver.implies({right - left - leftBytes, /*equality=*/false}) ||
         solver.implies({left - right - rightBytes, /*equality=*/false});
}

bool spinc::spin::startTogether(HandlerFacts &facts, Value left, Value right) {
  Evaluator &evaluator = facts.getEvaluator();
  SlicePlace first = evaluator.place(left), second = evaluator.place(right);
  return first.root == second.root &&
         facts.getSolver().implies(
             {second.offset - first.offset, /*equality=*/true});
}

bool spinc::spin::areApart(HandlerFacts &facts, Value left, Value right) {
  if (spaceOf(left) != spaceOf(right))
    return true;
  if (left == right)
    return false;
  Evaluator &evaluator = facts.getEvaluator();
  SlicePlace first = evaluator.place(left), second = evaluator.place(right);
  if (first.root != second.root) {
    Value one = memoryOf(left), other = memoryOf(right);
    return one != other && one.getDefiningOp<LocalOp>() &&
           other.getDefiningOp<LocalOp>();
  }
  return isBehind(facts, first.offset, evaluator.bytes(left), second.offset,
                  evaluator.bytes(right));
}

std::optional<AccessedBytes> spinc::spin::accessedBytes(Operation *op) {
  auto elements = [](Value slice, Value index) {
    unsigned bytes = cast<SliceType>(slice.getType()).getElementBytes();
    return AccessedBytes{slice, index, bytes, bytes};
  };
  auto wire = [](Value slice, Value offset, Value value) {
    return AccessedBytes{slice, offset, 1,
                         value.getType().getIntOrFloatBitWidth() / 8};
  };
  if (auto load = dyn_cast<LoadOp>(op))
    return elements(load.getSlice(), load.getIndex());
  if (auto store = dyn_cast<StoreOp>(op))
    return elements(store.getSlice(), store.getIndex());
  if (auto load = dyn_cast<WireLoadOp>(op))
    return wire(load.getSlice(), load.getOffset(), load.getResult());
  if (auto store = dyn_cast<WireStoreOp>(op))
    return wire(store.getSlice(), store.getOffset(), store.getValue());
  return std::nullopt;
}

bool spinc::spin::areApart(HandlerFacts &facts, const AccessedBytes &left,
                           const AccessedBytes &right) {
  if (areApart(facts, left.slice, right.slice))
    return true;
  Evaluator &evaluator = facts.getEvaluator();
  SlicePlace first = evaluator.place(left.slice),
             second = evaluator.place(right.slice);
  if (first.root != second.root)
    return false;
  auto startOf = [&](const SlicePlace &place, const AccessedBytes &access) {
    return place.offset +
           evaluator.number(access.index) * Integer(access.scale);
  };
  return isBehind(facts, startOf(first, left), LinearExpr::number(left.bytes),
                  startOf(second, right), LinearExpr::number(right.bytes));
}
