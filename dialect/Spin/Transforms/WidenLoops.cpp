// spin-widen-loops: loops that work on bytes or half-words one by one, a word
// at a time. LaneBody knows which bodies do the same on lanes; here is where
// the slices lie, and the loops over words and over what is left.
//
// The slices that the loop stores to and reads from are the same bytes or
// cannot overlap; anything else might, where a word would read what the
// elements before it have written.
#include "dialect/Spin/Analysis/Overlaps.h"
#include "dialect/Spin/Transforms/Constants.h"
#include "dialect/Spin/Transforms/LaneBody.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINWIDENLOOPS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

constexpr unsigned wordBytes = 4;

/// From 0 by 1, often enough.
bool countsElements(scf::ForOp loop) {
  if (!loop.getUnsignedCmp() || !isNumber(loop.getLowerBound(), 0) ||
      !isNumber(loop.getStep(), 1) ||
      !loop.getInductionVar().getType().isInteger(32))
    return false;
  llvm::APInt count;
  return !matchPattern(loop.getUpperBound(), m_ConstantInt(&count)) ||
         count.uge(2 * wordBytes);
}

/// Whether a loop over words may store to `target` and access `other`.
bool mayMix(HandlerFacts &facts, Value target, Value other) {
  return target == other || areApart(facts, target, other) ||
         startTogether(facts, target, other);
}

bool isIndependent(const LaneBody &body, HandlerFacts &facts) {
  return llvm::all_of(body.getWritten(), [&](Value target) {
    auto fits = [&](Value other) { return mayMix(facts, target, other); };
    return llvm::all_of(body.getRead(), fits) &&
           llvm::all_of(body.getWritten(), fits);
  });
}

/// Enough for a load not to be waited for; each more is a register to save.
constexpr unsigned wordsAtOnce = 2;

/// Loops and exits in the body are made once for all words.
unsigned wordsAtOnceIn(scf::ForOp loop, unsigned words) {
  bool isStraight = llvm::all_of(
      *loop.getBody(), [](Operation &op) { return op.getNumRegions() == 0; });
  return isStraight ? std::min(words, wordsAtOnce) : words;
}

/// Makes the loops over words.
class Widener {
public:
  Widener(scf::ForOp loop, LaneBody &body)
      : loop(loop), body(body), builder(loop.getLoc(), loop) {}

  void run();

private:
  Value number(int64_t value) {
    return arith::ConstantIntOp::create(builder, builder.getI32Type(), value);
  }
  Value wideLoop(unsigned words, Value begin, Value count,
                 SmallVector<Value> &carried);
  void when(arith::CmpIPredicate predicate, Value value, int64_t limit,
            llvm::function_ref<void()> fill);
  void finishBytes(Value begin);

  scf::ForOp loop;
  LaneBody &body;
  ImplicitLocOpBuilder builder;
};

/// Runs groups of words on the elements from `begin` on that `count` more make
/// up, and gives how many elements that are.
Value Widener::wideLoop(unsigned words, Value begin, Value count,
                        SmallVector<Value> &carried) {
  builder.setInsertionPoint(loop);
  builder.setLoc(loop.getLoc());
  Value step = number(words * body.lanes());
  Value rest = arith::RemUIOp::create(builder, count, step);
  Value end = arith::SubIOp::create(builder, count, rest,
                                    arith::IntegerOverflowFlags::nuw);
  auto wide = scf::ForOp::create(builder, number(0), end, step, carried,
                                 /*bodyBuilder=*/nullptr,
                                 /*unsignedCmp=*/true);
  builder.setInsertionPointToStart(wide.getBody());
  Value index = wide.getInductionVar();
  if (begin)
    index = arith::AddIOp::create(builder, begin, index,
                                  arith::IntegerOverflowFlags::nuw);
  SmallVector<Value> totals(wide.getRegionIterArgs());
  const unsigned group = wordsAtOnceIn(loop, words);
  for (unsigned done = 0; done < words; done += group) {
    Value first = index;
    if (done != 0)
      first = arith::AddIOp::create(builder, index, number(done * body.lanes()),
                                    arith::IntegerOverflowFlags::nuw);
    body.emit(builder, first, group, wordBytes, totals);
  }
  if (!totals.empty())
    scf::YieldOp::create(builder, totals);
  carried.assign(wide.result_begin(), wide.result_end());
  builder.setInsertionPoint(loop);
  return end;
}

void Widener::when(arith::CmpIPredicate predicate, Value value, int64_t limit,
                   llvm::function_ref<void()> fill) {
  Value holds = arith::CmpIOp::create(builder, predicate, value, number(limit));
  auto branch = scf::IfOp::create(builder, holds);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  fill();
}

/// Of what is left, less than a word, a half of one and a byte.
void Widener::finishBytes(Value begin) {
  constexpr unsigned halfBytes = wordBytes / 2;
  Value count = loop.getUpperBound();
  Value left = arith::RemUIOp::create(builder, count, number(wordBytes));
  SmallVector<Value> none;
  when(arith::CmpIPredicate::uge, left, halfBytes,
       [&] { body.emit(builder, begin, 1, halfBytes, none); });
  builder.setLoc(loop.getLoc());
  Value odd = arith::RemUIOp::create(builder, left, number(halfBytes));
  when(arith::CmpIPredicate::ne, odd, 0, [&] {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(),
                arith::SubIOp::create(builder, count, number(1),
                                      arith::IntegerOverflowFlags::nuw));
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, mapping);
  });
  loop.erase();
}

/// Groups of words, then single words, then what is left.
void Widener::run() {
  constexpr unsigned wordsPerTurn = 4;
  SmallVector<Value> carried;
  for (const LaneReduction &reduction : body.getReductions())
    carried.push_back(body.identity(builder, reduction));
  // The second loop counts from 0 so that its bound is seen to be a constant.
  auto nuw = arith::IntegerOverflowFlags::nuw;
  Value count = loop.getUpperBound();
  Value groups = wideLoop(wordsPerTurn, Value(), count, carried);
  Value left = arith::RemUIOp::create(builder, count,
                                      number(wordsPerTurn * body.lanes()));
  Value single = wideLoop(1, groups, left, carried);
  Value begin = arith::AddIOp::create(builder, groups, single, nuw);
  if (carried.empty() && body.laneBits() == 8)
    return finishBytes(begin);
  SmallVector<Value> inits;
  for (auto [reduction, word] : llvm::zip(body.getReductions(), carried))
    inits.push_back(body.finish(builder, reduction, word));
  loop.setLowerBound(begin);
  loop.getInitArgsMutable().assign(inits);
}

class WidenLoops : public spinc::spin::impl::SpinWidenLoopsBase<WidenLoops> {
  void runOnOperation() override {
    getOperation().walk([&](HandlerOp handler) { widen(handler); });
  }

  static void widen(HandlerOp handler) {
    llvm::MapVector<Operation *, std::unique_ptr<LaneBody>> bodies;
    handler.walk([&](scf::ForOp loop) {
      auto body = std::make_unique<LaneBody>(loop);
      if (countsElements(loop) && body->analyze())
        bodies[loop] = std::move(body);
    });
    if (bodies.empty())
      return;
    SmallVector<scf::ForOp> loops;
    HandlerFacts facts(handler);
    facts.walk([&](Operation *op) {
      auto found = bodies.find(op);
      if (found != bodies.end() && isIndependent(*found->second, facts))
        loops.push_back(cast<scf::ForOp>(op));
    });
    for (scf::ForOp loop : loops)
      Widener(loop, *bodies[loop]).run();
  }
};

} // namespace
