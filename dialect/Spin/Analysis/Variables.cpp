// Quotients, ratios and products get one variable each per distinct operands,
// so that the same computation in two places is one variable.
#include "dialect/Spin/Analysis/Variables.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace spinc::spin;

static std::string toString(const Integer &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

VarId VariableTable::create(Variable variable) {
  variables.push_back(std::move(variable));
  return variables.size() - 1;
}

LinearExpr VariableTable::floorDivide(const LinearExpr &expr,
                                      const Integer &divisor) {
  // expr = divisor * whole + rest, so the quotient is whole + floor(rest).
  LinearExpr whole, rest;
  for (const LinearExpr::Term &term : expr.getTerms()) {
    bool divisible = term.second % divisor == 0;
    (divisible ? whole : rest)
        .addTerm(term.first, divisible ? term.second / divisor : term.second);
  }
  Integer restConstant = mod(expr.getConstant(), divisor);
  whole = whole + LinearExpr(floorDiv(expr.getConstant(), divisor));
  rest = rest + LinearExpr(restConstant);
  if (rest.isConstant())
    return whole;

  Interval range = interval(rest);
  if (range.low && range.high &&
      floorDiv(*range.low, divisor) == floorDiv(*range.high, divisor))
    return whole + LinearExpr(floorDiv(*range.low, divisor));
  auto [entry, isNew] =
      quotients.try_emplace({rest, toString(divisor)}, variables.size());
  if (!isNew)
    return whole + LinearExpr::variable(entry->second);
  Variable quotient;
  quotient.kind = Variable::Kind::Quotient;
  quotient.dividend = rest;
  quotient.divisor = divisor;
  if (range.low)
    quotient.interval.low = floorDiv(*range.low, divisor);
  if (range.high)
    quotient.interval.high = floorDiv(*range.high, divisor);
  LinearExpr remainder = rest - LinearExpr::variable(entry->second) * divisor;
  quotient.definition.constraints.push_back({remainder, false});
  quotient.definition.constraints.push_back(
      {LinearExpr(divisor - 1) - remainder, false});
  return whole + LinearExpr::variable(create(std::move(quotient)));
}

LinearExpr VariableTable::ratio(const LinearExpr &dividend,
                                const LinearExpr &divisor) {
  auto found = ratios.find({dividend, divisor});
  if (found != ratios.end())
    return LinearExpr::variable(found->second);
  Variable quotient;
  quotient.kind = Variable::Kind::Ratio;
  quotient.dividend = dividend;
  quotient.divisorExpr = divisor;
  quotient.interval = {Integer(0), interval(dividend).high};
  Interval divisorRange = interval(divisor);
  if (divisorRange.low && *divisorRange.low > 0 && quotient.interval.high &&
      *quotient.interval.high >= 0)
    quotient.interval.high =
        floorDiv(*quotient.interval.high, *divisorRange.low);
  VarId id = create(std::move(quotient));
  LinearExpr result = LinearExpr::variable(id);
  ratios.emplace(std::make_pair(dividend, divisor), id);
  Formula definition = Formula::atLeast(dividend, result);
  if (std::optional<LinearExpr> covered = multiply(result, divisor)) {
    definition.conjoin(Formula::atLeast(dividend, *covered));
    definition.conjoin(Formula::atLeast(*covered + divisor - 1, dividend));
  }
  variables[id].definition = std::move(definition);
  return result;
}

VarId VariableTable::product(llvm::SmallVector<VarId, 2> factors) {
  llvm::sort(factors);
  auto [entry, isNew] = products.try_emplace(factors, variables.size());
  if (!isNew)
    return entry->second;
  Variable result;
  result.kind = Variable::Kind::Product;
  result.factors = factors;
  bool known = true;
  for (VarId factor : factors)
    known &= variables[factor].interval.low.has_value() &&
             variables[factor].interval.high.has_value();
  if (!known)
    return create(std::move(result));

  Interval range = Interval::between(1, 1);
  for (VarId factor : factors) {
    const Interval &next = variables[factor].interval;
    Interval one = range * *next.low, two = range * *next.high;
    range = one.hull(two);
  }
  result.interval = range;
  if (factors.size() == 2) {
    // (x - low) * (y - low) >= 0 and its three mirror images, expanded.
    const Interval &x = variables[factors[0]].interval;
    const Interval &y = variables[factors[1]].interval;
    for (const Integer &atX : {*x.low, *x.high})
      for (const Integer &atY : {*y.low, *y.high}) {
        bool sameSide = (atX == *x.low) == (atY == *y.low);
        Integer sign(sameSide ? 1 : -1);
        LinearExpr expanded(atX * atY * sign);
        expanded.addTerm(variables.size(), sign);
        expanded.addTerm(factors[0], -atY * sign);
        expanded.addTerm(factors[1], -atX * sign);
        result.definition.constraints.push_back({std::move(expanded), false});
      }
  }
  return create(std::move(result));
}

LinearExpr VariableTable::named(const LinearExpr &expr) {
  auto [entry, isNew] = aliases.try_emplace(expr, variables.size());
  if (!isNew)
    return LinearExpr::variable(entry->second);
  Variable result;
  result.kind = Variable::Kind::Alias;
  result.interval = interval(expr);
  result.dividend = expr;
  result.definition = Formula::equal(LinearExpr::variable(entry->second), expr);
  return LinearExpr::variable(create(std::move(result)));
}

/// A variable in place of an expression whose terms depend on each other, such
/// as a remainder: a product with each term alone would forget that.
LinearExpr VariableTable::factor(const LinearExpr &expr) {
  bool dependsOnParts =
      expr.getTerms().size() > 1 && !naiveInterval(expr).within(interval(expr));
  return dependsOnParts ? named(expr) : expr;
}

std::optional<LinearExpr> VariableTable::multiply(const LinearExpr &left,
                                                  const LinearExpr &right) {
  constexpr size_t maxTerms = 12, maxDegree = 4;
  if (left.isConstant() || right.isConstant())
    return left.isConstant() ? right * left.getConstant()
                             : left * right.getConstant();
  LinearExpr a = factor(left), b = factor(right);
  if ((a.getTerms().size() + 1) * (b.getTerms().size() + 1) > maxTerms)
    return std::nullopt;
  LinearExpr result = a * b.getConstant();
  result = result + b * a.getConstant() -
           LinearExpr(a.getConstant() * b.getConstant());
  for (const LinearExpr::Term &left : a.getTerms())
    for (const LinearExpr::Term &right : b.getTerms()) {
      llvm::SmallVector<VarId, 2> factors;
      for (VarId id : {left.first, right.first}) {
        if (variables[id].kind == Variable::Kind::Product)
          factors.append(variables[id].factors);
        else
          factors.push_back(id);
      }
      if (factors.size() > maxDegree)
        return std::nullopt;
      result.addTerm(product(factors), left.second * right.second);
    }
  return result;
}

LinearExpr VariableTable::wrap(const LinearExpr &expr, unsigned width) {
  if (interval(expr).within(Interval::unsignedBits(width)))
    return expr;
  Integer modulus = powerOfTwo(width);
  return expr - floorDivide(expr, modulus) * modulus;
}

LinearExpr VariableTable::wrapSigned(const LinearExpr &expr, unsigned width) {
  if (interval(expr).within(Interval::signedBits(width)))
    return expr;
  LinearExpr half(powerOfTwo(width - 1));
  return wrap(factor(expr) + half, width) - half;
}

Interval VariableTable::naiveInterval(const LinearExpr &expr) const {
  Interval result{expr.getConstant(), expr.getConstant()};
  for (const auto &[id, factor] : expr.getTerms()) {
    const Interval &own = variables[id].interval;
    if (factor == 1)
      result += own;
    else
      result += own * factor;
  }
  return result;
}

Interval VariableTable::interval(const LinearExpr &expr) const {
  Interval result = naiveInterval(expr);
  // times * (dividend - divisor * quotient) lies in times * [0, divisor - 1].
  for (const LinearExpr::Term &term : expr.getTerms()) {
    const Variable &variable = variables[term.first];
    if (variable.kind != Variable::Kind::Quotient ||
        term.second % variable.divisor != 0)
      continue;
    Integer times = -(term.second / variable.divisor);
    LinearExpr remainder =
        variable.dividend - LinearExpr::variable(term.first) * variable.divisor;
    Interval ofRemainder = Interval{Integer(0), variable.divisor - 1} * times;
    result =
        result.intersect(naiveInterval(expr - remainder * times) + ofRemainder);
  }
  return result;
}
