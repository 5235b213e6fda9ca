// Selection of facts, and search by case splits and cuts of ranges.
#include "dialect/Spin/Analysis/Problem.h"
#include <utility>

using namespace spinc::spin;

namespace {

constexpr unsigned maxVariables = 36;
constexpr unsigned maxRows = 96;
constexpr unsigned maxSplits = 12;
/// Of one variable's facts those pushed last are looked at, and the first ones,
/// which hold for the whole handler.
constexpr size_t maxRecent = 48, maxFirst = 8;

/// Whether `sample` gives all variables of the formula values that satisfy it.
bool holdsIn(const Formula &formula, const Sample &sample) {
  bool decided = true;
  auto value = [&](VarId id) {
    auto found = sample.find(id);
    if (found == sample.end()) {
      decided = false;
      return Integer(0);
    }
    return found->second;
  };
  for (const Constraint &constraint : formula.constraints)
    if (!constraint.holds(value) || !decided)
      return false;
  for (const Split &split : formula.splits)
    if (llvm::none_of(split.alternatives, [&](const Formula &alternative) {
          return holdsIn(alternative, sample);
        }))
      return false;
  return true;
}

} // namespace

Problem::Problem(const VariableTable &variables, const FactStack &facts,
                 std::vector<Source> &sources)
    : variables(&variables), facts(&facts), sources(&sources) {
  constexpr size_t usual = 32;
  sources.reserve(usual);
  for (unsigned index : facts.constants()) {
    used.insert(index);
    add(facts[index], Source::Fact);
  }
}

/// False if there is no room.
bool Problem::addVariable(VarId id) {
  if (columns.count(id))
    return true;
  if (order.size() >= maxVariables)
    return false;
  columns[id] = simplex.addColumn();
  order.push_back(id);
  LinearExpr variable = LinearExpr::variable(id);
  const Interval &interval = (*variables)[id].interval;
  if (interval.low)
    addInequality(variable - LinearExpr(*interval.low), Source::Interval,
                  nullptr);
  if (interval.high)
    addInequality(LinearExpr(*interval.high) - variable, Source::Interval,
                  nullptr);
  for (const Constraint *bound : {facts->lowest(id), facts->highest(id)})
    if (bound)
      addInequality(bound->expr, Source::Fact, nullptr);
  return true;
}

unsigned Problem::addInequality(const LinearExpr &expr, Source::Kind kind,
                                const Split *split) {
  unsigned source = sources->size();
  Source &added = sources->emplace_back();
  added.constraint.expr = expr;
  added.kind = kind;
  added.split = split;
  inequalities.push_back(source);
  assertSource(source);
  return source;
}

void Problem::assertSource(unsigned source) {
  const LinearExpr &expr = (*sources)[source].constraint.expr;
  if (expr.isConstant()) {
    if (expr.getConstant() < 0)
      falsehood = source;
    return;
  }
  simplex.assertAtLeast(rowOf(expr), expr.getConstant(), source);
}

Row Problem::rowOf(const LinearExpr &expr) const {
  Row row;
  for (const LinearExpr::Term &term : expr.getTerms())
    row.emplace_back(columns.lookup(term.first), term.second);
  llvm::sort(row,
             [](const auto &a, const auto &b) { return a.first < b.first; });
  return row;
}

bool Problem::excludes(const Constraint &inequality, Effort &effort) {
  if (falsehood)
    return true;
  if (inequality.expr.isConstant())
    return inequality.expr.getConstant() < 0 ||
           check(effort) == Feasibility::Empty;
  Row row = rowOf(inequality.expr);
  simplex.addSum(row);
  auto mark = simplex.mark();
  simplex.assertAtLeast(row, inequality.expr.getConstant(), sources->size());
  Feasibility result = simplex.check(effort.pivots);
  simplex.restore(*mark);
  return result == Feasibility::Empty;
}

void Problem::add(const Constraint &constraint, Source::Kind kind,
                  const Split *split) {
  // A fact left out for lack of room only makes the proof fail.
  if (simplex.getNumRows() >= maxRows)
    return;
  for (const LinearExpr::Term &term : constraint.expr.getTerms())
    if (!addVariable(term.first))
      return;
  unsigned first = addInequality(constraint.expr, kind, split);
  if (constraint.equality)
    equalities.emplace_back(
        first, addInequality(constraint.expr * Integer(-1), kind, split));
}

namespace {

/// A weighted sum of constraints.
struct Combination {
  LinearExpr expr;
  std::vector<std::pair<unsigned, Integer>> parents;

  void add(const Combination &other, const Integer &factor) {
    expr = expr.plus(other.expr, factor);
    for (const auto &[source, weight] : other.parents)
      parents.emplace_back(source, weight * factor);
  }
};

/// A variable with coefficient 1 or -1 and the equality that gives it.
struct Solved {
  VarId variable;
  Combination equality;
};

/// Replaces the solved variables.
void substitute(Combination &target, llvm::ArrayRef<Solved> solved) {
  for (const Solved &each : solved) {
    Integer factor = target.expr.coefficient(each.variable);
    if (factor != 0)
      target.add(each.equality,
                 -factor * each.equality.expr.coefficient(each.variable));
  }
}

} // namespace

/// Puts equalities into inequalities: what then has a common divisor gets
/// tighter, as `4 * q <= 4 * r - 1`, from which `q <= r - 1` follows. This is
/// what a search over fractions does not find.
void Problem::deriveTightened() {
  constexpr size_t maxDerived = 24;
  if (equalities.empty() || (derivedEqualities == equalities.size() &&
                             derivedInequalities == inequalities.size()))
    return;
  std::vector<Solved> solved;
  for (const auto &[first, second] : equalities) {
    Combination equality{(*sources)[first].constraint.expr,
                         {{first, Integer(1)}}};
    substitute(equality, solved);
    for (const LinearExpr::Term &term : equality.expr.getTerms())
      if (abs(term.second) == 1) {
        solved.push_back({term.first, std::move(equality)});
        break;
      }
  }
  size_t derived = 0;
  for (size_t i = 0, end = inequalities.size();
       i < end && derived < maxDerived && simplex.getNumRows() < maxRows; ++i) {
    Combination result{(*sources)[inequalities[i]].constraint.expr,
                       {{inequalities[i], Integer(1)}}};
    substitute(result, solved);
    Constraint rounded = tightened({result.expr, false});
    if (result.parents.size() == 1 || result.expr.isConstant() ||
        rounded.expr == result.expr)
      continue;
    Integer common =
        result.expr.getTerms()[0].second / rounded.expr.getTerms()[0].second;
    if (rounded.expr.getConstant() * common == result.expr.getConstant())
      continue;
    ++derived;
    sources->push_back({{result.expr, false},
                        Source::Derived,
                        nullptr,
                        std::move(result.parents)});
    inequalities.push_back(sources->size() - 1);
    assertSource(sources->size() - 1);
  }
  derivedEqualities = equalities.size();
  derivedInequalities = inequalities.size();
}

void Problem::add(const Formula &formula, Source::Kind kind,
                  const Split *split) {
  for (const Constraint &constraint : formula.constraints)
    add(constraint, kind, split);
  for (const Split &inner : formula.splits)
    if (splits.size() < maxSplits)
      splits.push_back(&inner);
}

void Problem::addDefinitions(size_t end) {
  for (; defined < end; ++defined)
    add((*variables)[order[defined]].definition, Source::Fact);
}

/// Adds the facts that mention one of the variables from `first` to `end`; if
/// not `open`, only those that mention present variables alone.
bool Problem::addFacts(size_t first, size_t end, bool open) {
  constexpr size_t maxOpen = 16;
  std::vector<unsigned> chosen;
  for (VarId id : llvm::ArrayRef(order).slice(first, end - first)) {
    llvm::ArrayRef<unsigned> list = facts->mentioning(id);
    auto consider = [&](unsigned index) {
      if (used.contains(index))
        return;
      bool allPresent = true;
      if (!open)
        (*facts)[index].forEachVariable([&](VarId other) {
          allPresent = allPresent && columns.count(other) > 0;
        });
      if (allPresent)
        chosen.push_back(index);
    };
    size_t recent = std::min(list.size(), maxRecent);
    for (unsigned index : list.take_back(recent))
      consider(index);
    for (unsigned index : list.drop_back(recent).take_front(maxFirst))
      consider(index);
  }
  // Later facts are nearer to the goal.
  llvm::sort(chosen, std::greater<unsigned>());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  if (open && chosen.size() > maxOpen)
    chosen.resize(maxOpen);
  for (unsigned index : chosen) {
    used.insert(index);
    add((*facts)[index], Source::Fact);
  }
  return !chosen.empty();
}

/// Adds the facts that mention only present variables. One that could not be
/// added the last time mentions a variable that was not present then, and is
/// found with that one unless too many facts mention it.
bool Problem::addClosedFacts() {
  size_t first = std::exchange(closed, order.size());
  if (llvm::any_of(llvm::ArrayRef(order).drop_front(first), [&](VarId id) {
        return facts->mentioning(id).size() > maxRecent + maxFirst;
      }))
    first = 0;
  return addFacts(first, order.size(), /*open=*/false);
}

bool Problem::grow() {
  size_t first = defined, end = order.size();
  addDefinitions(end);
  bool any = first < end;
  any |= addClosedFacts();
  any |= addFacts(first, end, /*open=*/true);
  return any || addFacts(0, order.size(), /*open=*/true);
}

Feasibility Problem::check(Effort &effort) {
  return falsehood ? Feasibility::Empty : simplex.check(effort.pivots);
}

void Problem::explain(Refutation &why) const {
  if (falsehood) {
    why.lines.emplace_back((*sources)[*falsehood].constraint, Integer(1));
    return;
  }
  for (const auto &[source, weight] : simplex.getConflict())
    why.lines.emplace_back((*sources)[source].constraint, weight);
}

/// The first variable whose value is no integer; fills `sample` if there is
/// none.
std::optional<VarId> Problem::fractional(Sample &sample) const {
  sample.clear();
  for (VarId id : order) {
    auto [numerator, denominator] = simplex.value(columns.lookup(id));
    if (numerator % denominator != 0)
      return id;
    sample[id] = numerator / denominator;
  }
  return std::nullopt;
}

Answer Problem::decideCut(VarId id, Effort &effort, Sample &sample,
                          Refutation *why) {
  auto [numerator, denominator] = simplex.value(columns.lookup(id));
  Integer below = floorDiv(numerator, denominator);
  LinearExpr variable = LinearExpr::variable(id);
  LinearExpr sides[] = {LinearExpr(below) - variable,
                        variable - LinearExpr(below + 1)};
  if (why) {
    why->at = {id, below};
    why->cases.resize(2);
  }
  Answer result = Answer::Empty;
  for (unsigned side : {0u, 1u}) {
    auto mark = simplex.mark();
    addInequality(sides[side], Source::Case, nullptr);
    Answer answer = search(effort, sample, why ? &why->cases[side] : nullptr);
    simplex.restore(*mark);
    inequalities.pop_back();
    if (answer == Answer::Sample)
      return answer;
    if (answer == Answer::Unknown)
      result = answer;
  }
  return result;
}

Answer Problem::decideSplit(const Split &split, Effort &effort, Sample &sample,
                            Refutation *why) {
  if (why) {
    why->split = &split;
    why->cases.resize(split.alternatives.size());
  }
  Answer result = Answer::Empty;
  for (auto [i, alternative] : llvm::enumerate(split.alternatives)) {
    Problem branch = *this;
    llvm::erase(branch.splits, &split);
    branch.add(alternative, Source::Case, &split);
    while (branch.defined < branch.order.size())
      branch.addDefinitions(branch.order.size());
    if (branch.order.size() > order.size())
      branch.addClosedFacts();
    Answer answer =
        branch.decide(effort, sample, why ? &why->cases[i] : nullptr);
    if (answer == Answer::Sample)
      return answer;
    if (answer == Answer::Unknown)
      result = answer;
  }
  return result;
}

Answer Problem::decide(Effort &effort, Sample &sample, Refutation *why) {
  deriveTightened();
  return search(effort, sample, why);
}

Answer Problem::search(Effort &effort, Sample &sample, Refutation *why) {
  if (effort.branches == 0)
    return Answer::Unknown;
  --effort.branches;
  switch (check(effort)) {
  case Feasibility::Empty:
    if (why)
      explain(*why);
    return Answer::Empty;
  case Feasibility::Unknown:
    return Answer::Unknown;
  case Feasibility::Feasible:
    break;
  }
  if (std::optional<VarId> id = fractional(sample))
    return decideCut(*id, effort, sample, why);
  for (const Split *split : splits)
    if (llvm::none_of(split->alternatives, [&](const Formula &alternative) {
          return holdsIn(alternative, sample);
        }))
      return decideSplit(*split, effort, sample, why);
  return Answer::Sample;
}
