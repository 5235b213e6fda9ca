// Arithmetic on linear expressions; see the header.
#include "dialect/Spin/Analysis/LinearExpr.h"
#include <algorithm>

using namespace spinc::spin;

Integer spinc::spin::fromUnsigned(const llvm::APInt &value) {
  return Integer(value.zext(value.getBitWidth() + 1));
}

Integer spinc::spin::fromSigned(const llvm::APInt &value) {
  return Integer(value);
}

Integer spinc::spin::powerOfTwo(unsigned exponent) {
  return Integer(llvm::APInt::getOneBitSet(exponent + 2, exponent));
}

LinearExpr LinearExpr::variable(VarId id) {
  LinearExpr result;
  result.terms.emplace_back(id, Integer(1));
  return result;
}

std::optional<VarId> LinearExpr::getIfVariable() const {
  if (terms.size() != 1 || terms[0].second != 1 || constant != 0)
    return std::nullopt;
  return terms[0].first;
}

Integer LinearExpr::coefficient(VarId id) const {
  for (const Term &term : terms)
    if (term.first == id)
      return term.second;
  return Integer(0);
}

void LinearExpr::addTerm(VarId id, const Integer &coefficient) {
  if (coefficient == 0)
    return;
  Term *place = std::lower_bound(
      terms.begin(), terms.end(), id,
      [](const Term &term, VarId key) { return term.first < key; });
  if (place == terms.end() || place->first != id) {
    terms.insert(place, Term(id, coefficient));
    return;
  }
  place->second += coefficient;
  if (place->second == 0)
    terms.erase(place);
}

Integer LinearExpr::evaluate(llvm::function_ref<Integer(VarId)> values) const {
  Integer sum = constant;
  for (const Term &term : terms)
    sum += term.second * values(term.first);
  return sum;
}

LinearExpr LinearExpr::substitute(VarId id, const LinearExpr &by) const {
  Integer factor = coefficient(id);
  if (factor == 0)
    return *this;
  LinearExpr rest = *this;
  rest.addTerm(id, -factor);
  return rest.plus(by, factor);
}

LinearExpr LinearExpr::plus(const LinearExpr &other,
                            const Integer &factor) const {
  LinearExpr result(constant + other.constant * factor);
  result.terms.reserve(terms.size() + other.terms.size());
  const Term *mine = terms.begin();
  for (const auto &[id, coefficient] : other.terms) {
    for (; mine != terms.end() && mine->first < id; ++mine)
      result.terms.push_back(*mine);
    Integer sum = coefficient * factor;
    if (mine != terms.end() && mine->first == id)
      sum += mine++->second;
    if (sum != 0)
      result.terms.emplace_back(id, std::move(sum));
  }
  result.terms.append(mine, terms.end());
  return result;
}

LinearExpr LinearExpr::operator+(const LinearExpr &other) const {
  return plus(other, Integer(1));
}

LinearExpr LinearExpr::operator-(const LinearExpr &other) const {
  return plus(other, Integer(-1));
}

LinearExpr LinearExpr::operator*(const Integer &factor) const {
  if (factor == 0)
    return LinearExpr();
  LinearExpr result = *this;
  result.constant *= factor;
  for (Term &term : result.terms)
    term.second *= factor;
  return result;
}

bool LinearExpr::operator==(const LinearExpr &other) const {
  if (constant != other.constant || terms.size() != other.terms.size())
    return false;
  for (size_t i = 0; i < terms.size(); ++i)
    if (terms[i].first != other.terms[i].first ||
        terms[i].second != other.terms[i].second)
      return false;
  return true;
}

bool LinearExpr::operator<(const LinearExpr &other) const {
  if (terms.size() != other.terms.size())
    return terms.size() < other.terms.size();
  for (size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].first != other.terms[i].first)
      return terms[i].first < other.terms[i].first;
    if (terms[i].second != other.terms[i].second)
      return terms[i].second < other.terms[i].second;
  }
  return constant < other.constant;
}

bool Constraint::holds(llvm::function_ref<Integer(VarId)> values) const {
  Integer value = expr.evaluate(values);
  return equality ? value == 0 : value >= 0;
}

Formula Formula::never() {
  Formula result;
  result.constraints.push_back({LinearExpr::number(-1), false});
  return result;
}

bool Formula::isNever() const {
  for (const Constraint &constraint : constraints) {
    if (!constraint.expr.isConstant())
      continue;
    const Integer &value = constraint.expr.getConstant();
    if (constraint.equality ? value != 0 : value < 0)
      return true;
  }
  return false;
}

Formula Formula::atLeast(const LinearExpr &a, const LinearExpr &b) {
  Formula result;
  result.constraints.push_back({a - b, false});
  return result;
}

Formula Formula::equal(const LinearExpr &a, const LinearExpr &b) {
  Formula result;
  result.constraints.push_back({a - b, true});
  return result;
}

Formula Formula::either(Formula a, Formula b) {
  Formula result;
  if (a.isTrivial() || b.isTrivial())
    return result;
  if (a.isNever())
    return b;
  if (b.isNever())
    return a;
  result.splits.emplace_back();
  result.splits.back().alternatives.push_back(std::move(a));
  result.splits.back().alternatives.push_back(std::move(b));
  return result;
}

Formula &Formula::conjoin(const Formula &other) {
  constraints.insert(constraints.end(), other.constraints.begin(),
                     other.constraints.end());
  splits.insert(splits.end(), other.splits.begin(), other.splits.end());
  return *this;
}

void Formula::forEachVariable(llvm::function_ref<void(VarId)> visit) const {
  for (const Constraint &constraint : constraints)
    for (const LinearExpr::Term &term : constraint.expr.getTerms())
      visit(term.first);
  for (const Split &split : splits)
    for (const Formula &alternative : split.alternatives)
      alternative.forEachVariable(visit);
}
