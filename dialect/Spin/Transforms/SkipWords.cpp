// spin-skip-words: a search through bytes looks at words first. The loop of the
// search is what `break` makes: as long as nothing is found, only its index
// changes, so words in which nothing is found may be passed over. At most as
// many bytes as were looked at together are left for the loop.
#include "dialect/Spin/Transforms/Constants.h"
#include "dialect/Spin/Transforms/LaneBody.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINSKIPWORDS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

constexpr unsigned wordBytes = 4, wordsPerTurn = 2;
constexpr unsigned bytesPerTurn = wordBytes * wordsPerTurn;

/// A loop that looks for the first byte for which a comparison holds.
class Search {
public:
  explicit Search(scf::WhileOp loop)
      : loop(loop), builder(loop.getLoc(), loop) {}

  bool matches() {
    return !getLoopGuard(loop) && !loop->hasAttr("spin.bound") &&
           readCondition() && readBody();
  }
  void run();

private:
  bool isOutside(Value value) {
    return !loop->isAncestor(value.getParentBlock()->getParentOp());
  }
  bool isSought(Value value);
  bool readCondition();
  bool readBody();
  Value number(int64_t value) {
    return arith::ConstantIntOp::create(builder, builder.getI32Type(), value);
  }
  Value wordOf(Value sought, Value index);
  Value nothingFound(Value index);
  Value skipLoop(Value limit);

  scf::WhileOp loop;
  ImplicitLocOpBuilder builder;
  /// `index < limit` in the condition, and which argument the index is.
  arith::CmpIOp inside;
  unsigned position = 0;
  arith::CmpIOp found;
};

/// The condition is `index < limit`, maybe under a flag that holds at first.
bool Search::readCondition() {
  scf::ConditionOp end = loop.getConditionOp();
  Block::BlockArgListType arguments = loop.getBeforeArguments();
  if (!llvm::equal(end.getArgs(), arguments))
    return false;
  for (Operation &op : loop.getBeforeBody()->without_terminator())
    if (!isMemoryEffectFree(&op))
      return false;
  Value condition = end.getCondition();
  if (auto branch = condition.getDefiningOp<scf::IfOp>()) {
    auto live = dyn_cast<BlockArgument>(branch.getCondition());
    if (!live || live.getOwner() != loop.getBeforeBody() ||
        !isNumber(loop.getInits()[live.getArgNumber()], 1) ||
        !isNumber(branch.elseYield().getOperand(0), 0))
      return false;
    condition = branch.thenYield().getOperand(0);
  }
  inside = condition.getDefiningOp<arith::CmpIOp>();
  if (!inside || inside.getPredicate() != arith::CmpIPredicate::ult ||
      !inside->hasOneUse() || !isOutside(inside.getRhs()) ||
      // Of these the prover knows the least number better than a quotient.
      isa_and_nonnull<arith::ConstantOp, arith::SelectOp, arith::MinUIOp>(
          inside.getRhs().getDefiningOp()))
    return false;
  auto index = dyn_cast<BlockArgument>(inside.getLhs());
  if (!index || index.getOwner() != loop.getBeforeBody() ||
      !index.getType().isInteger(32))
    return false;
  position = index.getArgNumber();
  return isNumber(loop.getInits()[position], 0);
}

/// A byte at the index, or one that is the same all the time.
bool Search::isSought(Value value) {
  if (!value.getType().isInteger(8))
    return false;
  auto load = value.getDefiningOp<LoadOp>();
  return isOutside(value) ||
         (load && isOutside(load.getSlice()) &&
          load.getIndex() == loop.getAfterArguments()[position]);
}

/// Unless something is found, the body adds 1 to the index and changes nothing.
bool Search::readBody() {
  Block *body = loop.getAfterBody();
  for (Operation &op : body->without_terminator())
    if (!isMemoryEffectFree(&op) && !isa<LoadOp>(op))
      return false;
  ValueRange yielded = loop.getYieldOp().getOperands();
  for (auto [argument, next] : llvm::zip(loop.getAfterArguments(), yielded)) {
    if (argument.getArgNumber() == position) {
      auto step = next.getDefiningOp<arith::AddIOp>();
      if (!step || step.getLhs() != argument || !isNumber(step.getRhs(), 1))
        return false;
      continue;
    }
    if (next == argument)
      continue;
    auto select = next.getDefiningOp<arith::SelectOp>();
    if (!select || select.getFalseValue() != argument)
      return false;
    auto condition = select.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!condition || (found && found != condition))
      return false;
    found = condition;
  }
  return found && found->getBlock() == body && isSought(found.getLhs()) &&
         isSought(found.getRhs()) &&
         !(isOutside(found.getLhs()) && isOutside(found.getRhs()));
}

Value Search::wordOf(Value sought, Value index) {
  if (auto load = sought.getDefiningOp<LoadOp>(); load && !isOutside(sought))
    return WireLoadOp::create(builder, builder.getI32Type(), load.getSlice(),
                              index, ByteOrder::Little, ProofAttr());
  return builder.createOrFold<SplatOp>(
      builder.createOrFold<arith::ExtUIOp>(Type(builder.getI32Type()), sought),
      wordBytes);
}

/// That the comparison holds for none of the bytes from `index` on.
Value Search::nothingFound(Value index) {
  Value any;
  for (unsigned word = 0; word != wordsPerTurn; ++word) {
    Value at =
        word == 0
            ? index
            : arith::AddIOp::create(builder, index, number(word * wordBytes),
                                    arith::IntegerOverflowFlags::nuw);
    Value left = wordOf(found.getLhs(), at), right = wordOf(found.getRhs(), at);
    Value lanes =
        found.getPredicate() == arith::CmpIPredicate::ne
            ? Value(arith::XOrIOp::create(builder, left, right))
            : LanesOp::create(builder,
                              laneComparison(found.getPredicate(),
                                             isSigned(found.getPredicate())),
                              left, right, wordBytes);
    any = any ? Value(arith::OrIOp::create(builder, any, lanes)) : lanes;
  }
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, any,
                               number(0));
}

/// Gives the index behind the words in which nothing is found; `limit` leaves
/// room for one look at least. An index below `last` has room for a look.
Value Search::skipLoop(Value limit) {
  auto nuw = arith::IntegerOverflowFlags::nuw;
  Type i32 = builder.getI32Type();
  Value last =
      arith::SubIOp::create(builder, limit, number(bytesPerTurn - 1), nuw);
  auto skip = scf::WhileOp::create(builder, TypeRange{i32}, number(0));
  OpBuilder::InsertionGuard guard(builder);
  Block *before =
      builder.createBlock(&skip.getBefore(), {}, i32, {builder.getLoc()});
  Value index = before->getArgument(0);
  Value more =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, index, last);
  auto look = scf::IfOp::create(builder, TypeRange{builder.getI1Type()}, more,
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
  scf::ConditionOp::create(builder, look.getResult(0), index);
  builder.setInsertionPointToStart(look.thenBlock());
  scf::YieldOp::create(builder, nothingFound(index));
  builder.setInsertionPointToStart(look.elseBlock());
  Value no = arith::ConstantIntOp::create(builder, builder.getI1Type(), 0);
  scf::YieldOp::create(builder, no);
  Block *after =
      builder.createBlock(&skip.getAfter(), {}, i32, {builder.getLoc()});
  Value next = arith::AddIOp::create(builder, after->getArgument(0),
                                     number(bytesPerTurn), nuw);
  scf::YieldOp::create(builder, next);
  return skip.getResult(0);
}

/// The arithmetic is such that its obligations follow from the comparisons next
/// to it, whatever the prover finds out about the loops.
void Search::run() {
  Value limit = inside.getRhs();
  Value enough = arith::CmpIOp::create(builder, arith::CmpIPredicate::uge,
                                       limit, number(bytesPerTurn));
  auto start =
      scf::IfOp::create(builder, TypeRange{builder.getI32Type()}, enough,
                        /*addThenBlock=*/true, /*addElseBlock=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(start.thenBlock());
    scf::YieldOp::create(builder, skipLoop(limit));
    builder.setInsertionPointToStart(start.elseBlock());
    scf::YieldOp::create(builder, number(0));
  }
  // Does not wrap: below the limit there are bytes of memory.
  Value near =
      arith::AddIOp::create(builder, start.getResult(0), number(bytesPerTurn));
  Value end = arith::MinUIOp::create(builder, limit, near);
  loop.getInitsMutable()[position].set(start.getResult(0));
  inside.getRhsMutable().set(end);
}

class SkipWords : public spinc::spin::impl::SpinSkipWordsBase<SkipWords> {
  void runOnOperation() override {
    SmallVector<scf::WhileOp> loops;
    getOperation().walk([&](scf::WhileOp loop) { loops.push_back(loop); });
    for (scf::WhileOp loop : loops)
      if (Search search(loop); search.matches())
        search.run();
  }
};

} // namespace
