// The facts on the stack by what they mention; constraints on one variable
// alone are bounds, of which only the tightest counts.
#include "dialect/Spin/Analysis/Solver.h"

using namespace spinc::spin;

Constraint spinc::spin::tightened(const Constraint &inequality) {
  if (inequality.equality || inequality.expr.isConstant())
    return inequality;
  Integer common(0);
  for (const LinearExpr::Term &term : inequality.expr.getTerms())
    common = llvm::gcd(common, abs(term.second));
  if (common == 1)
    return inequality;
  LinearExpr result(floorDiv(inequality.expr.getConstant(), common));
  for (const LinearExpr::Term &term : inequality.expr.getTerms())
    result.addTerm(term.first, term.second / common);
  return {result, false};
}

static bool isBound(const Constraint &constraint) {
  return constraint.expr.getTerms().size() == 1;
}

/// The same variable twice in a constraint's alternatives counts as two.
static bool mentionsOthers(const Formula &fact) {
  return !fact.splits.empty() || !llvm::all_of(fact.constraints, isBound);
}

void FactStack::noteBound(const Constraint &constraint, unsigned fact) {
  VarId id = constraint.expr.getTerms()[0].first;
  auto note = [&](const LinearExpr &expr) {
    Constraint bound = tightened({expr, false});
    bool isLow = bound.expr.getTerms()[0].second > 0;
    Integer value =
        isLow ? -bound.expr.getConstant() : bound.expr.getConstant();
    std::vector<Bound> &stack = (isLow ? lows : highs)[id];
    if (stack.empty() ||
        (isLow ? value > stack.back().value : value < stack.back().value))
      stack.push_back({value, {expr, false}, fact});
  };
  note(constraint.expr);
  if (constraint.equality)
    note(constraint.expr * Integer(-1));
}

const Constraint *FactStack::top(const BoundStacks &stacks, VarId id) {
  auto found = stacks.find(id);
  if (found == stacks.end() || found->second.empty())
    return nullptr;
  return &found->second.back().constraint;
}

void FactStack::push(Formula fact) {
  ++version;
  unsigned index = facts.size();
  bool isLinked = mentionsOthers(fact), any = false;
  fact.forEachVariable([&](VarId id) {
    any = true;
    if (!isLinked)
      return;
    std::vector<unsigned> &list = byVariable[id];
    if (list.empty() || list.back() != index)
      list.push_back(index);
  });
  for (const Constraint &constraint : fact.constraints)
    if (isBound(constraint))
      noteBound(constraint, index);
  if (!any && !fact.isTrivial())
    variableFree.push_back(index);
  facts.push_back(std::move(fact));
}

void FactStack::truncate(size_t size) {
  if (size == facts.size())
    return;
  ++version;
  auto popBounds = [](BoundStacks &stacks, VarId id, unsigned fact) {
    auto found = stacks.find(id);
    if (found == stacks.end())
      return;
    while (!found->second.empty() && found->second.back().fact >= fact)
      found->second.pop_back();
  };
  for (size_t i = facts.size(); i-- > size;)
    facts[i].forEachVariable([&](VarId id) {
      auto list = byVariable.find(id);
      if (list != byVariable.end() && !list->second.empty() &&
          list->second.back() == i)
        list->second.pop_back();
      popBounds(lows, id, i);
      popBounds(highs, id, i);
    });
  while (!variableFree.empty() && variableFree.back() >= size)
    variableFree.pop_back();
  facts.resize(size);
}

std::vector<Formula> FactStack::copyFrom(size_t first) const {
  return std::vector<Formula>(facts.begin() + first, facts.end());
}

llvm::ArrayRef<unsigned> FactStack::mentioning(VarId id) const {
  auto found = byVariable.find(id);
  if (found == byVariable.end())
    return {};
  return found->second;
}
