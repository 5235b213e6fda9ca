// See SharedTotals.h.
#include "dialect/Spin/Analysis/SharedTotals.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spinc::spin;

/// What may have to be added to a limit of the condition: what a round passes
/// over beyond it.
static constexpr int64_t mostMore = 4096;

/// Null for a loop that stands in no other.
static Operation *loopAround(Operation *op) {
  for (Operation *around = op->getParentOp(); around;
       around = around->getParentOp()) {
    if (isa<HandlerOp>(around))
      return nullptr;
    if (isa<scf::ForOp, scf::WhileOp, ForPiecesOp>(around))
      return around;
  }
  return nullptr;
}

/// Whether a round that reaches `second` cannot have come through `first`: they
/// are on two ways of one branch.
static bool areExclusive(Operation *first, Operation *second) {
  for (Operation *around = first->getParentOp(); around;
       around = around->getParentOp())
    if (auto branch = dyn_cast<scf::IfOp>(around))
      if (branch->isProperAncestor(second))
        return branch.getThenRegion().isAncestor(first->getParentRegion()) !=
               branch.getThenRegion().isAncestor(second->getParentRegion());
  return false;
}

/// How often an inner loop runs, if that is never taken for less than 0.
std::optional<LinearExpr> SharedTotals::roundsOf(scf::ForOp loop) {
  llvm::APInt step;
  if (!loop.getUnsignedCmp() ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return std::nullopt;
  Integer by = fromUnsigned(step);
  LinearExpr distance = evaluator.number(loop.getUpperBound()) -
                        evaluator.number(loop.getLowerBound());
  LinearExpr raised = distance + LinearExpr(by - 1);
  if (!facts.getSolver().implies({raised, false}))
    return std::nullopt;
  return evaluator.getVariables().floorDivide(raised, by);
}

/// The largest w such that all rounds that can be in one round of the walk, and
/// w more, are no more than `room`; nothing if there is none.
std::optional<int64_t> SharedTotals::roomLeft(const Walk &walk,
                                              const LinearExpr &room) {
  std::optional<int64_t> least;
  for (const Share &share : walk.shares) {
    LinearExpr rest = room;
    for (const Share &other : walk.shares)
      if (!areExclusive(share.loop, other.loop))
        rest = rest - other.rounds * Integer(other.weight);
    if (!facts.getSolver().implies({rest, false}))
      return std::nullopt;
    int64_t left = counts.leastValue(rest).value_or(0);
    least = std::min(least.value_or(left), left);
  }
  return least;
}

/// At the end of a round that another one follows: the weights of its loops,
/// such that the cursor moved on by no less than what they did. False without
/// inner loops. Their steps are the weights, in units of 1 to 8: elements.
bool SharedTotals::measure(Walk &walk, VarId cursor, Value next) {
  LinearExpr room = evaluator.number(next) - LinearExpr::variable(cursor);
  SmallVector<int64_t> steps;
  walk.loop.getAfterBody()->walk<WalkOrder::PreOrder>([&](scf::ForOp inner) {
    if (loopAround(inner) != walk.loop)
      return;
    llvm::APInt step;
    if (std::optional<LinearExpr> rounds = roundsOf(inner)) {
      matchPattern(inner.getStep(), m_ConstantInt(&step));
      walk.shares.push_back({inner, 0, *rounds});
      steps.push_back(int64_t(step.getLimitedValue(mostMore)));
    }
  });
  for (int64_t unit : {8, 4, 2, 1}) {
    for (auto [share, step] : llvm::zip_equal(walk.shares, steps))
      share.weight = unit * step;
    if (std::optional<int64_t> left = roomLeft(walk, room)) {
      walk.weight = *left;
      return true;
    }
  }
  return false;
}

/// What the condition keeps the cursor below.
void SharedTotals::findLimits(Walk &walk, VarId cursor,
                              const LinearExpr &init) {
  Formula condition =
      evaluator.condition(walk.loop.getConditionOp().getCondition(), true);
  for (const Constraint &constraint : condition.constraints) {
    LinearExpr limit = constraint.expr.substitute(cursor, LinearExpr());
    if (constraint.equality || constraint.expr.coefficient(cursor) != -1 ||
        !counts.keepsValue(limit, walk.loop))
      continue;
    // What is added in the end takes the place of the constant.
    LinearExpr room = limit - init;
    room = room - LinearExpr(room.getConstant());
    if (std::optional<BoundAttr> bound = counts.upperBound(room))
      walk.limits.push_back({room, *bound});
  }
}

void SharedTotals::begin(scf::WhileOp loop) {
  for (auto [i, argument] : llvm::enumerate(loop.getBeforeArguments())) {
    if (!isa<IntegerType>(argument.getType()))
      continue;
    std::optional<VarId> cursor = evaluator.number(argument).getIfVariable();
    if (!cursor)
      continue;
    LinearExpr init = evaluator.number(loop.getInits()[i]);
    Walk walk{loop, LinearExpr::variable(*cursor) - init, 0, {}, {}};
    findLimits(walk, *cursor, init);
    if (walk.limits.empty())
      continue;
    bool found = false;
    Value next = loop.getYieldOp().getOperand(i);
    facts.walkIteration(
        loop, [] {},
        [&] {
          counts.assumeNextRound(loop);
          found = measure(walk, *cursor, next);
        });
    if (found)
      walks.push_back(std::move(walk));
  }
}

/// `place` begins a round of the walk, or an inner loop: raises the limits to
/// what may have been done when that is done.
void SharedTotals::check(Walk &walk, Operation *place) {
  LinearExpr done = walk.moved + walk.weight;
  for (Share &share : walk.shares) {
    share.reached |= share.loop == place;
    if (share.reached && !areExclusive(share.loop, place))
      done = done + share.rounds * Integer(share.weight);
  }
  llvm::erase_if(walk.limits, [&](Limit &limit) {
    std::optional<int64_t> above =
        facts.getSolver().maximum(done - limit.expr, mostMore);
    limit.more = std::max(limit.more, above.value_or(0));
    return !above;
  });
}

void SharedTotals::visit(Operation *op) {
  for (Walk &walk : walks) {
    bool begins = op == &walk.loop.getAfterBody()->front();
    bool isInner = llvm::any_of(
        walk.shares, [&](const Share &share) { return share.loop == op; });
    if (begins || isInner)
      check(walk, op);
  }
  auto loop = dyn_cast<scf::WhileOp>(op);
  if (loop && !loopAround(loop))
    begin(loop);
}

std::vector<SharedTotal> SharedTotals::take() {
  std::vector<SharedTotal> totals;
  for (const Walk &walk : walks) {
    if (walk.limits.empty())
      continue;
    const Limit &limit = walk.limits.front();
    AffineMap map = limit.bound.getMap();
    map = AffineMap::get(0, map.getNumSymbols(), map.getResult(0) + limit.more);
    SharedTotal total{
        walk.loop,
        BoundAttr::get(map.getContext(), map, limit.bound.getSymbols()),
        {}};
    if (walk.weight != 0)
      total.weights.push_back({walk.loop, walk.weight});
    for (const Share &share : walk.shares)
      total.weights.push_back({share.loop, share.weight});
    totals.push_back(std::move(total));
  }
  walks.clear();
  return totals;
}
