#include "dialect/Spin/Certify/Candidates.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::certify;

namespace {

class Guesser {
public:
  Guesser(Operation *loop, SearchFacts &facts) : loop(loop), facts(facts) {}
  std::vector<std::string> run();
  std::vector<std::string> runAtEnd();

private:
  using Terms = ArrayRef<std::pair<Int, Value>>;
  void add(Int constant, Terms terms);
  void relate(Value left, Value right, int64_t slack);
  void findLimits();
  void addRates();
  std::optional<Int> leastOf(const Form &form, unsigned depth = 0);
  bool isOutside(Value value) const {
    return !loop->isAncestor(value.getParentBlock()->getParentOp());
  }

  Operation *loop;
  SearchFacts &facts;
  SmallVector<Value> limits;
  std::vector<std::string> result;
};

void Guesser::add(Int constant, Terms terms) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << constant << ' ';
  for (const auto &[factor, value] : terms)
    out << factor << ' ' << facts.numberOf(value) << ' ';
  out << "; ";
  if (!llvm::is_contained(result, text))
    result.push_back(text);
}

void Guesser::findLimits() {
  constexpr size_t maxLimits = 6;
  auto addLimit = [&](Value value) {
    while (auto extend = value.getDefiningOp<arith::ExtUIOp>()) {
      if (isOutside(value))
        break;
      value = extend.getIn();
    }
    auto length = value.getDefiningOp<SliceLengthOp>();
    if (length && !isOutside(value) && isOutside(length.getSlice()))
      value = length.getSlice();
    if ((isOutside(value) || value.getDefiningOp<arith::ConstantOp>()) &&
        limits.size() < maxLimits && !llvm::is_contained(limits, value))
      limits.push_back(value);
  };
  loop->walk([&](Operation *op) {
    if (auto cmp = dyn_cast<arith::CmpIOp>(op);
        cmp && isa<IntegerType>(cmp.getLhs().getType()))
      for (Value operand : cmp->getOperands())
        addLimit(operand);
    if (auto inner = dyn_cast<scf::ForOp>(op);
        inner && isa<IntegerType>(inner.getUpperBound().getType()))
      addLimit(inner.getUpperBound());
    if (isa<LoadOp, WireLoadOp, SubsliceOp>(op) && isOutside(op->getOperand(0)))
      addLimit(op->getOperand(0));
  });
}

/// The least value of a form; where it is about what conditions choose, that of
/// all choices.
std::optional<Int> Guesser::leastOf(const Form &form, unsigned depth) {
  constexpr unsigned maxChoices = 6;
  for (const auto &[atom, factor] : form.terms) {
    Value value = atom->value;
    auto [condition, ifTrue, ifFalse] =
        value ? facts.choice(value) : std::array<Value, 3>();
    bool isInside = condition && !isOutside(value);
    if (!isInside || facts.known(condition) || depth == maxChoices)
      continue;
    std::optional<Int> least;
    for (Value chosen : {ifTrue, ifFalse}) {
      Form number =
          facts.number(chosen, atom->kind == meaning::AtomKind::Signed);
      std::optional<Int> here = leastOf(
          form.plus(Form::of(atom), -factor).plus(number, factor), depth + 1);
      if (!here)
        return std::nullopt;
      least = least ? std::min(*least, *here) : *here;
    }
    return least;
  }
  meaning::Obligation nothing;
  return form.isConstant() ? std::optional(form.constant)
                           : Search(facts, nothing).minimum(form);
}

/// A loop variable that grows by at least or at most a constant in each
/// iteration lies on one side of a linear function of the index.
void Guesser::addRates() {
  auto counted = dyn_cast<scf::ForOp>(loop);
  if (!counted)
    return;
  Form step = facts.number(counted.getStep(), !counted.getUnsignedCmp());
  if (!step.terms.empty() || !counted.getUnsignedCmp())
    return;
  for (auto [argument, init, yield] :
       llvm::zip_equal(counted.getRegionIterArgs(), counted.getInitArgs(),
                       counted.getYieldedValues())) {
    if (!isa<IntegerType>(argument.getType()))
      continue;
    Form growth = facts.number(yield).minus(facts.number(argument));
    for (const Int &sign : {Int(1), Int(-1)}) {
      std::optional<Int> rate = leastOf(growth.times(sign));
      Int own = step.constant * sign;
      if (rate)
        add(Int(0), {{own, argument},
                     {-own, init},
                     {-*rate, counted.getInductionVar()},
                     {*rate, counted.getLowerBound()}});
    }
  }
}

std::vector<std::string> Guesser::run() {
  facts.readClaims(loop);
  const checker::Claims &claims = facts.claims(loop);
  findLimits();
  SmallVector<std::pair<Value, Value>> variables;
  for (auto [argument, init] :
       llvm::zip_equal(claims.variables.arguments, claims.variables.inits)) {
    auto counted = dyn_cast<scf::ForOp>(loop);
    if (isa<IntegerType>(argument.getType()) &&
        !(counted && counted.getInductionVar() == argument))
      variables.emplace_back(argument, init);
  }
  Int one(1), minus(-1);
  for (auto [i, variable] : llvm::enumerate(variables)) {
    auto [argument, init] = variable;
    add(Int(0), {{one, argument}, {minus, init}});
    add(Int(0), {{minus, argument}, {one, init}});
    for (Value limit : limits) {
      add(Int(0), {{minus, argument}, {one, limit}});
      add(Int(0), {{one, argument}, {minus, limit}});
      if (matchPattern(limit, m_Constant())) {
        add(Int(-1), {{minus, argument}, {one, limit}});
        add(Int(-1), {{one, argument}, {minus, limit}});
      }
    }
    for (auto [other, otherInit] : llvm::ArrayRef(variables).take_front(i)) {
      add(Int(0), {{one, argument}, {minus, other}});
      add(Int(0), {{minus, argument}, {one, other}});
      for (const Int &sign : {one, minus})
        add(Int(0), {{sign, argument},
                     {-sign, other},
                     {-sign, init},
                     {sign, otherInit}});
    }
  }
  return std::move(result);
}

std::vector<std::string> Guesser::runAtEnd() {
  addRates();
  return std::move(result);
}

} // namespace

std::vector<std::string> spinc::spin::certify::candidates(Operation *loop,
                                                          SearchFacts &facts) {
  return Guesser(loop, facts).run();
}

std::vector<std::string>
spinc::spin::certify::candidatesAtEnd(Operation *loop, SearchFacts &facts) {
  return Guesser(loop, facts).runAtEnd();
}

std::vector<std::string>
spinc::spin::certify::measureCandidates(Operation *loop, SearchFacts &facts) {
  std::vector<std::string> result;
  using P = arith::CmpIPredicate;
  SmallVector<Value> conditions = facts.knownConditions();
  for (Value condition : llvm::reverse(conditions)) {
    auto cmp = condition.getDefiningOp<arith::CmpIOp>();
    if (!cmp || !loop->isProperAncestor(cmp) ||
        !isa<IntegerType>(cmp.getLhs().getType()))
      continue;
    P is = *facts.known(condition) ? cmp.getPredicate()
                                   : arith::invertPredicate(cmp.getPredicate());
    if (is == P::eq || is == P::ne)
      continue;
    bool isLess = llvm::is_contained({P::ult, P::ule, P::slt, P::sle}, is);
    bool isStrict = llvm::is_contained({P::ult, P::ugt, P::slt, P::sgt}, is);
    bool isSigned = llvm::is_contained({P::slt, P::sle, P::sgt, P::sge}, is);
    std::string text;
    llvm::raw_string_ostream(text)
        << (isStrict ? "0 " : "1 ") << (isLess ? "1 " : "-1 ")
        << facts.numberOf(cmp.getRhs()) << (isSigned ? "s " : " ")
        << (isLess ? "-1 " : "1 ") << facts.numberOf(cmp.getLhs())
        << (isSigned ? "s ; " : " ; ");
    result.push_back(text);
  }
  return result;
}
