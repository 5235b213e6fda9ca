// What of a loop's body lanes can do, and the body on words.
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

// The body on words.

Value LaneBody::number(int64_t value) {
  return arith::ConstantIntOp::create(*builder, builder->getI32Type(), value);
}

Value LaneBody::lanesOp(LaneKind kind, Value left, Value right) {
  return LanesOp::create(*builder, kind, left, right, lanes());
}

/// What is the same in every iteration is so in every lane.
Value LaneBody::lanesOf(Value value, unsigned word) {
  auto found = wordsOf.find(value);
  if (found != wordsOf.end())
    return found->second[word];
  Value number = uniform.lookupOrDefault(value);
  Type i32 = builder->getI32Type();
  if (widthOf(number) < 32)
    number = builder->createOrFold<arith::ExtUIOp>(i32, number);
  return builder->createOrFold<SplatOp>(number, lanes());
}

/// The slice of bytes that elements are loaded from and stored to.
Value LaneBody::bytesOf(Value slice) {
  if (bits > 8)
    slice = slice.getDefiningOp<ViewAsOp>().getSlice();
  return uniform.lookupOrDefault(slice);
}

Value LaneBody::emitExtension(Operation *op, unsigned word) {
  Value lanes = lanesOf(op->getOperand(0), word);
  if (isa<arith::ExtUIOp>(op) && infos[op->getOperand(0)].isMask) {
    return arith::AndIOp::create(
        *builder, lanes,
        builder->createOrFold<SplatOp>(number(1), this->lanes()));
  }
  return lanes;
}

Value LaneBody::emitSelect(arith::SelectOp select, unsigned word) {
  Value a = lanesOf(select.getTrueValue(), word),
        b = lanesOf(select.getFalseValue(), word);
  if (!infos.contains(select.getCondition()))
    return arith::SelectOp::create(
        *builder, uniform.lookupOrDefault(select.getCondition()), a, b);
  Value mask = lanesOf(select.getCondition(), word);
  Value differ = arith::AndIOp::create(
      *builder, arith::XOrIOp::create(*builder, a, b), mask);
  return arith::XOrIOp::create(*builder, b, differ);
}

Value LaneBody::emitValue(Operation *op, unsigned word) {
  if (isa<arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp>(op))
    return emitExtension(op, word);
  auto operand = [&](unsigned index) {
    return lanesOf(op->getOperand(index), word);
  };
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    return lanesOp(*comparison(cmp), operand(0), operand(1));
  if (std::optional<LaneKind> kind = minMax(op)) {
    unsigned first = isa<arith::SelectOp>(op) ? 1 : 0;
    return lanesOp(*kind, operand(first), operand(first + 1));
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return emitSelect(select, word);
  if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op)) {
    Value amount = number(constantOf(op->getOperand(1))->getZExtValue());
    bool toLeft = isa<arith::ShLIOp>(op);
    bool asSigned =
        isa<arith::ShRSIOp>(op) && infoOf(op->getOperand(0))->asSigned;
    return lanesOp(toLeft     ? LaneKind::Shl
                   : asSigned ? LaneKind::ShrS
                              : LaneKind::ShrU,
                   operand(0), amount);
  }
  if (isa<arith::AddIOp>(op))
    return lanesOp(LaneKind::Add, operand(0), operand(1));
  if (isa<arith::SubIOp>(op))
    return lanesOp(LaneKind::Sub, operand(0), operand(1));
  if (isa<arith::MulIOp>(op))
    return arith::MulIOp::create(
        *builder, operand(0),
        builder->createOrFold<arith::ExtUIOp>(
            Type(builder->getI32Type()),
            uniform.lookupOrDefault(op->getOperand(1))));
  OperationState state(op->getLoc(), op->getName());
  state.addOperands({operand(0), operand(1)});
  state.addTypes(builder->getI32Type());
  return builder->create(state)->getResult(0);
}

/// One question for all words. Of a word that is not whole the upper lanes are
/// not asked.
void LaneBody::emitExit(Operation &op) {
  auto cmp = exitCondition(op).getDefiningOp<arith::CmpIOp>();
  Value differ;
  for (unsigned word = 0; word != offsets.size(); ++word) {
    Value apart = arith::XOrIOp::create(*builder, lanesOf(cmp.getLhs(), word),
                                        lanesOf(cmp.getRhs(), word));
    differ =
        differ ? Value(arith::OrIOp::create(*builder, differ, apart)) : apart;
  }
  if (bytes < 4)
    differ = arith::ShLIOp::create(*builder, differ, number(32 - 8 * bytes));
  Value condition =
      arith::CmpIOp::create(*builder, cmp.getPredicate(), differ, number(0));
  IRMapping mapping;
  mapping.map(exitCondition(op), condition);
  builder->clone(op, mapping);
}

void LaneBody::emitLoad(LoadOp load) {
  Words &words = wordsOf[load.getResult()];
  for (Value offset : offsets) {
    Value loaded = WireLoadOp::create(
        *builder, Type(builder->getIntegerType(8 * bytes)),
        bytesOf(load.getSlice()), offset, ByteOrder::Little, ProofAttr());
    if (bytes < 4)
      loaded =
          arith::ExtUIOp::create(*builder, Type(builder->getI32Type()), loaded);
    words.push_back(loaded);
  }
}

void LaneBody::emitStore(StoreOp store) {
  for (auto [word, offset] : llvm::enumerate(offsets)) {
    Value stored = lanesOf(store.getValue(), word);
    if (bytes < 4)
      stored = arith::TruncIOp::create(
          *builder, Type(builder->getIntegerType(8 * bytes)), stored);
    WireStoreOp::create(*builder, stored, bytesOf(store.getSlice()), offset,
                        ByteOrder::Little, ProofAttr());
  }
}

/// The words of all values, those of one value next to each other.
SmallVector<Value> LaneBody::giveWords(ValueRange values) {
  SmallVector<Value> words;
  for (Value value : values)
    for (unsigned word = 0; word != offsets.size(); ++word)
      words.push_back(lanesOf(value, word));
  return words;
}

void LaneBody::takeWords(ValueRange values, ValueRange words) {
  for (Value value : values) {
    wordsOf[value].assign(words.begin(), words.begin() + offsets.size());
    words = words.drop_front(offsets.size());
  }
}

void LaneBody::emitFor(scf::ForOp inner) {
  auto same = [&](Value value) { return uniform.lookupOrDefault(value); };
  auto wide = scf::ForOp::create(
      *builder, same(inner.getLowerBound()), same(inner.getUpperBound()),
      same(inner.getStep()), giveWords(inner.getInitArgs()),
      /*bodyBuilder=*/nullptr, inner.getUnsignedCmp());
  OpBuilder::InsertionGuard guard(*builder);
  builder->setInsertionPointToStart(wide.getBody());
  uniform.map(inner.getInductionVar(), wide.getInductionVar());
  takeWords(inner.getRegionIterArgs(), wide.getRegionIterArgs());
  emitBlock(*inner.getBody());
  if (wide.getNumResults() != 0)
    scf::YieldOp::create(*builder, giveWords(inner.getYieldedValues()));
  takeWords(inner.getResults(), wide.getResults());
}

void LaneBody::emitIf(scf::IfOp branch) {
  SmallVector<Type> types(branch.getNumResults() * offsets.size(),
                          builder->getI32Type());
  auto wide = scf::IfOp::create(*builder, types,
                                uniform.lookupOrDefault(branch.getCondition()),
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (auto [from, to] : {std::pair(branch.thenBlock(), wide.thenBlock()),
                          std::pair(branch.elseBlock(), wide.elseBlock())}) {
    OpBuilder::InsertionGuard guard(*builder);
    builder->setInsertionPointToStart(to);
    emitBlock(*from);
    scf::YieldOp::create(*builder,
                         giveWords(from->getTerminator()->getOperands()));
  }
  takeWords(branch.getResults(), wide.getResults());
}

void LaneBody::emitOperation(Operation &op) {
  auto reduction = llvm::find_if(reductions, [&](const LaneReduction &each) {
    return each.combine == &op;
  });
  if (reduction != reductions.end()) {
    Value &total = (*carried)[reduction->argument];
    for (unsigned word = 0; word != offsets.size(); ++word)
      total = combine(*reduction, total, lanesOf(reduction->element, word));
  } else if (combining.contains(&op)) {
    return;
  } else if (auto load = dyn_cast<LoadOp>(op)) {
    emitLoad(load);
  } else if (auto store = dyn_cast<StoreOp>(op)) {
    emitStore(store);
  } else if (auto inner = dyn_cast<scf::ForOp>(op)) {
    emitFor(inner);
  } else if (op.getNumResults() == 0) {
    emitExit(op);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    emitIf(branch);
  } else if (isUniform(op.getResult(0))) {
    builder->clone(op, uniform);
  } else {
    Words words;
    for (unsigned word = 0; word != offsets.size(); ++word)
      words.push_back(emitValue(&op, word));
    wordsOf[op.getResult(0)] = std::move(words);
  }
}

void LaneBody::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    builder->setLoc(op.getLoc());
    emitOperation(op);
  }
}

void LaneBody::emit(ImplicitLocOpBuilder &target, Value index, unsigned words,
                    unsigned wordBytes, SmallVectorImpl<Value> &totals) {
  builder = &target;
  bytes = wordBytes;
  carried = &totals;
  wordsOf.clear();
  uniform.clear();
  auto nuw = arith::IntegerOverflowFlags::nuw;
  if (bits > 8)
    index = arith::MulIOp::create(target, index, number(bits / 8), nuw);
  offsets.assign(1, index);
  for (unsigned word = 1; word != words; ++word)
    offsets.push_back(
        arith::AddIOp::create(target, index, number(4 * word), nuw));
  emitBlock(*loop.getBody());
}

Value LaneBody::combine(const LaneReduction &reduction, Value a, Value b) {
  if (!reduction.isBitwise)
    return lanesOp(reduction.kind, a, b);
  OperationState state(builder->getLoc(), reduction.combine->getName());
  state.addOperands({a, b});
  state.addTypes(builder->getI32Type());
  return builder->create(state)->getResult(0);
}

Value LaneBody::identity(ImplicitLocOpBuilder &target,
                         const LaneReduction &reduction) {
  llvm::APInt lane(bits, 0);
  if (isa<arith::AndIOp>(reduction.combine) || reduction.kind == LaneKind::MinU)
    lane = llvm::APInt::getMaxValue(bits);
  else if (reduction.kind == LaneKind::MinS)
    lane = llvm::APInt::getSignedMaxValue(bits);
  else if (reduction.kind == LaneKind::MaxS)
    lane = llvm::APInt::getSignedMinValue(bits);
  return arith::ConstantOp::create(
      target, target.getIntegerAttr(target.getI32Type(),
                                    llvm::APInt::getSplat(32, lane)));
}

Value LaneBody::finish(ImplicitLocOpBuilder &target,
                       const LaneReduction &reduction, Value word) {
  builder = &target;
  for (unsigned distance = 16; distance >= bits; distance /= 2) {
    word = combine(reduction, word,
                   arith::ShRUIOp::create(target, word, number(distance)));
  }
  Value element =
      arith::TruncIOp::create(target, target.getIntegerType(bits), word);
  Type type = reduction.element.getType();
  if (type.getIntOrFloatBitWidth() > bits)
    element = reduction.isSigned
                  ? Value(arith::ExtSIOp::create(target, type, element))
                  : Value(arith::ExtUIOp::create(target, type, element));
  IRMapping mapping;
  mapping.map(loop.getRegionIterArgs()[reduction.argument],
              loop.getInitArgs()[reduction.argument]);
  mapping.map(reduction.element, element);
  if (auto select = dyn_cast<arith::SelectOp>(reduction.combine))
    target.clone(*select.getCondition().getDefiningOp(), mapping);
  return target.clone(*reduction.combine, mapping)->getResult(0);
}
