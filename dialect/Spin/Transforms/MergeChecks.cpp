// spin-merge-checks: handlers look at the length of their packet again and
// again, before the headers, before the payload, before each record. What an
// earlier guard decides is not asked again, and of several limits on a number
// that lead out of the handler in the same way only the strictest is asked.
#include "dialect/Spin/Analysis/HandlerFacts.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINMERGECHECKS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

// What is decided.

/// Whether the facts contradict what follows from the condition being `truth`.
bool isImpossible(HandlerFacts &facts, Value condition, bool truth) {
  Solver solver = facts.getSolver();
  return llvm::any_of(
      facts.getEvaluator().condition(condition, truth).constraints,
      [&](const Constraint &constraint) {
        return llvm::any_of(negations(constraint), [&](const Constraint &not_) {
          return solver.impliesSimply(not_);
        });
      });
}

/// The condition of a check whose outcome may be known.
Value conditionOf(Operation *op) {
  if (auto require = dyn_cast<RequireOp>(op))
    return require->hasAttr(loopGuardAttrName) ? Value()
                                               : require.getCondition();
  auto branch = dyn_cast<scf::IfOp>(op);
  return branch ? branch.getCondition() : Value();
}

/// Puts the region that runs in the place of the branch.
void keepRegion(scf::IfOp branch, Region &region) {
  if (!region.empty()) {
    Block &block = region.front();
    Operation *yield = block.getTerminator();
    branch->replaceAllUsesWith(yield->getOperands());
    yield->erase();
    branch->getBlock()->getOperations().splice(branch->getIterator(),
                                               block.getOperations());
  }
  branch->erase();
}

void drop(Operation *op, bool truth) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    keepRegion(branch, truth ? branch.getThenRegion() : branch.getElseRegion());
  else
    op->erase();
}

using Decided = llvm::MapVector<Operation *, bool>;

/// Finds checks whose outcome is known, and which it is. Of two, what is inside
/// comes behind what is around it.
Decided findDecided(HandlerFacts &facts) {
  Decided decided;
  facts.walk([&](Operation *op) {
    Value condition = conditionOf(op);
    if (!condition)
      return;
    auto branch = dyn_cast<scf::IfOp>(op);
    // Else what follows would be dead, and its obligations would hold only
    // because of that.
    auto mayStay = [](Region &region) {
      return region.empty() || !exits(region.front());
    };
    if (isImpossible(facts, condition, false)) {
      if (!branch || mayStay(branch.getThenRegion()))
        decided.insert({op, true});
    } else if (branch && mayStay(branch.getElseRegion()) &&
               isImpossible(facts, condition, true)) {
      decided.insert({op, false});
    }
  });
  return decided;
}

// What is asked several times.

/// An operation that leaves the handler unless `number` is at least `limit`, or
/// (`isUpper`) at most that. Numbers are unsigned.
struct Check {
  Operation *op;
  Value number;
  llvm::APInt limit;
  bool isUpper;
};

/// The exit, if that is all that the region of a branch without results does.
ExitOp onlyExit(scf::IfOp branch) {
  if (branch.getNumResults() != 0 || !branch.getElseRegion().empty())
    return {};
  auto exit = dyn_cast<ExitOp>(branch.thenBlock()->front());
  return exit && exit->getNextNode() == branch.thenBlock()->getTerminator()
             ? exit
             : ExitOp();
}

/// What an operation that does nothing but leave asks, if it is a limit.
std::optional<Check> checkOf(Operation *op) {
  using P = arith::CmpIPredicate;
  bool goesOnIf = isa<RequireOp>(op);
  auto compare = op->getOperand(0).getDefiningOp<arith::CmpIOp>();
  if (!compare || !isa<IntegerType>(compare.getRhs().getType()))
    return std::nullopt;
  llvm::APInt limit;
  if (!matchPattern(compare.getRhs(), m_ConstantInt(&limit)))
    return std::nullopt;
  P predicate = goesOnIf ? compare.getPredicate()
                         : arith::invertPredicate(compare.getPredicate());
  Check check{op, compare.getLhs(), limit, /*isUpper=*/false};
  switch (predicate) {
  case P::uge:
    return check;
  case P::ugt:
    ++check.limit;
    return limit.isMaxValue() ? std::nullopt : std::optional(check);
  case P::ne:
    ++check.limit;
    return limit.isZero() ? std::optional(check) : std::nullopt;
  case P::ule:
    check.isUpper = true;
    return check;
  case P::ult:
    check.isUpper = true;
    --check.limit;
    return limit.isZero() ? std::nullopt : std::optional(check);
  default:
    return std::nullopt;
  }
}

/// With which code `op` may leave the handler, if it does nothing else.
std::optional<ReturnCode> codeOf(Operation *op) {
  if (auto require = dyn_cast<RequireOp>(op))
    return require->getDiscardableAttrs().empty()
               ? std::optional(require.getCode())
               : std::nullopt;
  auto branch = dyn_cast<scf::IfOp>(op);
  ExitOp exit = branch ? onlyExit(branch) : ExitOp();
  return exit && exit->getDiscardableAttrs().empty()
             ? std::optional(exit.getCode())
             : std::nullopt;
}

/// How much the limit of `check` leaves, at least 0 if the handler goes on.
LinearExpr roomOf(Evaluator &evaluator, const Check &check) {
  LinearExpr number = evaluator.number(check.number);
  LinearExpr limit(fromUnsigned(check.limit));
  return check.isUpper ? limit - number : number - limit;
}

/// Makes the condition of the check that of its limit.
void writeLimit(const Check &check) {
  using P = arith::CmpIPredicate;
  OpBuilder builder(check.op);
  Location loc = check.op->getLoc();
  bool isRequire = isa<RequireOp>(check.op);
  P goesOn = check.isUpper ? P::ule : P::uge;
  Value limit = arith::ConstantOp::create(
      builder, loc,
      builder.getIntegerAttr(check.number.getType(), check.limit));
  Value condition = arith::CmpIOp::create(
      builder, loc, isRequire ? goesOn : arith::invertPredicate(goesOn),
      check.number, limit);
  check.op->setOperand(0, condition);
}

/// Puts what `later` asks into `first`, if it is a stricter limit on the same
/// number. Where the later one is reached, the numbers differ by a constant; at
/// the first one, each number that fails it would have failed already.
bool merge(Evaluator &evaluator, Check &first, const Check &later) {
  LinearExpr stricter = roomOf(evaluator, first) - roomOf(evaluator, later);
  if (first.isUpper != later.isUpper || !stricter.isConstant() ||
      stricter.getConstant() < 0)
    return false;
  unsigned width = first.limit.getBitWidth();
  Integer limit =
      fromUnsigned(first.limit) +
      (first.isUpper ? -stricter.getConstant() : stricter.getConstant());
  if (limit < 0 || limit >= powerOfTwo(std::min(width, 62u)))
    return false;
  first.limit = llvm::APInt(width, uint64_t(int64_t(limit)));
  writeLimit(first);
  return true;
}

/// Nothing that others see: where the handler ends instead, it is not missed.
bool isSilent(Operation *op) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  return effects && llvm::all_of(*effects, [](const auto &effect) {
           return isa<MemoryEffects::Read>(effect.getEffect());
         });
}

void mergeIn(Evaluator &evaluator, Block &block, const Decided &decided) {
  SmallVector<Check> open;
  std::optional<ReturnCode> openCode;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    std::optional<ReturnCode> code = codeOf(&op);
    if (decided.contains(&op) && (code || isa<RequireOp>(op)))
      continue;
    if (!code && isSilent(&op))
      continue;
    // Which of two codes it is depends on which check is the first to fail.
    if (!code || code != openCode)
      open.clear();
    openCode = code;
    std::optional<Check> check = code ? checkOf(&op) : std::nullopt;
    if (!check)
      continue;
    if (llvm::any_of(open, [&](Check &first) {
          return merge(evaluator, first, *check);
        }))
      op.erase();
    else
      open.push_back(*check);
  }
}

class MergeChecks : public spinc::spin::impl::SpinMergeChecksBase<MergeChecks> {
  void runOnOperation() override {
    getOperation().walk([](HandlerOp handler) {
      HandlerFacts facts(handler, HandlerFacts::Depth::Guards);
      Decided decided = findDecided(facts);
      // The facts know values by their place in memory: operations with results
      // go last.
      handler.walk([&](Block *block) {
        mergeIn(facts.getEvaluator(), *block, decided);
      });
      for (auto [op, truth] : llvm::reverse(decided))
        drop(op, truth);
    });
  }
};

} // namespace
