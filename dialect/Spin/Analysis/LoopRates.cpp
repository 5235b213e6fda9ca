// Candidates for loop invariants that come from what one iteration does to the
// loop variables: an accumulator grows no faster than some constant times the
// loop index or another variable, and a variable that keeps its value or gets
// one from a known range stays in that range. Each is a guess here;
// LoopInvariants.cpp keeps those that it finds inductive.
#include "dialect/Spin/Analysis/HandlerFacts.h"

using namespace mlir;
using namespace spinc::spin;

namespace {

/// Growth beyond this is no help for numbers of any width.
const Integer largestGrowth = powerOfTwo(40);

bool isKnown(const Interval &growth) {
  return growth.low && growth.high && *growth.low >= -largestGrowth &&
         *growth.high <= largestGrowth;
}

/// Relations of growing variables.
class Rates {
public:
  explicit Rates(std::vector<Constraint> &result) : result(result) {}

  /// What holds between `risen`, which a round changes by `growth`, and
  /// `passed`, which it changes by `pace`. Both are 0 at first.
  void relate(const LinearExpr &risen, const Interval &growth,
              const LinearExpr &passed, const Interval &pace) {
    if (*pace.low > 0)
      relateToRising(risen, growth, passed, pace);
    else if (*pace.high < 0)
      relateToRising(risen, growth, passed * Integer(-1), pace * Integer(-1));
  }

private:
  void relateToRising(const LinearExpr &risen, const Interval &growth,
                      const LinearExpr &passed, const Interval &pace) {
    // The slowest pace bounds a rise from above, the fastest one a fall.
    const Integer &above = *growth.high >= 0 ? *pace.low : *pace.high;
    result.push_back({passed * *growth.high - risen * above, false});
    const Integer &below = *growth.low <= 0 ? *pace.low : *pace.high;
    result.push_back({risen * below - passed * *growth.low, false});
  }

  std::vector<Constraint> &result;
};

} // namespace

/// What one iteration changes the variable by.
Interval HandlerFacts::growthOf(VarId id, const LinearExpr &next) {
  constexpr int64_t largest = 1 << 20;
  Interval growth = evaluator.distance(next, id);
  LinearExpr change = next - LinearExpr::variable(id);
  LinearExpr fall = change * Integer(-1);
  Solver solver = getSolver();
  bool isNear = isKnown(growth);
  // Something like x / 2 falls if x is not 0, which is a fact.
  if (!isNear || (*growth.low < 0 && *growth.high > 0))
    if (solver.impliesSimply({fall - 1, false}))
      return {isNear ? growth.low
                     : evaluator.getVariables().interval(change).low,
              Integer(-1)};
  // The result of an inner loop: what is known of it are facts.
  if (!isNear && solver.impliesSimply({change, false}))
    if (std::optional<int64_t> most = solver.maximum(change, largest))
      return Interval::between(0, std::max<int64_t>(*most, 0));
  return growth;
}

/// The values that `value` can have other than that of the variable itself.
static void collectSources(Value value, SmallVectorImpl<Value> &sources,
                           unsigned depth = 0) {
  constexpr unsigned maxDepth = 8;
  constexpr size_t maxSources = 24;
  if (depth > maxDepth || sources.size() > maxSources)
    return sources.push_back(value);
  Operation *op = value.getDefiningOp();
  auto both = [&](Value first, Value second) {
    collectSources(first, sources, depth + 1);
    collectSources(second, sources, depth + 1);
  };
  if (auto branch = dyn_cast_or_null<scf::IfOp>(op)) {
    unsigned index = cast<OpResult>(value).getResultNumber();
    return both(branch.thenYield().getOperand(index),
                branch.elseYield().getOperand(index));
  }
  if (auto select = dyn_cast_or_null<arith::SelectOp>(op))
    return both(select.getTrueValue(), select.getFalseValue());
  sources.push_back(value);
}

/// The interval of `expr`, with the facts about it if it is one variable.
Interval HandlerFacts::knownRange(const LinearExpr &expr) {
  Interval range = evaluator.getVariables().interval(expr);
  std::optional<VarId> id = expr.getIfVariable();
  if (!id)
    return range;
  if (const Constraint *low = facts.lowest(*id))
    range =
        range.intersect({-tightened(*low).expr.getConstant(), std::nullopt});
  if (const Constraint *high = facts.highest(*id))
    range =
        range.intersect({std::nullopt, tightened(*high).expr.getConstant()});
  return range;
}

std::optional<Interval> HandlerFacts::rangeOf(VarId id, Value yielded,
                                              const LinearExpr &init) {
  Interval range = knownRange(init);
  SmallVector<Value> sources;
  collectSources(yielded, sources);
  for (Value source : sources) {
    LinearExpr value = evaluator.number(source);
    if (value != LinearExpr::variable(id))
      range = range.hull(evaluator.getVariables().interval(value));
  }
  const Interval &own = evaluator.getVariables()[id].interval;
  return own.within(range) ? std::nullopt : std::optional<Interval>(range);
}

std::vector<Constraint>
HandlerFacts::observed(const LoopVariables &loop, ValueRange yielded,
                       llvm::ArrayRef<LinearExpr> next) {
  constexpr size_t maxRelated = 6;
  std::vector<Constraint> result;
  size_t index = 0;
  for (Value value : yielded) {
    if (!isa<IntegerType>(value.getType()))
      continue;
    LinearExpr argument = LinearExpr::variable(loop.arguments[index]);
    std::optional<Interval> range =
        rangeOf(loop.arguments[index], value, loop.inits[index]);
    ++index;
    if (!range)
      continue;
    if (range->high)
      result.push_back({LinearExpr(*range->high) - argument, false});
    if (range->low)
      result.push_back({argument - LinearExpr(*range->low), false});
  }
  std::vector<std::pair<size_t, Interval>> growing;
  for (size_t i = 0; i < next.size() && growing.size() < maxRelated; ++i) {
    bool isIndex = loop.indexStep && i + 1 == next.size();
    Interval growth = isIndex ? Interval{loop.indexStep, loop.indexStep}
                              : growthOf(loop.arguments[i], next[i]);
    if (isKnown(growth))
      growing.emplace_back(i, growth);
  }
  Rates rates(result);
  auto change = [&](size_t i) {
    return LinearExpr::variable(loop.arguments[i]) - loop.inits[i];
  };
  for (const auto &[i, growth] : growing)
    for (const auto &[j, pace] : growing) {
      // The index tells more than the other variables do.
      bool isIndex = loop.indexStep && j + 1 == next.size();
      if (i != j && (isIndex || !loop.indexStep))
        rates.relate(change(i), growth, change(j), pace);
    }
  return result;
}

/// The value that the index of `loop` has when the loop is over.
LinearExpr HandlerFacts::lastIndex(scf::ForOp loop, const Integer &step) {
  Reading reading = loop.getUnsignedCmp() ? Reading::Unsigned : Reading::Signed;
  VariableTable &variables = evaluator.getVariables();
  LinearExpr low = evaluator.number(loop.getLowerBound(), reading);
  LinearExpr distance = evaluator.number(loop.getUpperBound(), reading) - low +
                        LinearExpr(step - 1);
  LinearExpr rounds = variables.floorDivide(distance, step);
  if (getSolver().impliesSimply({distance, false}))
    return low + rounds * step;
  auto [entry, isNew] = roundVariables.try_emplace(loop, 0);
  if (isNew) {
    Variable variable;
    variable.value = loop.getResult(0);
    variable.interval.low = Integer(0);
    if (std::optional<Integer> high = variables.interval(rounds).high)
      variable.interval.high = *high > 0 ? *high : Integer(0);
    entry->second = variables.create(std::move(variable));
    LinearExpr count = LinearExpr::variable(entry->second);
    Formula some = Formula::atLeast(distance, LinearExpr());
    some.conjoin(Formula::equal(count, rounds));
    Formula none = atMost(distance, LinearExpr::number(-1));
    none.conjoin(Formula::equal(count, LinearExpr()));
    Formula definition = Formula::either(std::move(some), std::move(none));
    variables[entry->second].definition = std::move(definition);
  }
  return low + LinearExpr::variable(roundVariables[loop]) * step;
}
