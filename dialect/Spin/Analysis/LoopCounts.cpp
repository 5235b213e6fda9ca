// An iteration count is first a linear expression over the handler's
// variables, then one over what is known outside (OutsideBounds.h).
#include "dialect/Spin/Analysis/LoopCounts.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spinc::spin;

/// Up to this a constant is preferred to an expression.
static constexpr int64_t smallCount = 8;

LoopCounts::LoopCounts(HandlerFacts &facts)
    : facts(facts), evaluator(facts.getEvaluator()),
      variables(evaluator.getVariables()), known(facts) {}

/// The better one of an expression and of the constant that the facts give
/// for `exact`, which is what the loop counts.
std::optional<LinearExpr> LoopCounts::choose(std::optional<LinearExpr> symbolic,
                                             const LinearExpr &exact) {
  if (symbolic)
    symbolic = known.madeNonNegative(*symbolic);
  // Sums with negative terms are evaluated term by term later: too large.
  bool isUseful =
      symbolic && !symbolic->isConstant() &&
      llvm::all_of(symbolic->getTerms(), [](const LinearExpr::Term &term) {
        return term.second > 0;
      });
  std::optional<int64_t> constant =
      facts.getSolver().maximum(exact, isUseful ? smallCount : largestCount);
  if (!constant && isUseful)
    constant = guardedMaximum(*symbolic, exact);
  if (constant)
    return LinearExpr::number(*constant);
  return symbolic;
}

/// The largest value of `exact` where guards keep it to half of what `symbolic`
/// is for the longest packet, or less.
std::optional<int64_t> LoopCounts::guardedMaximum(const LinearExpr &symbolic,
                                                  const LinearExpr &exact) {
  std::optional<Integer> high = variables.interval(symbolic).high;
  if (followsLength || !high || *high > largestCount)
    return std::nullopt;
  std::optional<int64_t> constant =
      facts.getSolver().maximum(exact, int64_t(*high) / 2);
  LinearExpr twice = LinearExpr::number(2 * constant.value_or(0));
  if (!constant || known.isAlways({twice - symbolic, false}))
    return std::nullopt;
  return constant;
}

/// Whether a limit on cycles is to be met for each packet length.
static bool isLimitedByLength(HandlerOp handler) {
  std::optional<BudgetAttr> budget = handler.getBudget();
  if (!budget)
    return false;
  return budget->getLineRate() ||
         (budget->getCycles() && !budget->getCycles().getSymbols().empty());
}

std::optional<LinearExpr> LoopCounts::countFor(scf::ForOp loop) {
  if (!isa<IntegerType>(loop.getInductionVar().getType()))
    return std::nullopt;
  Reading reading = loop.getUnsignedCmp() ? Reading::Unsigned : Reading::Signed;
  LinearExpr low = evaluator.number(loop.getLowerBound(), reading);
  LinearExpr high = evaluator.number(loop.getUpperBound(), reading);
  Interval steps =
      variables.interval(evaluator.number(loop.getStep(), reading));
  Integer step = steps.low && *steps.low > 1 ? *steps.low : Integer(1);
  auto rounds = [&](const LinearExpr &distance) {
    return variables.floorDivide(distance + LinearExpr(step - 1), step);
  };
  LinearExpr exact = rounds(high - low);
  std::optional<LinearExpr> symbolic = known.above(exact);
  // Counting from 0 is no less, and not negative.
  Interval start = variables.interval(low);
  if ((!symbolic || !known.madeNonNegative(*symbolic)) && start.low &&
      *start.low >= 0)
    symbolic = known.above(rounds(high));
  // Outside of other loops the cycle bound adds counts up exactly, so that the
  // rest of an unrolled loop costs nothing where there is no rest.
  bool isInner = loop->getParentOfType<scf::ForOp>() ||
                 loop->getParentOfType<scf::WhileOp>();
  if (!isInner && symbolic)
    if (std::optional<LinearExpr> count = known.madeNonNegative(*symbolic))
      if (!count->isConstant() && !guardedMaximum(*count, exact))
        return count;
  return choose(symbolic, exact);
}

std::optional<int64_t> LoopCounts::leastValue(const LinearExpr &expr) {
  constexpr int64_t largest = 1 << 16;
  auto atLeast = [&](int64_t value) {
    return facts.getSolver().implies({expr - value, false});
  };
  if (!atLeast(1))
    return std::nullopt;
  int64_t low = 1, high = largest;
  while (low < high) {
    int64_t middle = low + (high - low + 1) / 2;
    if (atLeast(middle))
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/// Whether a plain field, by the name of a variable, is stored in `loop`.
static bool isStoredIn(llvm::StringRef name, Operation *loop) {
  if (!name.consume_front("state."))
    return false;
  WalkResult result = loop->walk([&](StateStoreOp store) {
    return store.getField() == name ? WalkResult::interrupt()
                                    : WalkResult::advance();
  });
  return result.wasInterrupted();
}

static bool isInvariant(const LinearExpr &expr, Operation *loop,
                        const VariableTable &variables) {
  return llvm::all_of(expr.getTerms(), [&](const LinearExpr::Term &term) {
    const Variable &variable = variables[term.first];
    mlir::Value value = variable.value;
    switch (variable.kind) {
    case Variable::Kind::PacketLength:
    case Variable::Kind::Param:
    case Variable::Kind::HostSize:
      return true;
    case Variable::Kind::Named:
      return !isStoredIn(variable.symbol, loop);
    case Variable::Kind::Value:
      return !loop->isAncestor(value.getParentBlock()->getParentOp());
    case Variable::Kind::Quotient:
    case Variable::Kind::Alias:
      return isInvariant(variable.dividend, loop, variables);
    case Variable::Kind::Ratio:
      return isInvariant(variable.dividend, loop, variables) &&
             isInvariant(variable.divisorExpr, loop, variables);
    case Variable::Kind::Product:
      return llvm::all_of(variable.factors, [&](VarId factor) {
        return isInvariant(LinearExpr::variable(factor), loop, variables);
      });
    }
    llvm_unreachable("all kinds are above");
  });
}

bool LoopCounts::keepsValue(const LinearExpr &expr, Operation *loop) const {
  return isInvariant(expr, loop, variables);
}

/// Whether the largest value of `count` is below that of `best`.
static bool isBetter(const LinearExpr &count,
                     const std::optional<LinearExpr> &best,
                     const VariableTable &variables) {
  if (!best)
    return true;
  std::optional<Integer> mine = variables.interval(count).high;
  std::optional<Integer> other = variables.interval(*best).high;
  return mine && (!other || *mine < *other);
}

/// That the flags which the condition needs, such as the one that `break`
/// clears, are set at the end of the body.
void LoopCounts::assumeNextRound(scf::WhileOp loop) {
  Formula condition =
      evaluator.condition(loop.getConditionOp().getCondition(), true);
  for (auto [i, argument] : llvm::enumerate(loop.getBeforeArguments())) {
    if (!argument.getType().isInteger(1))
      continue;
    LinearExpr flag = evaluator.number(argument);
    if (llvm::any_of(condition.constraints, [&](const Constraint &constraint) {
          return constraint.equality &&
                 (constraint.expr == flag - 1 ||
                  constraint.expr == LinearExpr::number(1) - flag);
        }))
      facts.assume(evaluator.condition(loop.getYieldOp().getOperand(i), true));
  }
}

std::vector<LoopCounts::Cursor> LoopCounts::cursorsOf(scf::WhileOp loop) {
  std::vector<Cursor> cursors;
  std::vector<size_t> positions;
  for (auto [i, argument] : llvm::enumerate(loop.getBeforeArguments())) {
    if (!isa<IntegerType>(argument.getType()))
      continue;
    Cursor cursor;
    cursor.argument = *evaluator.number(argument).getIfVariable();
    cursor.init = evaluator.number(loop.getInits()[i]);
    cursors.push_back(cursor);
    positions.push_back(i);
  }
  // A run may leave the handler in the middle of the body: what bounds a
  // cursor must hold at the start already.
  auto atEntry = [&] {
    for (Cursor &cursor : cursors) {
      LinearExpr value = LinearExpr::variable(cursor.argument);
      cursor.positive = facts.getSolver().implies({value - 1, false});
      if (cursor.positive)
        cursor.largest = facts.getSolver().maximum(value, largestCount);
    }
  };
  auto atEnd = [&] {
    // Only a round that another one follows has to move a cursor.
    assumeNextRound(loop);
    Solver solver = facts.getSolver();
    for (auto [cursor, position] : llvm::zip_equal(cursors, positions)) {
      LinearExpr value = LinearExpr::variable(cursor.argument);
      LinearExpr next =
          evaluator.number(loop.getYieldOp().getOperands()[position]);
      cursor.rise = leastValue(next - value);
      cursor.fall = leastValue(value - next);
      cursor.halves = solver.implies({value - next * Integer(2), false});
      cursor.doubles = solver.implies({next - value * Integer(2), false});
    }
  };
  facts.walkIteration(loop, atEntry, atEnd);
  return cursors;
}

/// A cursor that moves by at least a known step each iteration, towards a
/// limit that the condition sets.
std::optional<LinearExpr> LoopCounts::countStepping(scf::WhileOp loop,
                                                    const Cursor &cursor) {
  LinearExpr value = LinearExpr::variable(cursor.argument);
  Formula condition =
      evaluator.condition(loop.getConditionOp().getCondition(), true);
  condition.conjoin(
      Formula::atLeast(value, LinearExpr::number(cursor.positive ? 1 : 0)));
  std::optional<LinearExpr> best;
  for (const Constraint &constraint : condition.constraints) {
    Integer factor = constraint.expr.coefficient(cursor.argument);
    bool rises = factor < 0;
    const std::optional<int64_t> &step = rises ? cursor.rise : cursor.fall;
    // factor * cursor + rest >= 0 bounds the cursor while the loop runs.
    LinearExpr rest = constraint.expr.substitute(cursor.argument, LinearExpr());
    if (factor == 0 || constraint.equality || !step ||
        !isInvariant(rest, loop, variables))
      continue;
    LinearExpr limit = variables.floorDivide(rest, abs(factor));
    if (!rises)
      limit = limit * Integer(-1);
    auto rounds = [&](const LinearExpr &distance) {
      return variables.floorDivide(distance + *step, Integer(*step));
    };
    LinearExpr exact =
        rounds(rises ? limit - cursor.init : cursor.init - limit);
    std::optional<LinearExpr> symbolic = known.above(exact);
    if (rises && (!symbolic || !known.madeNonNegative(*symbolic)))
      symbolic = known.above(rounds(limit));
    std::optional<LinearExpr> count = choose(symbolic, exact);
    if (count && isBetter(*count, best, variables))
      best = count;
  }
  return best;
}

/// A number that at least halves each iteration while it is not zero, or at
/// least doubles while it is bounded.
std::optional<LinearExpr> LoopCounts::countGeometric(const Cursor &cursor) {
  if (!cursor.positive)
    return std::nullopt;
  // Halving from h, or doubling from 1 to h, passes floor(log2(h)) + 1 values.
  std::optional<Integer> high;
  if (cursor.halves)
    high = variables.interval(cursor.init).high;
  else if (cursor.doubles && cursor.largest)
    high = Integer(*cursor.largest);
  if (!high || *high < 1)
    return std::nullopt;
  int64_t rounds = 0;
  for (Integer rest = *high; rest > 0; rest = floorDiv(rest, Integer(2)))
    ++rounds;
  return LinearExpr::number(rounds);
}

/// Whether `counter`, a value of the body, is 0 in the first round and one more
/// in each that follows.
static bool countsRounds(Value counter, Operation *loop) {
  auto argument = dyn_cast<BlockArgument>(counter);
  if (!argument || argument.getOwner()->getParentOp() != loop)
    return false;
  Value init, next;
  if (auto forLoop = dyn_cast<scf::ForOp>(loop)) {
    if (argument == forLoop.getInductionVar())
      return false;
    init = forLoop.getTiedLoopInit(argument)->get();
    next = forLoop.getTiedLoopYieldedValue(argument)->get();
  } else {
    auto whileLoop = cast<scf::WhileOp>(loop);
    if (argument.getOwner() != whileLoop.getAfterBody())
      return false;
    auto before = dyn_cast<BlockArgument>(
        whileLoop.getConditionOp().getArgs()[argument.getArgNumber()]);
    if (!before || before.getOwner() != whileLoop.getBeforeBody())
      return false;
    init = whileLoop.getInits()[before.getArgNumber()];
    next = whileLoop.getYieldOp().getOperand(before.getArgNumber());
  }
  auto sum = next.getDefiningOp<arith::AddIOp>();
  return matchPattern(init, m_Zero()) && sum && sum.getLhs() == counter &&
         matchPattern(sum.getRhs(), m_One());
}

/// lop-5: where at most n rounds are known to run without the guard, it goes.
/// What is known of each round may rest on the guard having held in the rounds
/// before: the first round that it refused would be one too many for `count`.
void LoopCounts::noteIfNeedless(RequireOp guard,
                                const std::optional<LinearExpr> &count) {
  auto cmp = guard.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!count || !cmp || cmp.getPredicate() != arith::CmpIPredicate::ult ||
      !countsRounds(cmp.getLhs(), guard->getParentOp()))
    return;
  if (facts.getSolver().implies(
          {evaluator.number(cmp.getRhs()) - *count, false}))
    needless.push_back(guard);
}

/// `bound(n)`: the rounds that get past the guard are at most n.
std::optional<LinearExpr> LoopCounts::countGuarded(Operation *loop) {
  RequireOp guard = getLoopGuard(loop);
  auto cmp = guard ? guard.getCondition().getDefiningOp<arith::CmpIOp>()
                   : arith::CmpIOp();
  if (!cmp || cmp.getPredicate() != arith::CmpIPredicate::ult ||
      !countsRounds(cmp.getLhs(), loop))
    return std::nullopt;
  LinearExpr limit = evaluator.number(cmp.getRhs());
  return choose(known.above(limit), limit);
}

std::optional<LinearExpr> LoopCounts::countWhile(scf::WhileOp loop) {
  std::optional<LinearExpr> best;
  for (const Cursor &cursor : cursorsOf(loop))
    for (std::optional<LinearExpr> count :
         {countStepping(loop, cursor), countGeometric(cursor)})
      if (count && isBetter(*count, best, variables))
        best = std::move(count);
  return best;
}

std::optional<BoundAttr> LoopCounts::countOf(Operation *op) {
  followsLength = isLimitedByLength(op->getParentOfType<HandlerOp>());
  std::optional<LinearExpr> count;
  if (auto pieces = dyn_cast<ForPiecesOp>(op)) {
    // The data may begin and end within a block.
    auto view = pieces.getView().getDefiningOp<StridedViewOp>();
    if (!view)
      return std::nullopt;
    return upperBound(variables.ratio(evaluator.bytes(pieces.getData()),
                                      evaluator.number(view.getBlock())) +
                      2);
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    count = countFor(loop);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    count = countWhile(loop);
  }
  if (RequireOp guard = getLoopGuard(op)) {
    noteIfNeedless(guard, count);
    std::optional<LinearExpr> guarded = countGuarded(op);
    if (guarded && isBetter(*guarded, count, variables))
      count = guarded;
  }
  return count ? known.toAttribute(*count) : std::nullopt;
}

std::optional<BoundAttr> LoopCounts::upperBound(const LinearExpr &expr) {
  std::optional<LinearExpr> bound = choose(known.above(expr), expr);
  return bound ? known.toAttribute(*bound) : std::nullopt;
}

BoundAttr spinc::spin::constantBound(int64_t rounds, MLIRContext *context) {
  AffineExpr count = getAffineConstantExpr(rounds, context);
  return BoundAttr::get(context, AffineMap::get(0, 0, count), {});
}

std::optional<BoundAttr> spinc::spin::inferCount(Value value) {
  auto handler =
      value.getParentBlock()->getParentOp()->getParentOfType<HandlerOp>();
  if (!handler)
    handler = dyn_cast<HandlerOp>(value.getParentBlock()->getParentOp());
  if (!handler || !isa<IntegerType>(value.getType()))
    return std::nullopt;
  Operation *place = value.getDefiningOp()
                         ? value.getDefiningOp()->getNextNode()
                         : &value.getParentBlock()->front();
  HandlerFacts facts(handler);
  std::optional<BoundAttr> result;
  facts.walk([&](Operation *op) {
    if (op == place)
      result = LoopCounts(facts).upperBound(facts.getEvaluator().number(value));
  });
  return result;
}
