// What the operations compute, as forms, and what holds for atoms. An operation
// with obligations is taken to keep them: each is checked where it stands.
#include "dialect/Spin/Checker/Facts.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::checker;

/// Longer sums become atoms, with the sum as an axiom.
static constexpr size_t maxTerms = 12;

static unsigned widthOf(Value value) {
  return value.getType().getIntOrFloatBitWidth();
}

static std::optional<llvm::APInt> constantOf(Value value) {
  llvm::APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) ? std::optional(constant)
                                                       : std::nullopt;
}

AtomId Facts::intern(Atom atom) {
  std::string key;
  llvm::raw_string_ostream out(key);
  auto print = [&](Form form) {
    llvm::sort(form.terms);
    out << ' ' << form.constant;
    for (const auto &[id, coefficient] : form.terms)
      out << ' ' << id << '*' << coefficient;
    out << ';';
  };
  out << unsigned(atom.kind) << ' ' << atom.value.getAsOpaquePointer() << ' '
      << atom.name.getAsOpaquePointer();
  print(atom.top);
  print(atom.bottom);
  llvm::sort(atom.factors);
  llvm::interleave(atom.factors, out, " ");
  auto [entry, isNew] = interned.try_emplace(key, atoms.size());
  if (isNew)
    atoms.push_back(std::move(atom));
  return entry->second;
}

void Facts::mention(const Form &form, SmallVectorImpl<AtomId> &names) const {
  for (const auto &[id, factor] : form.terms)
    if (!llvm::is_contained(names, id)) {
      names.push_back(id);
      mention(atoms[id].top, names);
      mention(atoms[id].bottom, names);
      for (AtomId inner : atoms[id].factors)
        mention(Form::of(inner), names);
    }
}

Form Facts::quotient(Form top, const Int &bottom) {
  Form whole(floorDiv(top.constant, bottom)), rest(mod(top.constant, bottom));
  for (const auto &[id, factor] : top.terms)
    if (factor % bottom == 0)
      whole = whole.plus(Form::of(id, factor / bottom));
    else
      rest = rest.plus(Form::of(id, factor));
  if (rest.terms.empty())
    return whole;
  // floor((floor(e / a) + c) / b) = floor((e + c * a) / (a * b)).
  Atom inner = atoms[rest.terms[0].first];
  if (rest.terms.size() == 1 && rest.terms[0].second == 1 &&
      inner.kind == AtomKind::Quotient)
    return whole.plus(
        quotient(inner.top.plus(Form(rest.constant * inner.bottom.constant)),
                 inner.bottom.constant * bottom));
  return whole.plus(
      Form::of(intern({AtomKind::Quotient, {}, {}, rest, Form(bottom), {}})));
}

Form Facts::ratio(const Form &top, const Form &bottom) {
  return Form::of(intern({AtomKind::Ratio, {}, {}, top, bottom, {}}));
}

Form Facts::multiply(const Form &left, const Form &right) {
  Form result = left.times(right.constant);
  for (const auto &[b, factor] : right.terms) {
    result = result.plus(Form::of(b, factor * left.constant));
    for (const auto &[a, coefficient] : left.terms) {
      Atom product{AtomKind::Product, {}, {}, {}, {}, {}};
      for (AtomId id : {a, b})
        if (atoms[id].kind == AtomKind::Product)
          llvm::append_range(product.factors, atoms[id].factors);
        else
          product.factors.push_back(id);
      result = result.plus(Form::of(intern(product), coefficient * factor));
    }
  }
  return result;
}

/// The number of `width` bits that equals `form` modulo 2^width.
Form Facts::wrapped(const Form &form, unsigned width, bool isSigned) {
  Int half = isSigned ? powerOfTwo(width - 1) : Int(0);
  Int size = powerOfTwo(width);
  return form.plus(quotient(form.plus(Form(half)), size), -size);
}

Form Facts::number(Value value, bool isSigned) {
  auto found = forms.find({value, isSigned});
  if (found != forms.end())
    return found->second;
  Form result;
  if (!isa<IntegerType>(value.getType())) {
    result = Form::of(intern({AtomKind::Signed, value, {}, {}, {}, {}}));
  } else if (std::optional<Form> direct = exact(value, isSigned)) {
    result = *direct;
    if (result.terms.size() > maxTerms)
      result =
          Form::of(intern({isSigned ? AtomKind::Signed : AtomKind::Unsigned,
                           value,
                           {},
                           *direct,
                           {},
                           {}}));
  } else if (exact(value, !isSigned)) {
    result = wrapped(number(value, !isSigned), widthOf(value), isSigned);
  } else {
    result = Form::of(intern({AtomKind::Unsigned, value, {}, {}, {}, {}}));
    if (isSigned)
      result = wrapped(result, widthOf(value), true);
  }
  forms[{value, isSigned}] = result;
  return result;
}

/// The number that the operation gives in this reading; nothing if it is
/// better known in the other one, or not at all.
std::optional<Form> Facts::exact(Value value, bool isSigned) {
  if (std::optional<llvm::APInt> constant = constantOf(value))
    return Form(Int(isSigned ? *constant
                             : constant->zext(constant->getBitWidth() + 1)));
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (loop && loop.getInductionVar() == value &&
        loop.getUnsignedCmp() != isSigned) {
      std::optional<llvm::APInt> step = constantOf(loop.getStep());
      if (!step || step->isOne())
        return Form::of(
            intern({isSigned ? AtomKind::Signed : AtomKind::Unsigned, value}));
      return number(loop.getLowerBound(), isSigned)
          .plus(Form::of(intern({AtomKind::Rounds, value})),
                number(loop.getStep(), isSigned).constant);
    }
    auto test = dyn_cast<scf::WhileOp>(parent);
    if (test && argument.getOwner() == test.getAfterBody())
      return number(test.getConditionOp().getArgs()[argument.getArgNumber()],
                    isSigned);
    if (auto state = dyn_cast<StateOp>(parent); state && !isSigned)
      return Form::of(
          intern({AtomKind::Param, {}, state.getSymNameAttr(), {}, {}, {}}));
    return std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  unsigned width = widthOf(value);
  auto operand = [&](unsigned index) {
    return number(op->getOperand(index), isSigned);
  };
  // The range of a sum is known better than that of each product of its parts.
  auto factor = [&](unsigned index) {
    Form form = operand(index);
    return form.terms.size() < 2
               ? form
               : Form::of(
                     intern({isSigned ? AtomKind::Signed : AtomKind::Unsigned,
                             op->getOperand(index),
                             {},
                             form}));
  };
  if (auto test = dyn_cast<scf::WhileOp>(op))
    return number(test.getConditionOp()
                      .getArgs()[cast<OpResult>(value).getResultNumber()],
                  isSigned);
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp,
          arith::TruncIOp>(op)) {
    auto flags = cast<arith::ArithIntegerOverflowFlagsInterface>(op);
    bool nuw = flags.hasNoUnsignedWrap(), nsw = flags.hasNoSignedWrap();
    if ((nuw || nsw) && !(isSigned ? nsw : nuw))
      return std::nullopt;
    std::optional<llvm::APInt> amount = op->getNumOperands() == 2
                                            ? constantOf(op->getOperand(1))
                                            : std::nullopt;
    if (isa<arith::ShLIOp>(op) && (!amount || amount->uge(width)))
      return std::nullopt;
    Form result = isa<arith::AddIOp>(op)   ? operand(0).plus(operand(1))
                  : isa<arith::SubIOp>(op) ? operand(0).minus(operand(1))
                  : isa<arith::MulIOp>(op) ? multiply(factor(0), factor(1))
                  : isa<arith::ShLIOp>(op)
                      ? operand(0).times(powerOfTwo(amount->getZExtValue()))
                      : operand(0);
    return nuw || nsw ? result : wrapped(result, width, isSigned);
  }
  if (isa<arith::ExtUIOp>(op))
    return number(op->getOperand(0));
  if (isSigned && isa<arith::ExtSIOp>(op))
    return operand(0);
  if (isSigned && isa<arith::MinSIOp, arith::MaxSIOp>(op))
    return Form::of(intern({AtomKind::Signed, value, {}, {}, {}, {}}));
  if (isSigned)
    return std::nullopt;
  if (auto param = dyn_cast<ParamOp>(op))
    return Form::of(intern(
        {AtomKind::Param, {}, param.getFieldAttr().getAttr(), {}, {}, {}}));
  if (auto size = dyn_cast<HostSizeOp>(op))
    return Form::of(intern(
        {AtomKind::Host, {}, size.getRegionAttr().getAttr(), {}, {}, {}}));
  if (auto headers = dyn_cast<HeaderBytesOp>(op))
    return number(headers.getBytes());
  if (auto size = dyn_cast<SliceLengthOp>(op))
    return length(size.getSlice());
  if (auto size = dyn_cast<StridedLengthOp>(op)) {
    auto view = size.getView().getDefiningOp<StridedViewOp>();
    return view ? std::optional(multiply(number(view.getCount()),
                                         number(view.getBlock())))
                : std::nullopt;
  }
  if (isa<arith::DivUIOp>(op) && !constantOf(op->getOperand(1)))
    return ratio(operand(0), operand(1));
  std::optional<llvm::APInt> right =
      op->getNumOperands() == 2 ? constantOf(op->getOperand(1)) : std::nullopt;
  if (!right)
    return std::nullopt;
  Int by(right->zext(width + 1));
  unsigned low, size;
  if (isa<arith::ShRUIOp>(op) && right->ult(width))
    return quotient(operand(0), powerOfTwo(right->getZExtValue()));
  if (isa<arith::DivUIOp>(op) && by > 0)
    return quotient(operand(0), by);
  if (isa<arith::CeilDivUIOp>(op) && by > 0)
    return quotient(operand(0).plus(Form(by - 1)), by);
  if (isa<arith::RemUIOp>(op) && by > 0)
    return operand(0).plus(quotient(operand(0), by), -by);
  if (isa<arith::XOrIOp>(op) && right->isAllOnes())
    return Form(by).minus(operand(0));
  if (isa<arith::AndIOp>(op) && right->isShiftedMask(low, size)) {
    Form field = quotient(operand(0), powerOfTwo(low));
    if (low + size != width)
      field = field.plus(quotient(field, powerOfTwo(size)), -powerOfTwo(size));
    return field.times(powerOfTwo(low));
  }
  return std::nullopt;
}

Form Facts::length(Value slice) {
  Operation *op = slice.getDefiningOp();
  if (isa_and_nonnull<PacketBytesOp>(op))
    return Form::of(intern({AtomKind::Packet, {}, {}, {}, {}, {}}));
  if (auto host = dyn_cast_or_null<HostSliceOp>(op))
    return Form::of(intern(
        {AtomKind::Host, {}, host.getRegionAttr().getAttr(), {}, {}, {}}));
  if (isa_and_nonnull<StateSliceOp, StateCopyOp>(op))
    return Form(Int(context
                        .lookupSymbol<StateOp>(
                            op->getAttrOfType<FlatSymbolRefAttr>("field"))
                        .getCount()));
  if (isa_and_nonnull<LocalOp, TableSliceOp, MemberOp>(op))
    return Form(Int(op->getAttrOfType<IntegerAttr>("count").getInt()));
  if (auto part = dyn_cast_or_null<SubsliceOp>(op))
    return number(part.getLength());
  if (auto view = dyn_cast_or_null<ViewAsOp>(op))
    return quotient(bytes(view.getSlice()),
                    Int(view.getType().getElementBytes()));
  // The two pieces of an iteration have one length.
  if (auto piece = dyn_cast<BlockArgument>(slice))
    if (auto loop = dyn_cast<ForPiecesOp>(piece.getOwner()->getParentOp());
        loop && loop.getData().getType().getElementBytes() == 1)
      slice = piece.getOwner()->getArgument(1);
  return Form::of(intern({AtomKind::Length, slice, {}, {}, {}, {}}));
}

Form Facts::bytes(Value slice) {
  return length(slice).times(
      Int(cast<SliceType>(slice.getType()).getElementBytes()));
}

Form Facts::payload() {
  Form packet = Form::of(intern({AtomKind::Packet, {}, {}, {}, {}, {}}));
  for (HeaderBytesOp headers : handler.getBody().getOps<HeaderBytesOp>())
    return packet.minus(number(headers.getBytes()));
  return packet.plus(Form(-Int(context.getHeaderBytes())));
}

std::optional<Form> Facts::boundForm(BoundAttr bound) {
  auto symbol = [&](StringRef name) -> std::optional<Form> {
    if (name == "p.length")
      return payload();
    auto state = context.lookupSymbol<StateOp>(name);
    return state && state.getKind() == StateKind::Param
               ? std::optional(Form::of(intern({AtomKind::Param,
                                                {},
                                                state.getSymNameAttr(),
                                                {},
                                                {},
                                                {}})))
               : std::nullopt;
  };
  std::function<std::optional<Form>(AffineExpr)> convert =
      [&](AffineExpr expr) -> std::optional<Form> {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return Form(Int(constant.getValue()));
    if (auto operand = dyn_cast<AffineSymbolExpr>(expr)) {
      auto [top, bottom] =
          bound.getSymbols()[operand.getPosition()].getValue().split(" / ");
      std::optional<Form> first = symbol(top), second = symbol(bottom);
      return bottom.empty()    ? first
             : first && second ? std::optional(ratio(*first, *second))
                               : std::nullopt;
    }
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    auto left = binary ? convert(binary.getLHS()) : std::nullopt;
    auto right = binary ? convert(binary.getRHS()) : std::nullopt;
    if (!left || !right)
      return std::nullopt;
    if (expr.getKind() == AffineExprKind::Add)
      return left->plus(*right);
    if (!right->terms.empty() || right->constant <= 0)
      return expr.getKind() == AffineExprKind::Mul && right->terms.empty()
                 ? std::optional(left->times(right->constant))
                 : std::nullopt;
    const Int &by = right->constant;
    switch (expr.getKind()) {
    case AffineExprKind::Mul:
      return left->times(by);
    case AffineExprKind::FloorDiv:
      return quotient(*left, by);
    case AffineExprKind::Mod:
      return left->plus(quotient(*left, by), -by);
    default:
      return std::nullopt;
    }
  };
  return convert(bound.getMap().getResult(0));
}
