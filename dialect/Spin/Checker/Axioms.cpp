// What holds for atoms and values at the present place.
#include "dialect/Spin/Checker/Facts.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::checker;

using Constraints = Facts::Constraints;

/// Adds low <= form <= high.
static void addRange(Constraints &to, const Form &form, Int low, Int high) {
  to.push_back({form.minus(Form(low))});
  to.push_back({Form(high).minus(form)});
}

Int Facts::moduleNumber(StringRef name, int64_t fallback) {
  auto module = context->getParentOfType<ModuleOp>();
  auto number = module->getAttrOfType<IntegerAttr>(name);
  return Int(number ? number.getInt() : fallback);
}

Constraints Facts::axioms(AtomId id) {
  Constraints result;
  Atom atom = atoms[id];
  Form self = Form::of(id);
  auto atLeast = [&](const Form &big, const Form &small) {
    result.push_back({big.minus(small)});
  };
  auto field = [&]() { return context.lookupSymbol<StateOp>(atom.name); };
  switch (atom.kind) {
  case AtomKind::Packet:
    addRange(result, self, Int(context.getGuaranteedBytes()),
             Int(context.getMtu()));
    return result;
  case AtomKind::Host:
    addRange(result, self, Int(0), powerOfTwo(32) - 1);
    return result;
  case AtomKind::Param:
    addRange(result, self, Int(0),
             powerOfTwo(field().getElement().getIntOrFloatBitWidth()) - 1);
    return result;
  case AtomKind::Quotient: {
    Form rest = atom.top.plus(self, -atom.bottom.constant);
    addRange(result, rest, Int(0), atom.bottom.constant - 1);
    return result;
  }
  case AtomKind::Ratio: {
    Form rest = atom.top.minus(multiply(self, atom.bottom));
    return {{rest},
            {atom.bottom.minus(rest).plus(Form(Int(-1)))},
            {self},
            {atom.top.minus(self)}};
  }
  case AtomKind::Product:
    return result;
  case AtomKind::Length:
    addRange(result, self, Int(0), powerOfTwo(32) - 1);
    if (auto piece = dyn_cast<BlockArgument>(atom.value))
      if (auto loop = dyn_cast<ForPiecesOp>(piece.getOwner()->getParentOp())) {
        if (!isAvailable(piece) ||
            loop.getData().getType().getElementBytes() != 1)
          return {};
        atLeast(self, Form(Int(1)));
        atLeast(length(loop.getData()), self);
        if (auto view = loop.getView().getDefiningOp<StridedViewOp>())
          atLeast(number(view.getBlock()), self);
      }
    return result;
  case AtomKind::Rounds:
  case AtomKind::Unsigned:
  case AtomKind::Signed:
    break;
  }
  if (!isAvailable(atom.value) || !isa<IntegerType>(atom.value.getType()))
    return result;
  bool isSigned = atom.kind == AtomKind::Signed;
  unsigned width = atom.value.getType().getIntOrFloatBitWidth();
  Int half = isSigned ? powerOfTwo(width - 1) : Int(0);
  addRange(result, self, -half, powerOfTwo(width) - half - 1);
  if (!atom.top.terms.empty())
    result.push_back({self.minus(atom.top), true});
  Operation *op = atom.value.getDefiningOp();
  if (!op) {
    auto loop =
        dyn_cast<scf::ForOp>(atom.value.getParentBlock()->getParentOp());
    if (!loop || loop.getInductionVar() != atom.value ||
        (atom.kind != AtomKind::Rounds && loop.getUnsignedCmp() == isSigned))
      return result;
    bool asSigned = !loop.getUnsignedCmp();
    Form index = number(atom.value, asSigned);
    atLeast(index, number(loop.getLowerBound(), asSigned));
    atLeast(number(loop.getUpperBound(), asSigned), index.plus(Form(Int(1))));
    return result;
  }
  if (isa<HpuIdOp>(op))
    atLeast(Form(moduleNumber("spin.hpus", 32) - 1), self);
  if (isa<ClusterIdOp>(op))
    atLeast(Form(moduleNumber("spin.clusters", 4) - 1), self);
  if (op->getNumOperands() != 2 || !isa<arith::ArithDialect>(op->getDialect()))
    return result;
  if (isSigned != isa<arith::MinSIOp, arith::MaxSIOp>(op))
    return result;
  Form a = number(op->getOperand(0), isSigned),
       b = number(op->getOperand(1), isSigned);
  if (isa<arith::AndIOp, arith::MinUIOp, arith::MinSIOp, arith::RemUIOp,
          arith::ShRUIOp>(op))
    atLeast(a, self);
  if (isa<arith::AndIOp, arith::MinUIOp, arith::MinSIOp>(op))
    atLeast(b, self);
  if (isa<arith::OrIOp, arith::MaxUIOp, arith::MaxSIOp>(op)) {
    atLeast(self, a);
    atLeast(self, b);
  }
  if (isa<arith::OrIOp, arith::XOrIOp>(op))
    atLeast(a.plus(b), self);
  if (isa<arith::RemUIOp>(op)) {
    atLeast(b, self.plus(Form(Int(1))));
    result.push_back({multiply(ratio(a, b), b).plus(self).minus(a), true});
  }
  return result;
}

Constraints Facts::truth(Value condition) {
  std::optional<bool> truth = known(condition);
  if (!truth)
    return {};
  Constraints result;
  result.push_back({number(condition).minus(Form(Int(*truth))), true});
  auto cmp = condition.getDefiningOp<arith::CmpIOp>();
  if (!cmp || !isa<IntegerType>(cmp.getLhs().getType()))
    return result;
  using P = arith::CmpIPredicate;
  P is =
      *truth ? cmp.getPredicate() : arith::invertPredicate(cmp.getPredicate());
  auto difference = [&](bool isSigned) {
    return number(cmp.getRhs(), isSigned).minus(number(cmp.getLhs(), isSigned));
  };
  if (is == P::eq)
    for (bool isSigned : {false, true})
      result.push_back({difference(isSigned), true});
  if (is == P::eq || is == P::ne)
    return result;
  bool isLess = llvm::is_contained({P::ult, P::ule, P::slt, P::sle}, is);
  bool isStrict = llvm::is_contained({P::ult, P::ugt, P::slt, P::sgt}, is);
  bool isSigned = llvm::is_contained({P::slt, P::sle, P::sgt, P::sge}, is);
  result.push_back({difference(isSigned)
                        .times(Int(isLess ? 1 : -1))
                        .plus(Form(Int(isStrict ? -1 : 0)))});
  return result;
}

Constraints Facts::about(Value value) {
  Operation *op = value.getDefiningOp();
  Constraints result;
  if (!op || !isAvailable(value))
    return result;
  auto [condition, ifTrue, ifFalse] = choice(value);
  if (condition && known(condition)) {
    Value one = *known(condition) ? ifTrue : ifFalse;
    if (isa<SliceType>(value.getType()))
      return {{length(value).minus(length(one)), true}};
    for (bool isSigned : {false, true})
      result.push_back(
          {number(value, isSigned).minus(number(one, isSigned)), true});
    return result;
  }
  auto load = dyn_cast<WireLoadOp>(op);
  if (!load || !packetIsFresh || !packetIsStable)
    return result;
  unsigned width = value.getType().getIntOrFloatBitWidth(), low, size;
  auto [root, offset] = start(load.getSlice());
  offset = offset.plus(number(load.getOffset()));
  if (isOverwritten(handler, load) || !root.getDefiningOp<PacketBytesOp>() ||
      !offset.terms.empty() ||
      (load.getOrder() != ByteOrder::Big && width != 8))
    return result;
  for (Attribute attribute : context.getMatch()) {
    auto rule = cast<MatchRuleAttr>(attribute);
    if (offset.constant != int64_t(rule.getOffset()) ||
        rule.getWidth() * 8 != width ||
        !llvm::APInt(width, rule.getMask()).isShiftedMask(low, size))
      continue;
    Form bits = quotient(number(value), powerOfTwo(low));
    if (low + size != width)
      bits = bits.plus(quotient(bits, powerOfTwo(size)), -powerOfTwo(size));
    addRange(result, bits.times(powerOfTwo(low)), Int(rule.getMin()),
             Int(rule.getMax()));
  }
  return result;
}

/// The slice that `slice` was cut from, and how many bytes from its start.
std::pair<Value, Form> Facts::start(Value slice) {
  if (auto view = slice.getDefiningOp<ViewAsOp>())
    return start(view.getSlice());
  auto part = slice.getDefiningOp<SubsliceOp>();
  if (!part)
    return {slice, Form()};
  auto [root, offset] = start(part.getSlice());
  return {root, offset.plus(number(part.getOffset()),
                            Int(part.getType().getElementBytes()))};
}

/// Whether the packet may be written after `from` and before `to`.
bool Facts::isOverwritten(Operation *from, Operation *to) {
  return llvm::any_of(writers, [&](Operation *writer) {
    bool isBetween = order[writer] > order[from] && order[writer] < order[to];
    for (Operation *loop = to->getParentOp(); loop != handler;
         loop = loop->getParentOp())
      isBetween |= !isa<scf::IfOp>(loop) && loop->isAncestor(writer) &&
                   !loop->isAncestor(from);
    return isBetween;
  });
}

Constraints Facts::sameBytes(Value first, Value second) {
  Form offsets[2];
  ByteOrder byteOrders[2] = {};
  for (int index : {0, 1}) {
    Value root, value = index == 0 ? first : second;
    if (!value || !isAvailable(value))
      return {};
    if (auto load = value.getDefiningOp<WireLoadOp>()) {
      std::tie(root, offsets[index]) = start(load.getSlice());
      offsets[index] = offsets[index].plus(number(load.getOffset()));
      byteOrders[index] = load.getOrder();
    } else if (auto load = value.getDefiningOp<LoadOp>()) {
      std::tie(root, offsets[index]) = start(load.getSlice());
      offsets[index] =
          offsets[index].plus(number(load.getIndex()),
                              Int(load.getSlice().getType().getElementBytes()));
      byteOrders[index] = load.getOrder();
    }
    if (!root || !root.getDefiningOp<PacketBytesOp>())
      return {};
  }
  Form apart = offsets[0].minus(offsets[1]);
  Operation *from = first.getDefiningOp(), *to = second.getDefiningOp();
  if (order[to] < order[from])
    std::swap(from, to);
  if (first.getType() != second.getType() || !apart.terms.empty() ||
      apart.constant != 0 ||
      (byteOrders[0] != byteOrders[1] && !first.getType().isInteger(8)) ||
      !packetIsStable || isOverwritten(from, to))
    return {};
  return {{number(first).minus(number(second)), true}};
}

Constraints Facts::invariants(Value argument) {
  auto block = argument ? argument.getParentBlock() : nullptr;
  auto found = block ? loops.find(block->getParentOp()) : loops.end();
  if (found == loops.end() || isa<OpResult>(argument))
    return {};
  Operation *loop = found->first;
  bool isInside = loop->isProperAncestor(at), isWhile = isa<scf::WhileOp>(loop);
  if (!isInside &&
      !(isWhile ? opened.contains(block) : isAvailable(loop->getBlock(), loop)))
    return {};
  Constraints result;
  for (const Form &form : found->second.invariants)
    if (isInside || isWhile)
      result.push_back({form});
    else if (std::optional<Form> after =
                 substitute(form, found->second, found->second.results))
      result.push_back({*after});
    else
      result.push_back({Form()});
  return result;
}

bool Facts::alternatives(Value value, std::array<Constraint, 2> &either,
                         std::array<std::pair<Value, bool>, 2> &conditions) {
  Operation *op = value.getDefiningOp();
  std::optional<bool> truth = known(value);
  if (isa_and_nonnull<arith::MinUIOp, arith::MinSIOp, arith::MaxUIOp,
                      arith::MaxSIOp>(op)) {
    bool isSigned = isa<arith::MinSIOp, arith::MaxSIOp>(op),
         isMin = isa<arith::MinUIOp, arith::MinSIOp>(op);
    for (int i : {0, 1})
      either[i].form = number(value, isSigned)
                           .minus(number(op->getOperand(i), isSigned))
                           .times(Int(isMin ? 1 : -1));
    return true;
  }
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op) && truth &&
      isa<arith::OrIOp>(op) == *truth) {
    conditions = {{{op->getOperand(0), *truth}, {op->getOperand(1), *truth}}};
    return true;
  }
  auto cmp = dyn_cast_or_null<arith::CmpIOp>(op);
  if (!cmp || !truth || !isa<IntegerType>(cmp.getLhs().getType()) ||
      cmp.getPredicate() !=
          (*truth ? arith::CmpIPredicate::ne : arith::CmpIPredicate::eq))
    return false;
  Form apart = number(cmp.getRhs()).minus(number(cmp.getLhs()));
  either = {{{apart.plus(Form(Int(-1)))},
             {apart.times(Int(-1)).plus(Form(Int(-1)))}}};
  return true;
}
