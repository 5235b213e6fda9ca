// spin-check-budgets: refuses handlers that no machine code could make fast
// enough, before any is made. What is counted are accesses that nothing after
// the spin dialect removes or joins: the read that issues a command, and atomic
// additions. Of two ways whose condition is not known the cheaper one
// counts, so no run with this packet length takes less, and a bound on the
// machine code is no smaller either.
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINCHECKBUDGETS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

/// Of a command: the read that issues it. Its words may be there already.
constexpr int64_t commandCycles = 1;
constexpr int64_t atomicCycles = 1;
/// Of the return.
constexpr int64_t leaveCycles = 2;

/// The least cycles until the end of a region, and until the handler is left
/// in it; nothing for what cannot happen.
struct Least {
  std::optional<int64_t> through = 0, left;

  /// The handler may be left here.
  void leave() {
    if (through)
      left = std::min(left.value_or(*through), *through);
  }
  void append(const Least &next) {
    if (through && next.left) {
      int64_t sum = *through + *next.left;
      left = std::min(left.value_or(sum), sum);
    }
    if (!through || !next.through)
      through.reset();
    else
      *through += *next.through;
  }
  /// Either this way or that.
  void orElse(const Least &other) {
    for (std::optional<int64_t> Least::*way : {&Least::through, &Least::left})
      if (other.*way)
        this->*way =
            std::min((this->*way).value_or(*(other.*way)), *(other.*way));
  }
};

/// Runs a handler on numbers as far as they follow from the packet's length.
class Estimate {
public:
  Estimate(HandlerOp handler, std::optional<int64_t> payload)
      : handler(handler) {
    auto context = cast<ContextOp>(handler->getParentOp());
    if (payload)
      packetBytes = *payload + context.getHeaderBytes();
  }
  Least run() { return run(handler.getBody()); }

private:
  Least run(Region &region);
  Least run(Operation &op);
  Least runIf(scf::IfOp branch);
  Least runFor(scf::ForOp loop);
  int64_t costOf(Operation &op) const;
  bool movesBytes(Value slice) const {
    auto known = lengths.find(slice);
    return known != lengths.end() && known->second > 0;
  }
  std::optional<llvm::APInt> numberOf(Value value) const;
  void compute(Operation &op);
  void computeLength(Operation &op);

  HandlerOp handler;
  std::optional<int64_t> packetBytes;
  llvm::DenseMap<Value, llvm::APInt> numbers;
  /// Elements of slices.
  llvm::DenseMap<Value, int64_t> lengths;
};

std::optional<llvm::APInt> Estimate::numberOf(Value value) const {
  llvm::APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant;
  auto known = numbers.find(value);
  return known == numbers.end() ? std::nullopt : std::optional(known->second);
}

int64_t Estimate::costOf(Operation &op) const {
  if (auto copy = dyn_cast<DmaToHostOp>(op))
    return movesBytes(copy.getSource()) ? commandCycles : 0;
  if (auto copy = dyn_cast<DmaFromHostOp>(op))
    return movesBytes(copy.getSource()) ? commandCycles : 0;
  if (auto send = dyn_cast<SendOp>(op))
    return movesBytes(send.getData()) ? commandCycles : 0;
  if (isa<NotifyOp>(op))
    return commandCycles;
  if (auto add = dyn_cast<AtomicRmwOp>(op)) {
    // LLVM drops additions of what it finds to be 0.
    std::optional<llvm::APInt> value = numberOf(add.getValue());
    return add.getKind() == AtomicKind::Add && value && !value->isZero()
               ? atomicCycles
               : 0;
  }
  return 0;
}

void Estimate::computeLength(Operation &op) {
  if (isa<PacketBytesOp>(op)) {
    if (packetBytes)
      lengths[op.getResult(0)] = *packetBytes;
  } else if (auto part = dyn_cast<SubsliceOp>(op)) {
    if (std::optional<llvm::APInt> length = numberOf(part.getLength()))
      lengths[part.getResult()] = int64_t(length->getZExtValue());
  } else if (auto length = dyn_cast<SliceLengthOp>(op)) {
    auto known = lengths.find(length.getSlice());
    if (known != lengths.end())
      numbers[length.getLength()] = llvm::APInt(32, known->second);
  }
}

/// Folds `op` if its operands are known. The results are those of the packets
/// of this length only.
void Estimate::compute(Operation &op) {
  if (!isa<arith::ArithDialect>(op.getDialect()) || op.getNumResults() != 1)
    return computeLength(op);
  SmallVector<Attribute> operands;
  for (Value operand : op.getOperands()) {
    std::optional<llvm::APInt> number = numberOf(operand);
    if (!number || !operand.getType().isIntOrIndex())
      return;
    operands.push_back(IntegerAttr::get(operand.getType(), *number));
  }
  // Folding may change the operation in place, for the better.
  SmallVector<OpFoldResult> folded;
  Operation *copy = op.clone();
  if (succeeded(copy->fold(operands, folded)) && folded.size() == 1)
    if (auto constant = dyn_cast_if_present<IntegerAttr>(
            llvm::dyn_cast_if_present<Attribute>(folded.front())))
      numbers[op.getResult(0)] = constant.getValue();
  copy->destroy();
}

Least Estimate::runIf(scf::IfOp branch) {
  std::optional<llvm::APInt> condition = numberOf(branch.getCondition());
  if (condition && !condition->isZero())
    return run(branch.getThenRegion());
  Least otherwise = run(branch.getElseRegion());
  if (!condition)
    otherwise.orElse(run(branch.getThenRegion()));
  return otherwise;
}

/// What a round carries to the next is not followed.
Least Estimate::runFor(scf::ForOp loop) {
  Least body = run(loop.getRegion());
  std::optional<llvm::APInt> low = numberOf(loop.getLowerBound()),
                             high = numberOf(loop.getUpperBound()),
                             step = numberOf(loop.getStep());
  int64_t rounds = 0;
  bool isKnown = low && high && step && loop.getUnsignedCmp();
  if (isKnown && high->ugt(*low))
    rounds = int64_t(llvm::APIntOps::RoundingUDiv(*high - *low, *step,
                                                  llvm::APInt::Rounding::UP)
                         .getZExtValue());
  Least all;
  if (!isKnown || rounds > 0)
    all.left = body.left;
  if (rounds > 0 && !body.through)
    all.through.reset();
  else if (rounds > 0)
    all.through = rounds * *body.through;
  return all;
}

Least Estimate::run(Operation &op) {
  Least least;
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return runIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return runFor(loop);
  if (auto require = dyn_cast<RequireOp>(op)) {
    std::optional<llvm::APInt> holds = numberOf(require.getCondition());
    if (!holds || holds->isZero())
      least.leave();
    if (holds && holds->isZero())
      least.through.reset();
  } else if (isa<ExitOp>(op)) {
    least.leave();
    least.through.reset();
  } else if (op.getNumRegions() != 0) {
    // A loop that may run no round, or leave in any.
    for (Region &region : op.getRegions())
      if (Least inner = run(region); inner.left)
        least.left = std::min(least.left.value_or(*inner.left), *inner.left);
  } else {
    compute(op);
    least.through = costOf(op);
  }
  return least;
}

Least Estimate::run(Region &region) {
  Least least;
  for (Operation &op : region.getOps())
    least.append(run(op));
  return least;
}

/// The value of a limit that depends on the packet's length at most.
std::optional<int64_t> evaluate(BoundAttr bound,
                                std::optional<int64_t> payload) {
  SmallVector<Attribute> values, result;
  Builder builder(bound.getContext());
  for (StringAttr name : bound.getSymbols()) {
    if (!payload || name != "p.length")
      return std::nullopt;
    values.push_back(builder.getIndexAttr(*payload));
  }
  if (failed(bound.getMap().constantFold(values, result)))
    return std::nullopt;
  return cast<IntegerAttr>(result.front()).getInt();
}

class CheckBudgets
    : public spinc::spin::impl::SpinCheckBudgetsBase<CheckBudgets> {
  void runOnOperation() override {
    getOperation().walk([&](HandlerOp handler) {
      if (failed(check(handler)))
        signalPassFailure();
    });
  }

  /// At the longest and the shortest payload.
  static LogicalResult check(HandlerOp handler) {
    BudgetAttr budget = handler.getBudgetAttr();
    if (!budget || !budget.getCycles())
      return success();
    auto context = cast<ContextOp>(handler->getParentOp());
    SmallVector<std::optional<int64_t>> payloads = {std::nullopt};
    if (handler.getKind() == HandlerKind::Payload)
      payloads = {int64_t(context.getMtu()) - context.getHeaderBytes(), 0};
    for (std::optional<int64_t> payload : payloads) {
      std::optional<int64_t> allowed = evaluate(budget.getCycles(), payload);
      Least least = Estimate(handler, payload).run();
      // Every handler ends in some way.
      int64_t through = least.through.value_or(least.left.value_or(0));
      int64_t cycles =
          std::min(through, least.left.value_or(through)) + leaveCycles;
      if (!allowed || cycles <= *allowed)
        continue;
      // bud-5
      return handler.emitError()
             << "E0517: whatever its code, the "
             << (handler.isFunction() ? "function" : "handler")
             << " takes at least " << cycles << " cycles"
             << (payload ? " where p.length is " + std::to_string(*payload)
                         : std::string())
             << ", the budget allows " << *allowed;
    }
    return success();
  }
};

} // namespace
