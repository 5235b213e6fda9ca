// Queries: growing the set of relevant facts, case splits, and emptiness of
// integer polyhedra.
#include "dialect/Spin/Analysis/Solver.h"
#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "llvm/ADT/DenseSet.h"

using namespace spinc::spin;
namespace presburger = mlir::presburger;

void FactStack::push(Formula fact) {
  unsigned index = facts.size();
  bool any = false;
  fact.forEachVariable([&](VarId id) {
    any = true;
    std::vector<unsigned> &list = byVariable[id];
    if (list.empty() || list.back() != index)
      list.push_back(index);
  });
  if (!any && !fact.isTrivial())
    variableFree.push_back(index);
  facts.push_back(std::move(fact));
}

void FactStack::truncate(size_t size) {
  for (size_t i = facts.size(); i-- > size;)
    facts[i].forEachVariable([&](VarId id) {
      std::vector<unsigned> &list = byVariable[id];
      if (!list.empty() && list.back() == i)
        list.pop_back();
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

namespace {

constexpr unsigned maxVariables = 28;
constexpr unsigned maxConstraints = 96;
constexpr unsigned maxSplits = 12;
constexpr unsigned maxRounds = 6;
/// Polyhedra that one query may look at.
constexpr unsigned maxPolyhedra = 96;

enum class Answer { Empty, Sample, Unknown };

/// The facts that a query looks at. A copy is one branch of a case split.
class Problem {
public:
  Problem(const VariableTable &variables, const FactStack &facts)
      : variables(&variables), facts(&facts) {
    for (unsigned index : facts.constants())
      addFact(index);
  }

  void add(const Constraint &constraint);
  void add(const Formula &formula);
  /// Adds the facts that mention a present variable, those that mention no
  /// other first. False if there were none, or no room for one.
  bool grow();
  Answer solve(Sample &sample) const;
  /// Whether the constraints have no solution in fractions either: quick.
  bool isFractionallyEmpty() const;
  /// Index of a split that `sample` violates or does not decide.
  std::optional<size_t> findOpenSplit(const Sample &sample) const;
  Problem branch(size_t split, const Formula &alternative) const;
  const Split &getSplit(size_t index) const { return splits[index]; }
  size_t getNumConstraints() const { return constraints.size(); }
  const Constraint &getConstraint(size_t index) const {
    return constraints[index];
  }
  Problem without(size_t index) const;

private:
  mlir::presburger::IntegerPolyhedron polyhedron() const;
  bool hasFalseConstant() const;
  void addVariable(VarId id);
  void addFact(unsigned index);

  const VariableTable *variables;
  const FactStack *facts;
  std::vector<Constraint> constraints;
  std::vector<Split> splits;
  std::vector<VarId> order;
  llvm::DenseMap<VarId, unsigned> columns;
  llvm::DenseSet<unsigned> used;
};

void Problem::addVariable(VarId id) {
  if (!columns.try_emplace(id, order.size()).second)
    return;
  order.push_back(id);
  add((*variables)[id].definition);
}

void Problem::add(const Constraint &constraint) {
  // A fact left out for lack of room only makes the proof fail.
  if (constraints.size() >= maxConstraints)
    return;
  unsigned added = 0;
  for (const LinearExpr::Term &term : constraint.expr.getTerms())
    added += !columns.count(term.first);
  if (order.size() + added > maxVariables)
    return;
  constraints.push_back(constraint);
  // A copy: the constraint may live in `constraints`, which grows.
  LinearExpr expr = constraint.expr;
  for (const LinearExpr::Term &term : expr.getTerms())
    addVariable(term.first);
}

void Problem::add(const Formula &formula) {
  for (const Constraint &constraint : formula.constraints)
    add(constraint);
  for (const Split &split : formula.splits)
    if (splits.size() < maxSplits)
      splits.push_back(split);
}

void Problem::addFact(unsigned index) {
  if (used.insert(index).second)
    add((*facts)[index]);
}

bool Problem::grow() {
  std::vector<unsigned> closed, open;
  for (VarId id : order)
    for (unsigned index : facts->mentioning(id)) {
      if (used.contains(index))
        continue;
      bool allPresent = true;
      (*facts)[index].forEachVariable(
          [&](VarId other) { allPresent &= columns.count(other) > 0; });
      (allPresent ? closed : open).push_back(index);
    }
  // Later facts are nearer to the goal.
  for (std::vector<unsigned> *group : {&closed, &open}) {
    llvm::sort(*group, std::greater<unsigned>());
    group->erase(std::unique(group->begin(), group->end()), group->end());
    for (unsigned index : *group)
      addFact(index);
    if (!group->empty())
      return true;
  }
  return false;
}

presburger::IntegerPolyhedron Problem::polyhedron() const {
  presburger::IntegerPolyhedron result(
      presburger::PresburgerSpace::getSetSpace(order.size()));
  llvm::SmallVector<Integer> row(order.size() + 1);
  auto addRow = [&](const LinearExpr &expr, bool equality) {
    std::fill(row.begin(), row.end(), Integer(0));
    for (const LinearExpr::Term &term : expr.getTerms())
      row[columns.lookup(term.first)] = term.second;
    row.back() = expr.getConstant();
    if (equality)
      result.addEquality(row);
    else
      result.addInequality(row);
  };
  for (const Constraint &constraint : constraints)
    addRow(constraint.expr, constraint.equality);
  for (VarId id : order) {
    const Interval &interval = (*variables)[id].interval;
    if (interval.low)
      addRow(LinearExpr::variable(id) - LinearExpr(*interval.low), false);
    if (interval.high)
      addRow(LinearExpr(*interval.high) - LinearExpr::variable(id), false);
  }
  return result;
}

bool Problem::hasFalseConstant() const {
  return llvm::any_of(constraints, [](const Constraint &constraint) {
    return constraint.expr.isConstant() &&
           !constraint.holds([](VarId) { return Integer(0); });
  });
}

bool Problem::isFractionallyEmpty() const {
  if (order.empty() || hasFalseConstant())
    return hasFalseConstant();
  return presburger::Simplex(polyhedron()).isEmpty();
}

Answer Problem::solve(Sample &sample) const {
  sample.clear();
  if (order.empty() || hasFalseConstant())
    return hasFalseConstant() ? Answer::Empty : Answer::Sample;
  presburger::IntegerPolyhedron points = polyhedron();
  if (points.isEmptyByGCDTest() || presburger::Simplex(points).isEmpty())
    return Answer::Empty;
  std::optional<llvm::SmallVector<Integer, 8>> point =
      points.findIntegerSample();
  if (!point)
    return Answer::Empty;
  for (VarId id : order)
    sample[id] = (*point)[columns.lookup(id)];
  return Answer::Sample;
}

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

std::optional<size_t> Problem::findOpenSplit(const Sample &sample) const {
  for (size_t i = 0; i < splits.size(); ++i)
    if (llvm::none_of(splits[i].alternatives, [&](const Formula &alternative) {
          return holdsIn(alternative, sample);
        }))
      return i;
  return std::nullopt;
}

Problem Problem::branch(size_t split, const Formula &alternative) const {
  Problem result = *this;
  result.splits.erase(result.splits.begin() + split);
  result.add(alternative);
  return result;
}

Problem Problem::without(size_t index) const {
  Problem result = *this;
  result.constraints.erase(result.constraints.begin() + index);
  return result;
}

/// Decides a problem by case splits, within a number of polyhedra.
Answer decide(const Problem &problem, Sample &sample, unsigned &fuel) {
  if (fuel == 0)
    return Answer::Unknown;
  --fuel;
  Answer answer = problem.solve(sample);
  if (answer != Answer::Sample)
    return answer;
  std::optional<size_t> open = problem.findOpenSplit(sample);
  if (!open)
    return Answer::Sample;
  for (const Formula &alternative : problem.getSplit(*open).alternatives) {
    answer = decide(problem.branch(*open, alternative), sample, fuel);
    if (answer != Answer::Empty)
      return answer;
  }
  return Answer::Empty;
}

/// Adds facts until the problem has no solution in fractions. `true` if it has
/// none.
bool refuteSimply(Problem &problem) {
  for (unsigned round = 0; round < maxRounds; ++round) {
    if (problem.isFractionallyEmpty())
      return true;
    if (!problem.grow())
      return false;
  }
  return false;
}

/// The same, then in integers and with case splits. These come in only with
/// all the facts: most goals need neither.
bool refute(Problem &problem, Sample &sample, Answer &last) {
  last = Answer::Empty;
  if (refuteSimply(problem))
    return true;
  unsigned fuel = maxPolyhedra;
  last = decide(problem, sample, fuel);
  return last == Answer::Empty;
}

/// The negation of a goal, one alternative per way to fail.
std::vector<Constraint> negate(const Constraint &goal) {
  std::vector<Constraint> result;
  result.push_back({goal.expr * Integer(-1) - 1, false});
  if (goal.equality)
    result.push_back({goal.expr - 1, false});
  return result;
}

} // namespace

/// Whether the intervals of the variables are enough.
static bool followsFromIntervals(const Constraint &goal,
                                 const VariableTable &variables) {
  Interval interval = variables.interval(goal.expr);
  return interval.within({Integer(0), goal.equality
                                          ? std::optional<Integer>(Integer(0))
                                          : std::nullopt});
}

bool Solver::implies(const Constraint &goal) const {
  if (followsFromIntervals(goal, variables))
    return true;
  for (const Constraint &failure : negate(goal)) {
    Problem problem(variables, facts);
    problem.add(failure);
    Sample sample;
    Answer last;
    if (!refute(problem, sample, last))
      return false;
  }
  return true;
}

bool Solver::impliesSimply(const Constraint &goal) const {
  return followsFromIntervals(goal, variables) ||
         llvm::all_of(negate(goal), [&](const Constraint &failure) {
           Problem problem(variables, facts);
           problem.add(failure);
           return refuteSimply(problem);
         });
}

/// Texts of the constraints that are needed to exclude the goal's negation,
/// which is the first constraint.
static std::vector<std::string> usedFacts(Problem problem,
                                          const VariableTable &variables,
                                          const Constraint &failure) {
  if (problem.isFractionallyEmpty())
    for (size_t i = problem.getNumConstraints(); i-- > 0;) {
      if (problem.getConstraint(i).expr == failure.expr)
        continue;
      Problem smaller = problem.without(i);
      if (smaller.isFractionallyEmpty())
        problem = std::move(smaller);
    }
  std::vector<std::string> texts;
  for (size_t i = 0; i < problem.getNumConstraints(); ++i) {
    const Constraint &constraint = problem.getConstraint(i);
    if (constraint.expr != failure.expr && !constraint.expr.isConstant())
      texts.push_back(variables.text(constraint));
  }
  return texts;
}

/// Makes the values of `display` small in turn, each by bisection.
static void shrink(Problem problem, Sample &sample,
                   llvm::ArrayRef<LinearExpr> display) {
  for (const LinearExpr &expr : display) {
    auto value = [&](const Sample &in) -> std::optional<Integer> {
      bool known = true;
      Integer result = expr.evaluate([&](VarId id) {
        auto found = in.find(id);
        known &= found != in.end();
        return found == in.end() ? Integer(0) : found->second;
      });
      return known ? std::optional<Integer>(result) : std::nullopt;
    };
    std::optional<Integer> high = value(sample);
    Integer low(0);
    while (high && low < *high) {
      Integer middle = floorDiv(low + *high, Integer(2));
      Problem bounded = problem;
      bounded.add(Constraint{LinearExpr(middle) - expr, false});
      bounded.add(Constraint{expr, false});
      Sample smaller;
      unsigned fuel = 16;
      if (decide(bounded, smaller, fuel) == Answer::Sample) {
        sample = smaller;
        high = value(sample);
      } else {
        low = middle + 1;
      }
    }
    if (high)
      problem.add(Constraint{expr - LinearExpr(*high), true});
  }
}

QueryResult Solver::query(const Constraint &goal,
                          llvm::ArrayRef<LinearExpr> display) const {
  QueryResult result;
  if (followsFromIntervals(goal, variables)) {
    result.proved = true;
    for (const LinearExpr::Term &term : goal.expr.getTerms())
      result.facts.push_back(variables.rangeText(term.first));
    return result;
  }
  for (const Constraint &failure : negate(goal)) {
    Problem problem(variables, facts);
    problem.add(failure);
    Sample sample;
    Answer last;
    if (refute(problem, sample, last)) {
      for (std::string &text : usedFacts(problem, variables, failure))
        if (!llvm::is_contained(result.facts, text))
          result.facts.push_back(std::move(text));
      continue;
    }
    if (last == Answer::Sample) {
      shrink(std::move(problem), sample, display);
      result.counterexample = std::move(sample);
    }
    return result;
  }
  result.proved = true;
  return result;
}

std::optional<int64_t> Solver::maximum(const LinearExpr &expr,
                                       int64_t limit) const {
  auto bounded = [&](int64_t bound) {
    return impliesSimply({LinearExpr::number(bound) - expr, false});
  };
  if (!bounded(limit))
    return std::nullopt;
  int64_t low = -1, high = limit;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    (bounded(middle) ? high : low) = middle;
  }
  return high;
}
