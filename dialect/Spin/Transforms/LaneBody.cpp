// What of a loop's body lanes can do.
#include "dialect/Spin/Transforms/LaneBody.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spinc::spin;

static std::optional<llvm::APInt> constantOf(Value value) {
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number;
  return std::nullopt;
}

static bool isBitwise(Operation *op) {
  return isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op);
}

bool spinc::spin::isSigned(arith::CmpIPredicate predicate) {
  return predicate >= arith::CmpIPredicate::slt &&
         predicate <= arith::CmpIPredicate::sge;
}

/// The same in every iteration: from outside of the loop, or computed in it
/// from that and the indices of loops inside.
bool LaneBody::isUniform(Value value) {
  Operation *parent = value.getParentBlock()->getParentOp();
  if (!loop->isAncestor(parent))
    return true;
  if (auto inner = dyn_cast<scf::ForOp>(parent);
      inner && inner != loop && value == inner.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isUniform(operand); });
}

std::optional<LaneBody::Info> LaneBody::infoOf(Value value) {
  auto found = infos.find(value);
  if (found != infos.end())
    return found->second;
  if (!isa<IntegerType>(value.getType()) || widthOf(value) < bits ||
      widthOf(value) > 32 || !isUniform(value))
    return std::nullopt;
  // Lanes of big-endian elements hold their bytes the other way round.
  needsOrder = true;
  bool isWhole = widthOf(value) == bits;
  std::optional<llvm::APInt> number = constantOf(value);
  return Info{isWhole || (number && number->isIntN(bits)),
              isWhole || (number && number->isSignedIntN(bits)), false};
}

bool LaneBody::isExact(Value value, bool isSigned) {
  std::optional<Info> info = infoOf(value);
  return info && !info->isMask &&
         (isSigned ? info->asSigned : info->asUnsigned);
}

/// Whether the values are equal, and in the same order, where their lanes are.
bool LaneBody::areEquallyExact(Value a, Value b) {
  return (isExact(a, false) && isExact(b, false)) ||
         (isExact(a, true) && isExact(b, true));
}

LaneKind spinc::spin::laneComparison(arith::CmpIPredicate predicate,
                                     bool asSigned) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return LaneKind::Eq;
  case P::ne:
    return LaneKind::Ne;
  case P::slt:
  case P::ult:
    return asSigned ? LaneKind::LtS : LaneKind::LtU;
  case P::sle:
  case P::ule:
    return asSigned ? LaneKind::LeS : LaneKind::LeU;
  case P::sgt:
  case P::ugt:
    return asSigned ? LaneKind::GtS : LaneKind::GtU;
  case P::sge:
  case P::uge:
    return asSigned ? LaneKind::GeS : LaneKind::GeU;
  }
  llvm_unreachable("all predicates are handled");
}

/// What a comparison is on lanes. A number that is its lane read as unsigned is
/// not negative if it is wider; among numbers that are their lanes read as
/// signed, the unsigned order is that of the lanes.
std::optional<LaneKind> LaneBody::comparison(arith::CmpIOp cmp) {
  using P = arith::CmpIPredicate;
  Value a = cmp.getLhs(), b = cmp.getRhs();
  if (!areEquallyExact(a, b))
    return std::nullopt;
  P predicate = cmp.getPredicate();
  bool wider = widthOf(a) > bits;
  bool asSigned =
      isSigned(predicate) && !(wider && isExact(a, false) && isExact(b, false));
  return laneComparison(predicate, asSigned);
}

static std::optional<LaneKind> kindOf(bool isMin, bool isSigned) {
  if (isMin)
    return isSigned ? LaneKind::MinS : LaneKind::MinU;
  return isSigned ? LaneKind::MaxS : LaneKind::MaxU;
}

/// The least or the greatest of two values: as an operation, or chosen by
/// comparing the two. Says nothing of how exact they are.
static std::optional<std::pair<bool, bool>> minOrMax(Operation *op) {
  if (isa<arith::MinUIOp, arith::MinSIOp, arith::MaxUIOp, arith::MaxSIOp>(op))
    return std::pair(isa<arith::MinUIOp, arith::MinSIOp>(op),
                     isa<arith::MinSIOp, arith::MaxSIOp>(op));
  auto select = dyn_cast<arith::SelectOp>(op);
  auto cmp =
      select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
  using P = arith::CmpIPredicate;
  if (!cmp || cmp.getPredicate() == P::eq || cmp.getPredicate() == P::ne)
    return std::nullopt;
  Value a = select.getTrueValue(), b = select.getFalseValue();
  bool straight = cmp.getLhs() == a && cmp.getRhs() == b;
  if (!straight && !(cmp.getLhs() == b && cmp.getRhs() == a))
    return std::nullopt;
  bool isLess =
      llvm::is_contained({P::slt, P::sle, P::ult, P::ule}, cmp.getPredicate());
  return std::pair(isLess == straight, isSigned(cmp.getPredicate()));
}

std::optional<LaneKind> LaneBody::minMax(Operation *op) {
  std::optional<std::pair<bool, bool>> found = minOrMax(op);
  if (!found)
    return std::nullopt;
  unsigned first = isa<arith::SelectOp>(op) ? 1 : 0;
  Value a = op->getOperand(first), b = op->getOperand(first + 1);
  if (!areEquallyExact(a, b))
    return std::nullopt;
  bool asSigned = found->second && !(widthOf(a) > bits && isExact(a, false) &&
                                     isExact(b, false));
  return kindOf(found->first, asSigned);
}

/// Leaves the handler where elements differ.
bool LaneBody::isExit(Operation &op) {
  Value condition = exitCondition(op);
  auto cmp =
      condition ? condition.getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  if (!cmp || !infos.contains(condition))
    return false;
  auto wanted =
      isa<RequireOp>(op) ? arith::CmpIPredicate::eq : arith::CmpIPredicate::ne;
  return cmp.getPredicate() == wanted;
}

Value LaneBody::exitCondition(Operation &op) {
  if (auto require = dyn_cast<RequireOp>(op))
    return require.getCondition();
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch || branch.getNumResults() != 0 || branch.elseBlock() ||
      !isa<ExitOp>(branch.thenBlock()->front()))
    return Value();
  return branch.getCondition();
}

bool LaneBody::takeAccess(Value slice, Value index, ByteOrder order,
                          SmallVectorImpl<Value> &places) {
  unsigned width = cast<SliceType>(slice.getType()).getElementBytes() * 8;
  bool isBig = order == ByteOrder::Big && width > 8;
  if (width != bits || index != loop.getInductionVar() || !isUniform(slice) ||
      ((!read.empty() || !written.empty()) && isBig != isBigEndian))
    return false;
  isBigEndian = isBig;
  if (width > 8) {
    auto view = slice.getDefiningOp<ViewAsOp>();
    if (!view)
      return false;
    slice = view.getSlice();
  }
  places.push_back(slice);
  return true;
}

/// An argument that one operation combines with something, and nothing else
/// looks at.
bool LaneBody::takeReduction(unsigned index) {
  BlockArgument argument = loop.getRegionIterArgs()[index];
  Operation *combine = loop.getYieldedValues()[index].getDefiningOp();
  if (!combine || combine->getBlock() != loop.getBody() ||
      !combine->hasOneUse() || !isa<IntegerType>(argument.getType()))
    return false;
  auto select = dyn_cast<arith::SelectOp>(combine);
  std::optional<std::pair<bool, bool>> least = minOrMax(combine);
  if (!isBitwise(combine) && !least)
    return false;
  unsigned first = select ? 1 : 0;
  Value a = combine->getOperand(first), b = combine->getOperand(first + 1);
  if ((a == argument) == (b == argument))
    return false;
  for (Operation *user : argument.getUsers())
    if (user != combine &&
        !(select && select.getCondition().getDefiningOp() == user &&
          user->hasOneUse()))
      return false;
  reductions.push_back(
      {index, combine,
       least ? *kindOf(least->first, least->second) : LaneKind::Add, !least,
       a == argument ? b : a, least && least->second});
  return true;
}

/// Lanes pass through a change of width.
std::optional<LaneBody::Info> LaneBody::extended(Operation *op) {
  std::optional<Info> info = infoOf(op->getOperand(0));
  Value result = op->getResult(0);
  if (!info || widthOf(result) < bits || widthOf(result) > 32)
    return std::nullopt;
  bool isWhole = widthOf(op->getOperand(0)) == bits;
  if (info->isMask) // a number 0 or 1, or 0 or -1
    return isa<arith::ExtUIOp>(op) ? Info{true, true, false, /*isBit=*/true}
                                   : Info{widthOf(result) == bits, true};
  if (isa<arith::TruncIOp>(op))
    return widthOf(result) == bits ? Info{true, true, false, info->isBit}
                                   : *info;
  if (isa<arith::ExtUIOp>(op))
    return Info{info->asUnsigned, false, false, info->isBit};
  return isWhole ? Info{false, true} : *info;
}

/// By a constant below the width of a lane.
std::optional<LaneBody::Info> LaneBody::shifted(Operation *op) {
  std::optional<Info> info = infoOf(op->getOperand(0));
  std::optional<llvm::APInt> amount = constantOf(op->getOperand(1));
  if (!info || info->isMask || !amount || amount->uge(bits))
    return std::nullopt;
  bool isWhole = widthOf(op->getResult(0)) == bits;
  if (isa<arith::ShLIOp>(op))
    return Info{isWhole, isWhole};
  if (isa<arith::ShRUIOp>(op) && !info->asUnsigned)
    return std::nullopt;
  if (isa<arith::ShRSIOp>(op) && !info->asSigned &&
      (isWhole || !info->asUnsigned))
    return std::nullopt;
  info->isBit = isa<arith::ShRUIOp>(op) && *amount == bits - 1;
  return isWhole ? Info{true, true, false, info->isBit} : *info;
}

std::optional<LaneBody::Info> LaneBody::combined(Operation *op) {
  std::optional<Info> a = infoOf(op->getOperand(0)),
                      b = infoOf(op->getOperand(1));
  if (!a || !b || a->isMask != b->isMask)
    return std::nullopt;
  if (a->isMask)
    return isBitwise(op) ? a : std::nullopt;
  if (widthOf(op->getResult(0)) == bits)
    return Info{true, true};
  if (isa<arith::AndIOp>(op))
    return Info{a->asUnsigned || b->asUnsigned, a->asSigned && b->asSigned};
  if (isBitwise(op))
    return Info{a->asUnsigned && b->asUnsigned, a->asSigned && b->asSigned};
  return Info{};
}

/// What lanes give of an operation without memory and regions.
std::optional<LaneBody::Info> LaneBody::computed(Operation &op) {
  if (isBitwise(&op))
    return combined(&op);
  if (isa<arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp>(op))
    return extended(&op);
  if (auto cmp = dyn_cast<arith::CmpIOp>(op)) {
    needsOrder |= cmp.getPredicate() != arith::CmpIPredicate::eq &&
                  cmp.getPredicate() != arith::CmpIPredicate::ne;
    return comparison(cmp) ? std::optional(Info{false, false, true})
                           : std::nullopt;
  }
  auto select = dyn_cast<arith::SelectOp>(op);
  if (select && !minMax(select)) {
    std::optional<Info> a = infoOf(select.getTrueValue()),
                        b = infoOf(select.getFalseValue());
    Value condition = select.getCondition();
    if (!a || !b || a->isMask || b->isMask ||
        (!infos.contains(condition) && !isUniform(condition)))
      return std::nullopt;
    return Info{a->asUnsigned && b->asUnsigned, a->asSigned && b->asSigned};
  }
  needsOrder = true;
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return combined(&op);
  if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
    return shifted(&op);
  if (minMax(&op)) {
    unsigned first = select ? 1 : 0;
    Info a = *infoOf(op.getOperand(first)),
         b = *infoOf(op.getOperand(first + 1));
    return Info{a.asUnsigned && b.asUnsigned, a.asSigned && b.asSigned};
  }
  // A number or nothing: no product leaves its lane.
  auto bit = infos.find(op.getOperand(0));
  if (isa<arith::MulIOp>(op) && bit != infos.end() && bit->second.isBit &&
      widthOf(op.getResult(0)) == bits && isUniform(op.getOperand(1)))
    return Info{true, true};
  return std::nullopt;
}

/// A loop or a branch that is the same for all elements, and computes only.
bool LaneBody::takeRegions(Operation &op) {
  if (llvm::any_of(op.getResults(), [&](Value result) {
        return !result.getType().isInteger(bits);
      }))
    return false;
  auto areLanes = [&](ValueRange values) {
    return llvm::all_of(values, [&](Value value) { return !!infoOf(value); });
  };
  if (auto inner = dyn_cast<scf::ForOp>(op)) {
    if (!isUniform(inner.getLowerBound()) ||
        !isUniform(inner.getUpperBound()) || !isUniform(inner.getStep()) ||
        !areLanes(inner.getInitArgs()))
      return false;
    for (Value argument : inner.getRegionIterArgs())
      infos[argument] = {true, true};
    if (!takeBlock(*inner.getBody()) || !areLanes(inner.getYieldedValues()))
      return false;
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (!isUniform(branch.getCondition()) || branch.getNumResults() == 0)
      return false;
    for (Block *block : {branch.thenBlock(), branch.elseBlock()})
      if (!takeBlock(*block) ||
          !areLanes(block->getTerminator()->getOperands()))
        return false;
  } else {
    return false;
  }
  for (Value result : op.getResults())
    infos[result] = {true, true};
  return true;
}

bool LaneBody::takeOperation(Operation &op) {
  if (op.getBlock() == loop.getBody()) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      infos[load.getResult()] = {true, true};
      return takeAccess(load.getSlice(), load.getIndex(), load.getOrder(),
                        read);
    }
    if (auto store = dyn_cast<StoreOp>(op))
      return infoOf(store.getValue()) &&
             takeAccess(store.getSlice(), store.getIndex(), store.getOrder(),
                        written);
    if (isExit(op))
      return leaves = true;
  }
  if (op.getNumRegions() != 0)
    return takeRegions(op);
  if (op.getNumResults() != 1 || !isMemoryEffectFree(&op))
    return false;
  if (isUniform(op.getResult(0)))
    return true;
  std::optional<Info> info = computed(op);
  if (info)
    infos[op.getResult(0)] = *info;
  return info.has_value();
}

bool LaneBody::takeBlock(Block &block) {
  return llvm::all_of(block.without_terminator(), [&](Operation &op) {
    return combining.contains(&op) || takeOperation(op);
  });
}

bool LaneBody::analyze() {
  for (Operation &op : loop.getBody()->without_terminator()) {
    Value slice;
    if (auto load = dyn_cast<LoadOp>(op))
      slice = load.getSlice();
    else if (auto store = dyn_cast<StoreOp>(op))
      slice = store.getSlice();
    else
      continue;
    bits = cast<SliceType>(slice.getType()).getElementBytes() * 8;
    break;
  }
  if (bits != 8 && bits != 16)
    return false;
  for (unsigned index = 0; index != loop.getNumRegionIterArgs(); ++index)
    if (!takeReduction(index))
      return false;
  for (const LaneReduction &reduction : reductions) {
    combining.insert(reduction.combine);
    if (auto select = dyn_cast<arith::SelectOp>(reduction.combine))
      combining.insert(select.getCondition().getDefiningOp());
  }
  if (!takeBlock(*loop.getBody()))
    return false;
  for (LaneReduction &reduction : reductions) {
    bool wider = widthOf(reduction.element) > bits;
    bool asUnsigned = isExact(reduction.element, false);
    needsOrder = true; // of the result
    if (!infos.contains(reduction.element) ||
        (!asUnsigned && !isExact(reduction.element, true)))
      return false;
    // Unsigned lanes of a wider number are not negative.
    reduction.isSigned = wider ? !asUnsigned : reduction.isSigned;
    if (!reduction.isBitwise) {
      bool isMin =
          reduction.kind == LaneKind::MinS || reduction.kind == LaneKind::MinU;
      bool asSigned = (reduction.kind == LaneKind::MinS ||
                       reduction.kind == LaneKind::MaxS) &&
                      !(wider && asUnsigned);
      reduction.kind = *kindOf(isMin, asSigned);
    }
  }
  if (isBigEndian && needsOrder)
    return false;
  // A word may reach beyond the element at which the handler leaves.
  return leaves ? written.empty() : !written.empty() || !reductions.empty();
}
