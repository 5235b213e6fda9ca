// spin-merge-loop-copies: a loop whose rounds each copy the next so many bytes
// is one copy of all of them, issued in front of it.
//
// The copy is made before it is known to be right: under the condition that a
// round runs, with what the first round computes. So the questions about it are
// those that any other operation is asked. Then it replaces the copy of the
// loop, or goes away again.
#include "dialect/Spin/Analysis/HandlerFacts.h"
#include "dialect/Spin/Analysis/Obligations.h"
#include "dialect/Spin/Transforms/Copies.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINMERGELOOPCOPIES
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

// --- which loops -------------------------------------------------------------

/// Whether all of `loop` but `copy` and the waits for it may as well run behind
/// the copies of all rounds, and each round comes to its end.
bool mayFollow(scf::ForOp loop, const Copy &copy) {
  // It may read what the copies fill.
  bool fills = isa<DmaFromHostOp>(copy.op);
  return llvm::all_of(loop.getBody()->without_terminator(), [&](Operation &op) {
    auto wait = dyn_cast<WaitOp>(op);
    return &op == copy.op ||
           (wait && wait.getCommand() == copy.op->getResult(0)) ||
           (fills ? isMemoryEffectFree(&op) : isQuiet(&op));
  });
}

/// The copy that each round issues, if it is the only thing that others see of
/// the loop.
std::optional<Copy> onlyCopyOf(scf::ForOp loop) {
  for (Operation &op : *loop.getBody())
    if (std::optional<Copy> copy = copyOf(&op)) {
      if (!isWaitedForHere(copy->op) || !mayFollow(loop, *copy))
        return std::nullopt;
      return copy;
    }
  return std::nullopt;
}

std::optional<uint64_t> constantOf(Value value) {
  llvm::APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getLimitedValue();
}

/// The bytes that each round copies, if they are always as many.
std::optional<uint64_t> bytesOf(const Copy &copy) {
  auto part = copy.source.getDefiningOp<SubsliceOp>();
  std::optional<uint64_t> count =
      part ? constantOf(part.getLength()) : std::nullopt;
  if (!count || *count == 0)
    return std::nullopt;
  return *count * part.getType().getElementBytes();
}

/// The parts, one of the other, that `slice` is within the loop.
SmallVector<SubsliceOp> partsIn(scf::ForOp loop, Value slice) {
  SmallVector<SubsliceOp> parts;
  while (auto part = slice.getDefiningOp<SubsliceOp>()) {
    if (part->getBlock() != loop.getBody())
      break;
    parts.push_back(part);
    slice = part.getSlice();
  }
  return parts;
}

// --- the copy in front of the loop -------------------------------------------

/// Makes in front of a loop what a round computes.
class Round {
public:
  /// Of the round with `index`, or of any if that is null.
  Round(scf::ForOp loop, Value index, ImplicitLocOpBuilder &builder)
      : loop(loop), index(index), builder(builder) {}

  /// Null if it takes more than arithmetic on the index and on what is there
  /// in front of the loop.
  Value valueOf(Value value);

private:
  scf::ForOp loop;
  Value index;
  ImplicitLocOpBuilder &builder;
  IRMapping values;
};

Value Round::valueOf(Value value) {
  if (value == loop.getInductionVar())
    return index;
  if (!loop->isAncestor(value.getParentBlock()->getParentOp()))
    return value;
  if (Value made = values.lookupOrNull(value))
    return made;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return {};
  for (Value operand : op->getOperands()) {
    Value first = valueOf(operand);
    if (!first)
      return {};
    values.map(operand, first);
  }
  Operation *made = builder.clone(*op, values);
  values.map(op->getResults(), made->getResults());
  return values.lookup(value);
}

/// A loop, its copy, and the copy that may take its place.
struct Attempt {
  scf::ForOp loop;
  Copy each, whole;
  uint64_t bytes = 0;
  /// Around the new copy: that there is a round.
  scf::IfOp entered;
  bool isAlwaysEntered = false;
  /// By the facts at their places.
  bool isProved = true, touches = false;

  void discard() {
    Operation *condition = entered.getCondition().getDefiningOp();
    entered.erase();
    condition->erase();
  }
};

/// How many elements that is, `count` for each round, of which there is one.
Value countOf(scf::ForOp loop, ImplicitLocOpBuilder &builder, uint64_t count) {
  auto exact = arith::IntegerOverflowFlags::nuw;
  Type type = loop.getInductionVar().getType(), word = builder.getI32Type();
  auto number = [&](uint64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, word, int64_t(value));
  };
  Value rounds = builder.createOrFold<arith::SubIOp>(
      loop.getUpperBound(), loop.getLowerBound(), exact);
  if (type != word)
    rounds = builder.createOrFold<arith::ExtUIOp>(word, rounds);
  uint64_t step = *constantOf(loop.getStep());
  if (step > 1) {
    Value behind =
        builder.createOrFold<arith::SubIOp>(rounds, number(1), exact);
    rounds = addExactly(
        builder, builder.createOrFold<arith::DivUIOp>(behind, number(step)),
        number(1));
  }
  // Folding would do away with the question whether the product wraps.
  std::optional<uint64_t> known = constantOf(rounds);
  if (known && llvm::isUInt<32>(*known * count))
    return number(*known * count);
  return arith::MulIOp::create(builder, rounds, number(count), exact);
}

/// All that the rounds copy to or from `slice`; null if that is not to be had.
Value wholeOf(const Attempt &attempt, ImplicitLocOpBuilder &builder,
              Value slice) {
  scf::ForOp loop = attempt.loop;
  SmallVector<SubsliceOp> parts = partsIn(loop, slice);
  if (parts.empty())
    return {};
  // The same in each round.
  Value around = Round(loop, {}, builder).valueOf(parts.back().getSlice());
  uint64_t size = parts.front().getType().getElementBytes();
  if (!around || attempt.bytes % size != 0)
    return {};
  Value offset;
  Round first(loop, loop.getLowerBound(), builder);
  for (SubsliceOp part : parts) {
    Value inner = first.valueOf(part.getOffset());
    if (!inner)
      return {};
    offset = offset ? arith::AddIOp::create(builder, inner, offset,
                                            arith::IntegerOverflowFlags::nuw)
                    : inner;
  }
  Value count = countOf(loop, builder, attempt.bytes / size);
  return SubsliceOp::create(builder, around.getType(), around, offset, count,
                            ProofAttr());
}

/// Counts up by a constant, in numbers that fit offsets.
bool isCounted(scf::ForOp loop) {
  auto type = dyn_cast<IntegerType>(loop.getInductionVar().getType());
  std::optional<uint64_t> step = constantOf(loop.getStep());
  return type && type.getWidth() <= 32 && loop.getUnsignedCmp() && step &&
         *step != 0;
}

/// Makes the copy of all rounds in front of the loop.
std::optional<Attempt> attemptFor(scf::ForOp loop) {
  std::optional<Copy> each = onlyCopyOf(loop);
  std::optional<uint64_t> bytes = each ? bytesOf(*each) : std::nullopt;
  if (!bytes || !isCounted(loop))
    return std::nullopt;
  Attempt attempt;
  attempt.loop = loop;
  attempt.each = *each;
  attempt.bytes = *bytes;
  ImplicitLocOpBuilder builder(each->op->getLoc(), loop);
  auto isEntered =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::ult,
                            loop.getLowerBound(), loop.getUpperBound());
  attempt.entered = scf::IfOp::create(builder, isEntered);
  builder.setInsertionPointToStart(attempt.entered.thenBlock());
  Value dest = wholeOf(attempt, builder, each->dest);
  Value source = dest ? wholeOf(attempt, builder, each->source) : dest;
  if (!source) {
    attempt.discard();
    return std::nullopt;
  }
  attempt.whole = copyLike(*each, builder, dest, source);
  if (!each->op->use_empty())
    WaitOp::create(builder, attempt.whole.op->getResult(0));
  return attempt;
}

// --- whether it is right -----------------------------------------------------

/// Whether `slice` starts in each round where it ended in the round before, and
/// at first where `whole` does. The index is a variable, so the rest, which is
/// the same for the first round, does not depend on it.
bool movesOn(const Attempt &attempt, Evaluator &evaluator, Value slice,
             Value whole) {
  scf::ForOp loop = attempt.loop;
  LinearExpr offset;
  for (SubsliceOp part : partsIn(loop, slice))
    offset = offset + evaluator.number(part.getOffset());
  std::optional<VarId> index =
      evaluator.number(loop.getInductionVar()).getIfVariable();
  if (!index)
    return false;
  unsigned size = cast<SliceType>(slice.getType()).getElementBytes();
  Integer factor = offset.coefficient(*index);
  LinearExpr step = evaluator.number(loop.getStep());
  LinearExpr first =
      evaluator.number(whole.getDefiningOp<SubsliceOp>().getOffset());
  LinearExpr begin = evaluator.number(loop.getLowerBound());
  return step * factor == LinearExpr::number(int64_t(attempt.bytes / size)) &&
         offset - LinearExpr::variable(*index) * factor ==
             first - begin * factor;
}

/// Asks about each attempt where the facts are those of its place.
void judge(HandlerOp handler, MutableArrayRef<Attempt> attempts) {
  llvm::DenseMap<Operation *, Attempt *> byCopy, byBranch;
  for (Attempt &attempt : attempts) {
    byCopy[attempt.each.op] = &attempt;
    byBranch[attempt.entered] = &attempt;
  }
  HandlerFacts facts(handler);
  Evaluator &evaluator = facts.getEvaluator();
  facts.walk([&](Operation *op) {
    if (Attempt *attempt = byBranch.lookup(op))
      attempt->isAlwaysEntered = facts.getSolver().implies(
          {evaluator.number(attempt->loop.getUpperBound()) -
               evaluator.number(attempt->loop.getLowerBound()) - 1,
           /*equality=*/false});
    else if (Attempt *attempt = byBranch.lookup(op->getParentOp()))
      attempt->isProved &= llvm::all_of(
          getObligations(op, evaluator), [&](const Obligation &obligation) {
            return isImplied(obligation, facts.getSolver());
          });
    else if (Attempt *attempt = byCopy.lookup(op))
      attempt->touches = movesOn(*attempt, evaluator, attempt->each.dest,
                                 attempt->whole.dest) &&
                         movesOn(*attempt, evaluator, attempt->each.source,
                                 attempt->whole.source);
  });
}

// --- the loop without its copy -----------------------------------------------

void finish(Attempt &attempt) {
  for (Operation *wait :
       llvm::make_early_inc_range(attempt.each.op->getUsers()))
    wait->erase();
  attempt.each.op->erase();
  scf::ForOp loop = attempt.loop;
  Operation *previous = loop.getBody()->getTerminator()->getPrevNode();
  while (Operation *op = previous) {
    previous = op->getPrevNode();
    if (isOpTriviallyDead(op))
      op->erase();
  }
  if (attempt.isAlwaysEntered) {
    for (Operation &op : llvm::make_early_inc_range(
             attempt.entered.thenBlock()->without_terminator()))
      op.moveBefore(attempt.entered);
    attempt.discard();
  }
  if (isOpTriviallyDead(loop))
    loop.erase();
}

class MergeLoopCopies
    : public spinc::spin::impl::SpinMergeLoopCopiesBase<MergeLoopCopies> {
  void runOnOperation() override {
    getOperation().walk([](HandlerOp handler) {
      // A copy that is left of a loop may be that of the loop around it.
      while (mergeIn(handler))
        ;
    });
  }

  /// Whether there is a new copy.
  static bool mergeIn(HandlerOp handler) {
    SmallVector<scf::ForOp> loops;
    handler.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    SmallVector<Attempt> attempts;
    for (scf::ForOp loop : loops)
      if (std::optional<Attempt> attempt = attemptFor(loop))
        attempts.push_back(*attempt);
    if (attempts.empty())
      return false;
    judge(handler, attempts);
    bool isNew = false;
    for (Attempt &attempt : attempts) {
      bool isRight = attempt.isProved && attempt.touches;
      isNew |= isRight;
      if (isRight)
        finish(attempt);
      else
        attempt.discard();
    }
    return isNew;
  }
};

} // namespace
