// Forms of values and slices, and what holds for atoms.
#include "dialect/Spin/IR/Numbers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::meaning;

/// Longer sums become atoms, with the sum as an axiom.
static constexpr size_t maxTerms = 12;

static bool isBefore(AtomId left, AtomId right) {
  return std::tie(left->rank, left) < std::tie(right->rank, right);
}

Form Form::plus(const Form &other, const Int &factor) const {
  // Numbers of more than 64 bits are slow to multiply and to compare.
  bool isPlus = factor == 1, isMinus = factor == -1;
  auto scaled = [&](const Int &number) {
    return isPlus ? number : isMinus ? -number : number * factor;
  };
  Form result(constant);
  result.constant += scaled(other.constant);
  const auto *mine = terms.begin(), *theirs = other.terms.begin();
  for (; theirs != other.terms.end(); ++theirs) {
    for (; mine != terms.end() && isBefore(mine->first, theirs->first); ++mine)
      result.terms.push_back(*mine);
    Int sum = scaled(theirs->second);
    if (mine != terms.end() && mine->first == theirs->first)
      sum += mine++->second;
    if (sum != 0)
      result.terms.emplace_back(theirs->first, std::move(sum));
  }
  result.terms.append(mine, terms.end());
  return result;
}

std::optional<llvm::APInt> spinc::spin::meaning::constantOf(Value value) {
  // As nearly all are; the matcher takes long.
  if (auto plain = value.getDefiningOp<arith::ConstantOp>())
    if (auto integer = dyn_cast<IntegerAttr>(plain.getValue()))
      return integer.getValue();
  llvm::APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) ? std::optional(constant)
                                                       : std::nullopt;
}

std::pair<Int, Int> spinc::spin::meaning::limits(unsigned width,
                                                 bool isSigned) {
  Int half = isSigned ? powerOfTwo(width - 1) : Int(0);
  return {-half, powerOfTwo(width) - half - 1};
}

Constraints spinc::spin::meaning::within(const Form &form,
                                         const std::pair<Int, Int> &limits) {
  return {notBelow(form, limits.first), notBelow(limits.second, form)};
}

Numbers::Numbers(HandlerOp handler)
    : handler(handler), context(handler->getParentOfType<ContextOp>()) {
  auto add = [&](Operation *op) {
    order[op] = order.size();
    llvm::append_range(values, op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::append_range(values, block.getArguments());
  };
  for (Operation &op : context.getBody().front())
    if (isa<StateOp, ContractOp>(op))
      op.walk<WalkOrder::PreOrder>(add);
  handler.walk<WalkOrder::PreOrder>(add);
  places.reserve(values.size());
  for (auto [index, value] : llvm::enumerate(values))
    places[value] = index;
  for (HeaderBytesOp first : handler.getBody().getOps<HeaderBytesOp>()) {
    headers = first;
    break;
  }
  notePacketWrites();
}

/// The rank tells atoms apart by what they are, never by when they were made.
static uint64_t rankOf(const Atom &atom, const Numbers &numbers) {
  if (atom.value)
    return uint64_t(numbers.numberOf(atom.value)) << 4 | unsigned(atom.kind);
  std::string text = atom.name ? atom.name.str() : "";
  llvm::raw_string_ostream out(text);
  out << ' ' << unsigned(atom.kind);
  for (const Form *form : {&atom.top, &atom.bottom}) {
    out << ' ' << form->constant;
    for (const auto &[part, factor] : form->terms)
      out << ' ' << factor << '*' << part->rank;
  }
  for (AtomId factor : atom.factors)
    out << ' ' << factor->rank;
  return llvm::xxh3_64bits(text) | uint64_t(1) << 63;
}

Form Numbers::make(Atom atom) {
  llvm::sort(atom.factors, isBefore);
  std::vector<std::pair<AtomId, Int>> top(atom.top.terms.begin(),
                                          atom.top.terms.end()),
      bottom(atom.bottom.terms.begin(), atom.bottom.terms.end());
  for (AtomId factor : atom.factors)
    bottom.emplace_back(factor, Int(1));
  auto [entry, isNew] = interned.try_emplace(
      {atom.kind, atom.value.getAsOpaquePointer(),
       atom.name.getAsOpaquePointer(), std::move(top), atom.top.constant,
       std::move(bottom), atom.bottom.constant},
      nullptr);
  if (isNew) {
    atom.rank = rankOf(atom, *this);
    atoms.push_back(std::move(atom));
    entry->second = &atoms.back();
  }
  return Form::of(entry->second);
}

void Numbers::mention(const Form &form, SmallVectorImpl<AtomId> &names) const {
  for (const auto &[id, factor] : form.terms)
    if (!llvm::is_contained(names, id)) {
      names.push_back(id);
      // The sum that a value equals comes up with that axiom, and may be over
      // values that are sums in turn.
      if (id->kind == AtomKind::Unsigned || id->kind == AtomKind::Signed)
        continue;
      mention(id->top, names);
      mention(id->bottom, names);
      for (AtomId inner : id->factors)
        mention(Form::of(inner), names);
    }
}

Form Numbers::quotient(Form top, const Int &bottom) {
  Form whole(floorDiv(top.constant, bottom)), rest(mod(top.constant, bottom));
  for (const auto &[id, factor] : top.terms)
    if (factor % bottom == 0)
      whole = whole.plus(Form::of(id, factor / bottom));
    else
      rest = rest.plus(Form::of(id, factor));
  if (rest.isConstant())
    return whole;
  // floor((f * e + c) / (f * b)) = floor((e + floor(c / f)) / b).
  Int common = bottom;
  for (const auto &[id, factor] : rest.terms)
    common = gcd(common, abs(factor));
  if (common > 1) {
    Form reduced(floorDiv(rest.constant, common));
    for (const auto &[id, factor] : rest.terms)
      reduced = reduced.plus(Form::of(id, factor / common));
    return whole.plus(quotient(reduced, bottom / common));
  }
  // floor((floor(e / a) + m) / b) = floor((e + m * a) / (a * b)), for integers
  // m.
  for (const auto &[inner, factor] : rest.terms) {
    if (factor != 1 || inner->kind != AtomKind::Quotient)
      continue;
    const Int &by = inner->bottom.constant;
    return whole.plus(quotient(inner->top.plus(rest.minus(Form::of(inner)), by),
                               by * bottom));
  }
  return whole.plus(make({AtomKind::Quotient, {}, {}, rest, Form(bottom)}));
}

Form Numbers::ratio(const Form &top, const Form &bottom) {
  return make({AtomKind::Ratio, {}, {}, top, bottom});
}

Form Numbers::multiply(const Form &left, const Form &right) {
  Form result = left.times(right.constant);
  for (const auto &[b, factor] : right.terms) {
    result = result.plus(Form::of(b, factor * left.constant));
    for (const auto &[a, coefficient] : left.terms) {
      Atom product{AtomKind::Product};
      for (AtomId id : {a, b})
        if (id->kind == AtomKind::Product)
          llvm::append_range(product.factors, id->factors);
        else
          product.factors.push_back(id);
      result = result.plus(make(product), coefficient * factor);
    }
  }
  return result;
}

Form Numbers::wrapped(const Form &form, unsigned width, bool isSigned) {
  Int half = -limits(width, isSigned).first, size = powerOfTwo(width);
  return form.plus(quotient(form.plus(Form(half)), size), -size);
}

Form Numbers::reading(Value value, bool isSigned, Form sum) {
  return make({isSigned ? AtomKind::Signed : AtomKind::Unsigned,
               value,
               {},
               std::move(sum)});
}

Form Numbers::rounds(Value index) { return make({AtomKind::Rounds, index}); }

/// The operation that says what `value` is.
static MeaningOpInterface teller(Value value) {
  Operation *op = value.getDefiningOp();
  return dyn_cast<MeaningOpInterface>(
      op ? op : value.getParentBlock()->getParentOp());
}

std::optional<Form> Numbers::exact(Value value, bool isSigned) {
  if (std::optional<llvm::APInt> constant = constantOf(value))
    return Form(Int(isSigned ? *constant
                             : constant->zext(constant->getBitWidth() + 1)));
  MeaningOpInterface op = teller(value);
  return op ? op.getNumber(value, isSigned, *this) : std::nullopt;
}

const Form &Numbers::number(Value value, bool isSigned) {
  auto found = numbers[isSigned].find(value);
  if (found != numbers[isSigned].end())
    return *found->second;
  Form result;
  if (!isa<IntegerType>(value.getType())) {
    result = reading(value, true);
  } else if (std::optional<Form> direct = exact(value, isSigned)) {
    result = direct->terms.size() > maxTerms ? reading(value, isSigned, *direct)
                                             : *direct;
  } else {
    unsigned width = value.getType().getIntOrFloatBitWidth();
    bool isOther = exact(value, !isSigned).has_value();
    result = isOther ? number(value, !isSigned) : reading(value, false);
    if (isOther || isSigned)
      result = wrapped(result, width, isSigned);
  }
  forms.push_back(std::move(result));
  numbers[isSigned][value] = &forms.back();
  return forms.back();
}

Form Numbers::length(Value slice) {
  MeaningOpInterface op = teller(slice);
  std::optional<Form> known =
      op ? op.getLength(slice, *this) : std::optional<Form>();
  return known ? *known : make({AtomKind::Length, slice});
}

Form Numbers::bytes(Value slice) {
  return length(slice).times(
      Int(cast<SliceType>(slice.getType()).getElementBytes()));
}

Form Numbers::payload() {
  if (headers)
    return packetBytes().minus(number(headers.getBytes()));
  return packetBytes().plus(Form(-Int(context.getHeaderBytes())));
}

int64_t Numbers::moduleNumber(StringRef name, int64_t fallback) {
  auto module = context->getParentOfType<ModuleOp>();
  auto number = module->getAttrOfType<IntegerAttr>(name);
  return number ? number.getInt() : fallback;
}

std::pair<Value, Form> Numbers::start(Value slice) {
  if (auto view = slice.getDefiningOp<ViewAsOp>())
    return start(view.getSlice());
  auto part = slice.getDefiningOp<SubsliceOp>();
  if (!part)
    return {slice, Form()};
  auto [root, offset] = start(part.getSlice());
  return {root, offset.plus(number(part.getOffset()),
                            Int(part.getType().getElementBytes()))};
}

Constraints Numbers::axioms(AtomId id) {
  const Atom &atom = *id;
  Form self = Form::of(id);
  switch (atom.kind) {
  case AtomKind::Packet:
    return within(self,
                  {Int(context.getGuaranteedBytes()), Int(context.getMtu())});
  case AtomKind::Host:
  case AtomKind::Message:
    return within(self, limits(32, false));
  case AtomKind::Param:
  case AtomKind::Field: {
    auto field = context.lookupSymbol<StateOp>(atom.name);
    return within(self,
                  limits(field.getElement().getIntOrFloatBitWidth(), false));
  }
  case AtomKind::Quotient:
    return within(atom.top.plus(self, -atom.bottom.constant),
                  {Int(0), atom.bottom.constant - 1});
  case AtomKind::Ratio: {
    Form rest = atom.top.minus(multiply(self, atom.bottom));
    return {{rest},
            {atom.bottom.minus(rest).plus(Form(Int(-1)))},
            {self},
            {atom.top.minus(self)}};
  }
  case AtomKind::Product:
    return {};
  case AtomKind::Rounds:
  case AtomKind::Length:
  case AtomKind::Unsigned:
  case AtomKind::Signed:
    break;
  }
  bool isSigned = atom.kind == AtomKind::Signed;
  Constraints result;
  if (atom.kind == AtomKind::Length)
    result = within(self, limits(32, false));
  else if (atom.kind == AtomKind::Rounds)
    // Behind the loop its first result stands for them, of whatever type.
    result.push_back({self});
  else if (isa<IntegerType>(atom.value.getType()))
    result = within(
        self, limits(atom.value.getType().getIntOrFloatBitWidth(), isSigned));
  if (!atom.top.isConstant())
    result.push_back({self.minus(atom.top), true});
  if (MeaningOpInterface op = teller(atom.value))
    llvm::append_range(result, op.getAxioms(atom.value, isSigned, *this));
  return result;
}

std::optional<Form> Numbers::bound(BoundAttr bound) {
  auto symbol = [&](StringRef name) -> std::optional<Form> {
    if (name == "p.length")
      return payload();
    auto state = context.lookupSymbol<StateOp>(name);
    return state && state.getKind() == StateKind::Param
               ? std::optional(param(state.getSymNameAttr()))
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
    const Int &by = right->constant;
    if (!right->isConstant())
      return std::nullopt;
    if (expr.getKind() == AffineExprKind::Mul)
      return left->times(by);
    if (by <= 0)
      return std::nullopt;
    if (expr.getKind() == AffineExprKind::FloorDiv)
      return quotient(*left, by);
    if (expr.getKind() == AffineExprKind::Mod)
      return left->plus(quotient(*left, by), -by);
    return std::nullopt;
  };
  return convert(bound.getMap().getResult(0));
}
