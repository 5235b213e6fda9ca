// See OutsideBounds.h.
#include "dialect/Spin/Analysis/OutsideBounds.h"

using namespace mlir;
using namespace spinc::spin;

OutsideBounds::OutsideBounds(HandlerFacts &facts)
    : facts(facts), evaluator(facts.getEvaluator()),
      variables(evaluator.getVariables()) {
  for (const Formula &fact : evaluator.getInstallFacts())
    always.push(fact);
}

bool OutsideBounds::isAlways(const Constraint &goal) const {
  return Solver(variables, always).implies(goal);
}

/// That there is no packet without its headers, for each packet length that
/// `expr` depends on.
Formula OutsideBounds::packetIsWhole(const LinearExpr &expr) const {
  Formula result;
  for (const LinearExpr::Term &term : expr.getTerms()) {
    const Variable &variable = variables[term.first];
    if (variable.kind == Variable::Kind::PacketLength)
      result.conjoin(Formula::atLeast(LinearExpr::variable(term.first),
                                      LinearExpr::number(0)));
    else if (variable.kind == Variable::Kind::Quotient ||
             variable.kind == Variable::Kind::Ratio)
      result.conjoin(packetIsWhole(variable.dividend));
  }
  return result;
}

bool OutsideBounds::isNeverNegative(const LinearExpr &expr) {
  size_t mark = always.size();
  always.push(packetIsWhole(expr));
  bool result = Solver(variables, always).implies({expr, false});
  always.truncate(mark);
  return result;
}

std::optional<LinearExpr>
OutsideBounds::madeNonNegative(const LinearExpr &expr) {
  constexpr int64_t largest = 64;
  if (!isNeverNegative(expr + largest))
    return std::nullopt;
  int64_t low = -1, high = largest;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    (isNeverNegative(expr + middle) ? high : low) = middle;
  }
  return expr + high;
}

/// Whether `dividend` / `divisor` can be written without a quotient inside of
/// a quotient, which is what the cycle bound adds up.
bool OutsideBounds::isOneQuotient(const LinearExpr &dividend,
                                  const Integer &divisor) const {
  unsigned nested = 0, others = 0;
  for (const LinearExpr::Term &term : dividend.getTerms()) {
    if (term.second % divisor == 0)
      continue;
    bool isQuotient = variables[term.first].kind == Variable::Kind::Quotient;
    if (isQuotient && term.second != 1)
      return false;
    ++(isQuotient ? nested : others);
  }
  return nested == 0 || (nested == 1 && others == 0);
}

/// floor((f * e + c) / (f * d)) = floor((e + floor(c / f)) / d): what `expr` is
/// to be divided by `divisor` for, without their common factor.
static LinearExpr withoutCommonFactor(const LinearExpr &expr,
                                      Integer &divisor) {
  Integer factor = divisor;
  for (const LinearExpr::Term &term : expr.getTerms())
    factor = gcd(factor, abs(term.second));
  LinearExpr result(floorDiv(expr.getConstant(), factor));
  for (const LinearExpr::Term &term : expr.getTerms())
    result.addTerm(term.first, term.second / factor);
  divisor = divisor / factor;
  return result;
}

/// A counter of a loop is bounded by the loop's ends; what is chosen from two
/// values by the one that it does not pass, as the smaller of both is by
/// either.
std::optional<LinearExpr> OutsideBounds::boundValue(VarId id, bool upper,
                                                    unsigned depth) {
  // Copies: the tables may grow below.
  Variable variable = variables[id];
  if (auto argument = dyn_cast<BlockArgument>(variable.value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || loop.getInductionVar() != argument)
      return std::nullopt;
    Reading reading =
        loop.getUnsignedCmp() ? Reading::Unsigned : Reading::Signed;
    LinearExpr end = upper ? evaluator.number(loop.getUpperBound(), reading) - 1
                           : evaluator.number(loop.getLowerBound(), reading);
    return bound(end, upper, depth + 1);
  }
  const auto *found = evaluator.waysOf(id);
  if (!found)
    return std::nullopt;
  const LinearExpr ways[] = {found->first, found->second};
  LinearExpr value = LinearExpr::variable(id);
  auto holds = [&](const LinearExpr &limit) {
    LinearExpr room = upper ? limit - value : value - limit;
    return facts.getSolver().implies({room, false});
  };
  std::optional<LinearExpr> best;
  std::optional<Integer> nearest =
      upper ? variable.interval.high : variable.interval.low;
  for (const LinearExpr &way : ways) {
    std::optional<LinearExpr> limit = bound(way, upper, depth + 1);
    if (!limit || (!holds(way) && !holds(*limit)))
      continue;
    Interval range = variables.interval(*limit);
    std::optional<Integer> end = upper ? range.high : range.low;
    bool isNearer =
        end && (!nearest || (upper ? *end < *nearest : *end > *nearest));
    if (!isNearer)
      continue;
    best = limit;
    nearest = end;
  }
  return best;
}

/// A bound on a variable in terms of quantities known outside.
std::optional<LinearExpr> OutsideBounds::boundTerm(VarId id, bool upper,
                                                   unsigned depth) {
  constexpr unsigned maxDepth = 8;
  if (depth > maxDepth)
    return std::nullopt;
  // A copy: the table may grow below.
  Variable variable = variables[id];
  LinearExpr itself = LinearExpr::variable(id);
  switch (variable.kind) {
  case Variable::Kind::PacketLength:
    return itself;
  case Variable::Kind::Param:
    if (variable.interval.within(Interval::unsignedBits(32)))
      return itself;
    break;
  case Variable::Kind::Quotient:
    if (std::optional<LinearExpr> dividend =
            bound(variable.dividend, upper, depth + 1)) {
      Integer divisor = variable.divisor;
      LinearExpr reduced = withoutCommonFactor(*dividend, divisor);
      if (isOneQuotient(reduced, divisor))
        return variables.floorDivide(reduced, divisor);
    }
    break;
  case Variable::Kind::Ratio: {
    std::optional<VarId> divisor = variable.divisorExpr.getIfVariable();
    std::optional<VarId> dividend = variable.dividend.getIfVariable();
    if (dividend && divisor &&
        variables[*dividend].kind == Variable::Kind::PacketLength &&
        variables[*divisor].kind == Variable::Kind::Param)
      return itself;
    // A smaller dividend gives no larger a quotient.
    if (!upper || !divisor || variables[*divisor].kind != Variable::Kind::Param)
      break;
    for (const LinearExpr::Term &term : variable.dividend.getTerms()) {
      LinearExpr length = LinearExpr::variable(term.first);
      if (variables[term.first].kind == Variable::Kind::PacketLength &&
          facts.getSolver().implies({length - variable.dividend, false}))
        return variables.ratio(length, variable.divisorExpr);
    }
    break;
  }
  case Variable::Kind::Value:
    if (std::optional<LinearExpr> result = boundValue(id, upper, depth))
      return result;
    break;
  case Variable::Kind::Alias:
    return bound(variable.dividend, upper, depth + 1);
  case Variable::Kind::HostSize:
  case Variable::Kind::Product:
  case Variable::Kind::Named:
    break;
  }
  const std::optional<Integer> &limit =
      upper ? variable.interval.high : variable.interval.low;
  return limit ? std::optional<LinearExpr>(LinearExpr(*limit)) : std::nullopt;
}

std::optional<LinearExpr> OutsideBounds::bound(const LinearExpr &expr,
                                               bool upper, unsigned depth) {
  LinearExpr result(expr.getConstant());
  for (const LinearExpr::Term &term : expr.getTerms()) {
    bool termUpper = (term.second > 0) == upper;
    std::optional<LinearExpr> limit = boundTerm(term.first, termUpper, depth);
    if (!limit)
      return std::nullopt;
    result = result + *limit * term.second;
  }
  return result;
}

/// floor(expr / divisor), with floor(floor(e / a) / b) as floor(e / (a * b)).
static AffineExpr divide(AffineExpr expr, int64_t divisor) {
  auto inner = dyn_cast<AffineBinaryOpExpr>(expr);
  if (inner && inner.getKind() == AffineExprKind::FloorDiv)
    if (auto by = dyn_cast<AffineConstantExpr>(inner.getRHS()))
      if (by.getValue() <= largestCount / divisor)
        return inner.getLHS().floorDiv(by.getValue() * divisor);
  return expr.floorDiv(divisor);
}

std::optional<AffineExpr>
OutsideBounds::toAffine(const LinearExpr &expr,
                        SmallVectorImpl<StringAttr> &symbols) {
  MLIRContext *context = evaluator.getContext().getContext();
  auto small = [](const Integer &value) {
    return abs(value) <= largestCount * 4;
  };
  if (!small(expr.getConstant()))
    return std::nullopt;
  AffineExpr result =
      getAffineConstantExpr(int64_t(expr.getConstant()), context);
  for (const LinearExpr::Term &term : expr.getTerms()) {
    if (!small(term.second))
      return std::nullopt;
    const Variable &variable = variables[term.first];
    AffineExpr factor;
    if (variable.kind == Variable::Kind::Quotient) {
      std::optional<AffineExpr> dividend = toAffine(variable.dividend, symbols);
      if (!dividend || !small(variable.divisor))
        return std::nullopt;
      factor = divide(*dividend, int64_t(variable.divisor));
    } else {
      auto name = StringAttr::get(context, variables.name(term.first));
      StringAttr *found = llvm::find(symbols, name);
      unsigned index = found - symbols.begin();
      if (found == symbols.end())
        symbols.push_back(name);
      factor = getAffineSymbolExpr(index, context);
    }
    result = result + factor * int64_t(term.second);
  }
  return result;
}

std::optional<BoundAttr> OutsideBounds::toAttribute(const LinearExpr &expr) {
  SmallVector<StringAttr> symbols;
  std::optional<AffineExpr> result = toAffine(expr, symbols);
  if (!result)
    return std::nullopt;
  return BoundAttr::get(result->getContext(),
                        AffineMap::get(0, symbols.size(), *result), symbols);
}
