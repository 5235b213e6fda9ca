// Queries: what is tried in which order, and what is told about the outcome.
#include "dialect/Spin/Analysis/Solver.h"
#include "dialect/Spin/Analysis/Inquiries.h"

using namespace spinc::spin;

std::vector<Constraint> spinc::spin::negations(const Constraint &goal) {
  std::vector<Constraint> result;
  result.push_back({LinearExpr::number(-1) - goal.expr, false});
  if (goal.equality)
    result.push_back({goal.expr - 1, false});
  return result;
}

namespace {

/// The negation of a goal with the facts about it.
struct Search {
  Search(const VariableTable &variables, const FactStack &facts,
         const Constraint &failure)
      : problem(variables, facts, sources) {
    problem.add(failure, Source::Goal);
  }

  /// Adds facts until there is no solution in fractions. `true` if there is
  /// none.
  bool refuteSimply() {
    for (unsigned round = 0; round < Problem::maxGrowth; ++round) {
      if (problem.check(effort) == Feasibility::Empty)
        return true;
      if (!problem.grow())
        return false;
    }
    return problem.check(effort) == Feasibility::Empty;
  }

  /// The same, then in integers and with case splits. These come in only with
  /// all the facts: most goals need neither.
  bool refute(Refutation *why) {
    if (refuteSimply()) {
      if (why)
        problem.explain(*why);
      answer = Answer::Empty;
    } else {
      answer = problem.decide(effort, sample, why);
    }
    return answer == Answer::Empty;
  }

  std::vector<Source> sources;
  Problem problem;
  Effort effort;
  Answer answer = Answer::Unknown;
  Sample sample;
};

/// Whether the intervals of the variables are enough.
bool followsFromIntervals(const Constraint &goal,
                          const VariableTable &variables) {
  Interval interval = variables.interval(goal.expr);
  return interval.within({Integer(0), goal.equality
                                          ? std::optional<Integer>(Integer(0))
                                          : std::nullopt});
}

} // namespace

bool Solver::implies(const Constraint &goal) const {
  return followsFromIntervals(goal, variables) ||
         llvm::all_of(negations(goal), [&](const Constraint &failure) {
           return Search(variables, facts, failure).refute(nullptr);
         });
}

bool Solver::impliesSimply(const Constraint &goal) const {
  if (followsFromIntervals(goal, variables))
    return true;
  Inquiries own;
  Inquiries &inquiries = shared ? *shared : own;
  return llvm::all_of(negations(goal), [&](const Constraint &failure) {
    return inquiries.refute(variables, facts, failure);
  });
}

bool Solver::impliesInFewCases(const Constraint &goal) const {
  return followsFromIntervals(goal, variables) ||
         llvm::all_of(negations(goal), [&](const Constraint &failure) {
           Search search(variables, facts, failure);
           search.effort = Effort{400, 20};
           return search.refute(nullptr);
         });
}

static std::string text(const Split &split, const VariableTable &variables) {
  std::string result;
  for (const Formula &alternative : split.alternatives) {
    if (!result.empty())
      result += " or ";
    for (auto [i, constraint] : llvm::enumerate(alternative.constraints))
      result += (i ? " and " : "") + variables.text(constraint);
  }
  return result;
}

/// Texts of what a refutation uses, without the goal's negation, the intervals
/// of types, and what cases assume.
static void collectFacts(const Refutation &why,
                         const std::vector<Source> &sources,
                         const VariableTable &variables,
                         std::vector<std::string> &texts) {
  auto add = [&](std::string text) {
    if (!llvm::is_contained(texts, text))
      texts.push_back(std::move(text));
  };
  for (const auto &[line, weight] : why.lines)
    for (const Source &source : sources)
      if (source.kind == Source::Fact && source.constraint.expr == line.expr &&
          !line.expr.isConstant()) {
        add(variables.text(line));
        break;
      }
  if (why.split)
    add(text(*why.split, variables));
  for (const Refutation &inner : why.cases)
    collectFacts(inner, sources, variables, texts);
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
      bounded.add(Constraint{LinearExpr(middle) - expr, false}, Source::Case);
      bounded.add(Constraint{expr, false}, Source::Case);
      Sample smaller;
      Effort effort{500, 24};
      if (bounded.decide(effort, smaller, nullptr) == Answer::Sample) {
        sample = smaller;
        high = value(sample);
      } else {
        low = middle + 1;
      }
    }
    if (high)
      problem.add(Constraint{expr - LinearExpr(*high), true}, Source::Case);
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
  for (const Constraint &failure : negations(goal)) {
    Search search(variables, facts, failure);
    Refutation why;
    if (search.refute(&why)) {
      collectFacts(why, search.sources, variables, result.facts);
      result.refutations.push_back(std::move(why));
      continue;
    }
    if (search.answer == Answer::Sample) {
      shrink(std::move(search.problem), search.sample, display);
      result.counterexample = std::move(search.sample);
    }
    result.refutations.clear();
    return result;
  }
  result.proved = true;
  return result;
}

std::optional<Sample>
Solver::completeCounterexample(const Constraint &goal,
                               llvm::ArrayRef<VarId> wanted) const {
  for (const Constraint &failure : negations(goal)) {
    Search search(variables, facts, failure);
    for (VarId id : wanted)
      if (const std::optional<Integer> &low = variables[id].interval.low)
        search.problem.add(
            Constraint{LinearExpr::variable(id) - LinearExpr(*low), false},
            Source::Interval);
    if (!search.refute(nullptr) && search.answer == Answer::Sample)
      return std::move(search.sample);
  }
  return std::nullopt;
}

std::optional<int64_t> Solver::maximum(const LinearExpr &expr,
                                       int64_t limit) const {
  Inquiries own;
  Solver solver(variables, facts, shared ? shared : &own);
  auto bounded = [&](int64_t bound) {
    return solver.impliesSimply({LinearExpr::number(bound) - expr, false});
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
