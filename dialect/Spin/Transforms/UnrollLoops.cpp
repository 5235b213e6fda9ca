// spin-unroll-loops: several iterations of a small innermost loop per turn, or
// all of them, so that the loop's own instructions weigh less. MLIR's unroller
// takes the bounds of an unsigned loop for signed ones, hence our own.
//
// The new arithmetic carries flags that spin-prove-bounds can prove anew: with
// r = n mod factor, n - r does not wrap, and an index below n - r that is a
// multiple of the factor has factor - 1 successors below n.
#include "dialect/Spin/Analysis/HandlerFacts.h"
#include "dialect/Spin/Transforms/Constants.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINUNROLLLOOPS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

/// As the report calls it.
constexpr llvm::StringLiteral attemptName = "unroll";

/// Builds what replaces a loop.
class Unroller {
public:
  explicit Unroller(scf::ForOp loop)
      : loop(loop), builder(loop.getLoc(), loop) {}

  /// The iterations one after the other, without a loop.
  void unrollFully(uint64_t count) {
    SmallVector<Value> carried(loop.getInitArgs());
    for (uint64_t copy = 0; copy != count; ++copy)
      carried = cloneBody(constant(copy), carried);
    loop.replaceAllUsesWith(carried);
    loop.erase();
  }

  /// One loop over groups of `factor` iterations and one over the rest; the
  /// report says that and the `purpose`.
  void unrollBy(unsigned factor, StringRef purpose) {
    Value count = loop.getUpperBound();
    Value rest = arith::RemUIOp::create(builder, count, constant(factor));
    Value middle = arith::SubIOp::create(builder, count, rest,
                                         arith::IntegerOverflowFlags::nuw);
    auto main = scf::ForOp::create(
        builder, loop.getLowerBound(), middle, constant(factor),
        loop.getInitArgs(), /*bodyBuilder=*/nullptr, /*unsignedCmp=*/true);
    fill(main, factor);
    builder.setInsertionPointAfter(main);
    auto tail = scf::ForOp::create(builder, middle, count, loop.getStep(),
                                   main.getResults(), /*bodyBuilder=*/nullptr,
                                   /*unsignedCmp=*/true);
    fill(tail, 1);
    for (scf::ForOp part : {main, tail}) {
      keepAttempts(loop, part);
      noteAttempt(part, attemptName, true,
                  part == main
                      ? llvm::Twine(factor) + " iterations per turn" + purpose
                      : "what is left of turns of " + llvm::Twine(factor));
    }
    loop.replaceAllUsesWith(tail.getResults());
    loop.erase();
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(
        builder, loop.getInductionVar().getType(), value);
  }

  /// Makes `copies` copies of the loop's body the body of `target`.
  void fill(scf::ForOp target, unsigned copies) {
    Block *body = target.getBody();
    if (!body->empty())
      body->getTerminator()->erase();
    builder.setInsertionPointToEnd(body);
    SmallVector<Value> carried(target.getRegionIterArgs());
    SmallVector<Value> steps;
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(target);
      for (unsigned copy = 0; copy != copies; ++copy)
        steps.push_back(constant(copy));
    }
    for (unsigned copy = 0; copy != copies; ++copy) {
      Value index = target.getInductionVar();
      if (copy != 0)
        index = arith::AddIOp::create(builder, index, steps[copy],
                                      arith::IntegerOverflowFlags::nuw);
      carried = cloneBody(index, carried);
    }
    scf::YieldOp::create(builder, carried);
    if (copies > 1)
      loadEarly(body);
  }

  /// Moves the loads of packet elements to the start of the body, so that no
  /// copy waits for its load. They may run in any order because nothing in the
  /// body stores to packets, and all of them run in every turn that is not
  /// left early: a load has no effect.
  void loadEarly(Block *body) {
    if (llvm::any_of(*body,
                     [](Operation &op) { return writesPacketWithin(&op); }))
      return;
    Operation *last = nullptr;
    llvm::SmallPtrSet<Operation *, 8> early;
    auto comesFromBody = [&](Value value) {
      Operation *op = value.getDefiningOp();
      return op && op->getBlock() == body && !early.contains(op);
    };
    for (Operation &op : llvm::make_early_inc_range(*body)) {
      auto load = dyn_cast<LoadOp>(op);
      if (!load || !load.getSlice().getType().isInPacket() ||
          load.getSlice().getParentBlock() == body)
        continue;
      Operation *index = load.getIndex().getDefiningOp();
      bool indexIsInside = index && index->getBlock() == body;
      if (indexIsInside && (!isa<arith::AddIOp>(index) ||
                            llvm::any_of(index->getOperands(), comesFromBody)))
        continue;
      for (Operation *moved : {indexIsInside ? index : nullptr, &op}) {
        if (!moved || !early.insert(moved).second)
          continue;
        if (last)
          moved->moveAfter(last);
        else
          moved->moveBefore(body, body->begin());
        last = moved;
      }
    }
  }

  /// Clones the body for one iteration and returns what it yields.
  SmallVector<Value> cloneBody(Value index, ValueRange carried) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), index);
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, mapping);
    SmallVector<Value> yielded;
    for (Value value : loop.getYieldedValues())
      yielded.push_back(mapping.lookupOrDefault(value));
    return yielded;
  }

  scf::ForOp loop;
  ImplicitLocOpBuilder builder;
};

/// Operations of the body; nothing if there is a loop in it.
std::optional<unsigned> sizeOf(scf::ForOp loop) {
  unsigned ops = 0;
  WalkResult result = loop.getBody()->walk([&](Operation *op) {
    if (isa<LoopLikeOpInterface, scf::WhileOp, ForPiecesOp, LoopMarkerOp,
            AcquireOp>(op))
      return WalkResult::interrupt();
    ops += !op->hasTrait<OpTrait::IsTerminator>();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return std::nullopt;
  return ops;
}

/// A command is a dozen instructions, beside which those of a loop are few.
bool issuesCommands(scf::ForOp loop) {
  return loop.getBody()
      ->walk([](Operation *op) {
        return isa<DmaToHostOp, DmaFromHostOp, SendOp, PutOp, NotifyOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// How much code is made of the loops of a handler.
struct Limits {
  unsigned factor;
  unsigned maxTurnOps;
  uint64_t maxFullCount, maxFullOps;
  /// Whether fewer iterations per turn than `factor` will do.
  bool mayBeLess = false;
  /// What a report says behind the iterations.
  StringRef purpose;

  /// Iterations per turn of a loop with so many operations, which runs `count`
  /// times if that is known: as many as the limits allow, and at best so many
  /// that nothing is left over. 0 for none.
  unsigned factorFor(unsigned ops, std::optional<uint64_t> count) const {
    unsigned most = 0;
    for (unsigned tried = factor; tried > 1; tried /= 2) {
      if (tried * ops <= maxTurnOps && (!count || *count >= 2 * tried)) {
        if (!count || *count % tried == 0)
          return tried;
        most = std::max(most, tried);
      }
      if (!mayBeLess)
        break;
    }
    return most;
  }
};

class UnrollLoops : public spinc::spin::impl::SpinUnrollLoopsBase<UnrollLoops> {
public:
  using SpinUnrollLoopsBase::SpinUnrollLoopsBase;

private:
  void runOnOperation() override {
    if (factor < 2)
      return;
    getOperation().walk([&](HandlerOp handler) {
      Limits limits = limitsOf(handler);
      // Inner loops first: a loop around one that is gone is innermost itself.
      SmallVector<Operation *> loops;
      handler.walk([&](Operation *op) {
        if (isa<scf::ForOp, scf::WhileOp>(op))
          loops.push_back(op);
      });
      for (Operation *loop : loops) {
        std::string reason = unroll(loop, limits);
        if (!reason.empty())
          noteAttempt(loop, attemptName, false, reason);
      }
    });
  }

  /// Those of the options, or in proportion to what the handler asks for.
  Limits limitsOf(HandlerOp handler) const {
    Limits limits{factor, factor * maxOps, maxFullCount, maxFullOps};
    auto asked = handler->getAttrOfType<IntegerAttr>(unrollAttrName);
    if (!asked)
      return limits;
    limits.factor = unsigned(std::clamp<int64_t>(asked.getInt(), 1, 64));
    limits.mayBeLess = true;
    limits.purpose = ", for the budget";
    unsigned more = std::max(1u, limits.factor / factor);
    limits.maxTurnOps *= more;
    limits.maxFullCount *= more;
    limits.maxFullOps *= more;
    return limits;
  }

  /// Replaces the loop, or says what keeps it from being unrolled. The tail
  /// loops that this pass makes do not start at 0.
  std::string unroll(Operation *op, const Limits &limits) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return "its iterations are not counted";
    if (!loop.getUnsignedCmp() || !isNumber(loop.getLowerBound(), 0) ||
        !isNumber(loop.getStep(), 1))
      return "it does not count from 0 by 1";
    if (getLoopGuard(loop))
      return "a counter enforces its bound";
    std::optional<unsigned> ops = sizeOf(loop);
    if (!ops)
      return "a loop is in it";
    llvm::APInt known;
    bool isKnown = matchPattern(loop.getUpperBound(), m_ConstantInt(&known));
    uint64_t count = known.getLimitedValue();
    if (isKnown && count <= limits.maxFullCount &&
        count * *ops <= limits.maxFullOps && !issuesCommands(loop)) {
      Unroller(loop).unrollFully(count);
      return "";
    }
    if (limits.factor < 2)
      return "left as it is" + limits.purpose.str();
    unsigned least = limits.mayBeLess ? 2 : limits.factor;
    if (isKnown && count < 2 * least)
      return "it has fewer than " + std::to_string(2 * least) + " iterations";
    unsigned turn =
        limits.factorFor(*ops, isKnown ? std::optional(count) : std::nullopt);
    if (turn == 0)
      return "its body has " + std::to_string(*ops) +
             " operations, more than " +
             std::to_string(limits.maxTurnOps / least);
    Unroller(loop).unrollBy(turn, limits.purpose);
    return "";
  }
};

} // namespace
