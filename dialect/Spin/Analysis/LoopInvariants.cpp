// Loop invariants from templates: each candidate relation is kept if it holds
// on entry and if one iteration, starting from all candidates, keeps it.
// Candidates that fail are dropped until the rest is inductive.
#include "dialect/Spin/Analysis/HandlerFacts.h"

using namespace mlir;
using namespace spinc::spin;

HandlerFacts::LoopVariables HandlerFacts::loopVariables(ValueRange arguments,
                                                        ValueRange inits) {
  LoopVariables result;
  for (auto [argument, init] : llvm::zip_equal(arguments, inits)) {
    if (!isa<IntegerType>(argument.getType()))
      continue;
    // A region argument that is no loop index is a variable of its own.
    result.arguments.push_back(*evaluator.number(argument).getIfVariable());
    result.inits.push_back(evaluator.number(init));
  }
  return result;
}

HandlerFacts::LoopVariables HandlerFacts::loopVariables(scf::ForOp loop) {
  LoopVariables result =
      loopVariables(loop.getRegionIterArgs(), loop.getInitArgs());
  Value index = loop.getInductionVar();
  Reading reading = loop.getUnsignedCmp() ? Reading::Unsigned : Reading::Signed;
  LinearExpr step = evaluator.number(loop.getStep(), reading);
  if (result.arguments.empty() || !isa<IntegerType>(index.getType()) ||
      !step.isConstant() || step.getConstant() < 1)
    return result;
  result.indexStep = step.getConstant();
  result.arguments.push_back(*evaluator.number(index, reading).getIfVariable());
  result.inits.push_back(evaluator.number(loop.getLowerBound(), reading));
  return result;
}

std::vector<LinearExpr> HandlerFacts::nextValues(const LoopVariables &loop,
                                                 ValueRange yielded) {
  std::vector<LinearExpr> values;
  for (Value value : yielded)
    if (isa<IntegerType>(value.getType()))
      values.push_back(evaluator.number(value));
  if (loop.indexStep)
    values.push_back(LinearExpr::variable(loop.arguments.back()) +
                     LinearExpr(*loop.indexStep));
  return values;
}

/// What loop variables may be bounded by: numbers from outside of the loop
/// that something in it is compared with, and lengths of slices from outside.
std::vector<LinearExpr> HandlerFacts::limitsIn(Operation *loop) {
  constexpr size_t maxLimits = 6;
  std::vector<LinearExpr> limits;
  auto isOutside = [&](Value value) {
    return !loop->isAncestor(value.getParentBlock()->getParentOp());
  };
  auto add = [&](const LinearExpr &limit) {
    if (limits.size() < maxLimits && !llvm::is_contained(limits, limit))
      limits.push_back(limit);
  };
  auto addValue = [&](Value value) {
    Operation *op = value.getDefiningOp();
    // IRGen widens numbers before it compares them.
    while (isa_and_nonnull<arith::ExtUIOp>(op) && !isOutside(value)) {
      value = op->getOperand(0);
      op = value.getDefiningOp();
    }
    auto length = dyn_cast_or_null<SliceLengthOp>(op);
    if (length && isOutside(length.getSlice()))
      add(evaluator.length(length.getSlice()));
    else if (isOutside(value) || isa_and_nonnull<arith::ConstantOp>(op))
      add(evaluator.number(value));
  };
  loop->walk([&](Operation *op) {
    if (auto cmp = dyn_cast<arith::CmpIOp>(op))
      if (isa<IntegerType>(cmp.getLhs().getType())) {
        addValue(cmp.getLhs());
        addValue(cmp.getRhs());
      }
    if (auto inner = dyn_cast<scf::ForOp>(op))
      if (isa<IntegerType>(inner.getUpperBound().getType()))
        addValue(inner.getUpperBound());
    Value slice;
    if (auto load = dyn_cast<LoadOp>(op))
      slice = load.getSlice();
    else if (auto load = dyn_cast<WireLoadOp>(op))
      slice = load.getSlice();
    else if (auto part = dyn_cast<SubsliceOp>(op))
      slice = part.getSlice();
    if (slice && isOutside(slice))
      add(evaluator.length(slice));
  });
  return limits;
}

std::vector<Constraint> HandlerFacts::candidates(const LoopVariables &loop,
                                                 Operation *op) {
  std::vector<Constraint> result;
  auto add = [&](const LinearExpr &expr) {
    for (const Constraint &old : result)
      if (old.expr == expr)
        return;
    result.push_back({expr, false});
  };
  std::vector<LinearExpr> limits = limitsIn(op);
  size_t count = loop.arguments.size() - (loop.indexStep ? 1 : 0);
  for (size_t i = 0; i < count; ++i) {
    LinearExpr argument = LinearExpr::variable(loop.arguments[i]);
    Interval start = evaluator.getVariables().interval(loop.inits[i]);
    add(argument - loop.inits[i]);
    add(loop.inits[i] - argument);
    if (start.low)
      add(argument - LinearExpr(*start.low));
    if (start.high)
      add(LinearExpr(*start.high) - argument);
    for (const LinearExpr &limit : limits) {
      add(limit - argument);
      add(argument - limit);
      if (limit.isConstant()) {
        add(limit - 1 - argument);
        add(argument - limit - 1);
      }
    }
    for (size_t j = 0; j < i; ++j) {
      LinearExpr other = LinearExpr::variable(loop.arguments[j]);
      LinearExpr apart = loop.inits[i] - loop.inits[j];
      add(argument - other);
      add(other - argument);
      add(argument - other - apart);
      add(other - argument + apart);
    }
  }
  return result;
}

Constraint HandlerFacts::substitute(const Constraint &constraint,
                                    const LoopVariables &loop,
                                    llvm::ArrayRef<LinearExpr> values) const {
  // All at once: a value may mention a variable of the loop.
  LinearExpr result(constraint.expr.getConstant());
  for (const LinearExpr::Term &term : constraint.expr.getTerms()) {
    size_t index =
        llvm::find(loop.arguments, term.first) - loop.arguments.begin();
    LinearExpr value = index == loop.arguments.size()
                           ? LinearExpr::variable(term.first)
                           : values[index];
    result = result.plus(value, term.second);
  }
  return {result, constraint.equality};
}

/// A search inside of another starts from what it found in the round before:
/// facts only get fewer from round to round. When the outermost one is over,
/// those inside have been checked in its last round and stand.
std::vector<Constraint>
HandlerFacts::invariants(const LoopVariables &loop, Operation *op,
                         llvm::function_ref<void(AtEnd)> iterate) {
  constexpr unsigned patientRounds = 8;
  if (depth == Depth::Guards)
    return {};
  auto found = settled.find(op);
  if (!searching && found != settled.end())
    return found->second;
  std::vector<Constraint> kept =
      found != settled.end() ? found->second : candidates(loop, op);
  llvm::erase_if(kept, [&](const Constraint &candidate) {
    return !getSolver().impliesSimply(substitute(candidate, loop, loop.inits));
  });
  // What iterations do is looked at once, when the first candidates stand.
  bool isObserved = found != settled.end();
  bool dropped = searching || !kept.empty() || !loop.arguments.empty();
  ++searching;
  for (unsigned round = 0; dropped; ++round) {
    size_t mark = facts.size();
    facts.push(Formula{kept, {}});
    llvm::DenseSet<VarId> unstable;
    std::vector<Constraint> more;
    dropped = false;
    iterate([&](ValueRange yielded) {
      std::vector<LinearExpr> values = nextValues(loop, yielded);
      llvm::erase_if(kept, [&](const Constraint &candidate) {
        if (holdsNext(op, substitute(candidate, loop, values)))
          return false;
        for (const LinearExpr::Term &term : candidate.expr.getTerms())
          unstable.insert(term.first);
        return dropped = true;
      });
      if (!dropped && !isObserved)
        more = observed(loop, yielded, values);
    });
    facts.truncate(mark);
    if (!dropped && !isObserved) {
      isObserved = true;
      for (Constraint &candidate : more)
        if (getSolver().impliesSimply(
                substitute(candidate, loop, loop.inits))) {
          kept.push_back(std::move(candidate));
          dropped = true;
        }
      round = 0;
      continue;
    }
    // Candidates that fall one after the other: give up those like them.
    if (round >= patientRounds)
      llvm::erase_if(kept, [&](const Constraint &candidate) {
        return llvm::any_of(candidate.expr.getTerms(),
                            [&](const LinearExpr::Term &term) {
                              return unstable.contains(term.first);
                            });
      });
  }
  --searching;
  settled[op] = kept;
  return kept;
}

/// The two values of which a branch in the loop gives one, if the variable is
/// that. Which way was gone before the loop makes no difference to what a round
/// keeps.
const std::pair<LinearExpr, LinearExpr> *HandlerFacts::waysIn(Operation *loop,
                                                              VarId id) const {
  Value value = evaluator.getVariables()[id].value;
  bool isInside =
      value && loop->isAncestor(value.getParentBlock()->getParentOp());
  return isInside ? evaluator.waysOf(id) : nullptr;
}

/// Whether the goal holds for each value that branches may have given, without
/// what their conditions say. A value from a region that did not run is not
/// the one that counts, so it does no harm.
bool HandlerFacts::holdsEachWay(Operation *loop, const Constraint &goal,
                                unsigned &fuel) const {
  if (fuel == 0)
    return false;
  --fuel;
  if (getSolver().impliesSimply(goal))
    return true;
  for (const LinearExpr::Term &term : goal.expr.getTerms())
    if (const auto *ways = waysIn(loop, term.first))
      return llvm::all_of(
          std::array{ways->first, ways->second}, [&](const LinearExpr &way) {
            return holdsEachWay(
                loop, {goal.expr.substitute(term.first, way), goal.equality},
                fuel);
          });
  return false;
}

/// At the end of an iteration: the simple way, by the values of branches one
/// by one, and at last with what their conditions say.
bool HandlerFacts::holdsNext(Operation *loop, const Constraint &goal) const {
  unsigned fuel = 16;
  if (holdsEachWay(loop, goal, fuel))
    return true;
  return llvm::any_of(goal.expr.getTerms(),
                      [&](const LinearExpr::Term &term) {
                        return waysIn(loop, term.first) != nullptr;
                      }) &&
         getSolver().impliesInFewCases(goal);
}

void HandlerFacts::assumeFor(const std::vector<Constraint> &constraints,
                             const LoopVariables &loop, ValueRange results,
                             std::optional<LinearExpr> lastIndex) {
  std::vector<LinearExpr> values;
  for (Value result : results)
    if (isa<IntegerType>(result.getType()))
      values.push_back(evaluator.number(result));
  if (lastIndex)
    values.push_back(std::move(*lastIndex));
  Formula fact;
  for (const Constraint &constraint : constraints)
    fact.constraints.push_back(substitute(constraint, loop, values));
  facts.push(std::move(fact));
}

/// A loop variable that grows by a constant each iteration is a linear
/// function of the loop index.
void HandlerFacts::assumeCounters(scf::ForOp loop,
                                  const LoopVariables &variables) {
  Reading reading = loop.getUnsignedCmp() ? Reading::Unsigned : Reading::Signed;
  LinearExpr step = evaluator.number(loop.getStep(), reading);
  if (variables.arguments.empty() || !step.isConstant() ||
      step.getConstant() < 1)
    return;
  LinearExpr passed = evaluator.number(loop.getInductionVar(), reading) -
                      evaluator.number(loop.getLowerBound(), reading);
  size_t next = 0;
  for (Value yielded : loop.getYieldedValues()) {
    if (!isa<IntegerType>(yielded.getType()))
      continue;
    size_t index = next++;
    LinearExpr argument = LinearExpr::variable(variables.arguments[index]);
    LinearExpr growth = evaluator.number(yielded) - argument;
    // argument = init + growth * passed / step
    if (growth.isConstant())
      facts.push(Formula::equal((argument - variables.inits[index]) *
                                    step.getConstant(),
                                passed * growth.getConstant()));
  }
}
