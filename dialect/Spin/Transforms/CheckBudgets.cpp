// spin-check-budgets: refuses handlers that no machine code could make fast
// enough, or small enough, before any is made. What is counted are accesses
// that nothing after the spin dialect removes or joins: the read that issues a
// command, atomic additions, and for the occupancy what the bound charges for
// commands and waits. Of two ways whose condition is not known the cheaper one
// counts, so no run with this packet length takes less, and a bound on the
// machine code is no smaller either. Of the stack only what a command works on
// is sure: its address leaves the core.
#include "dialect/Spin/Analysis/LocalPlaces.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "runtime/abi/pspin.h"
#include "llvm/ADT/TypeSwitch.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINCHECKBUDGETS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

/// Of the return.
constexpr int64_t leaveCycles = 2;

/// What is counted, and for how much.
struct Prices {
  int64_t command = 0, wait = 0, atomic = 0;
  /// Only commands on this array, if not null.
  LocalOp local = nullptr;
};

/// Of a command: the read that issues it. Its words may be there already.
const Prices activeCycles = {/*command=*/1, /*wait=*/0, /*atomic=*/1, {}};

/// As charged on the machine code (compiler/Wcet/Analysis.cpp), without the
/// wait for the last command.
Prices occupiedCycles(int64_t latency) {
  Prices prices = activeCycles;
  prices.command +=
      (latency + PSPIN_COMMANDS_PER_HPU - 1) / PSPIN_COMMANDS_PER_HPU;
  prices.wait += latency;
  return prices;
}

/// The least price until the end of a region, and until the handler is left
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
  /// Until the handler is over: it ends in some way.
  int64_t atEnd() const {
    int64_t whole = through.value_or(left.value_or(0));
    return std::min(whole, left.value_or(whole));
  }
};

/// Runs a handler on numbers as far as they follow from the packet's length.
class Estimate {
public:
  Estimate(HandlerOp handler, std::optional<int64_t> payload, Prices prices)
      : handler(handler), prices(prices) {
    auto context = cast<ContextOp>(handler->getParentOp());
    if (payload)
      packetBytes = *payload + context.getHeaderBytes();
  }
  int64_t run() { return run(handler.getBody()).atEnd(); }

private:
  Least run(Region &region);
  Least run(Operation &op);
  Least runIf(scf::IfOp branch);
  Least runFor(scf::ForOp loop);
  int64_t costOf(Operation &op) const;
  bool isIssued(Operation &op) const;
  bool movesBytes(Value slice) const {
    auto known = lengths.find(slice);
    return known != lengths.end() && known->second > 0;
  }
  std::optional<llvm::APInt> numberOf(Value value) const;
  void compute(Operation &op);
  void computeLength(Operation &op);

  HandlerOp handler;
  const Prices prices;
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

/// The slice of a command that moves what the slice holds.
Value movedBy(Operation &op) {
  return llvm::TypeSwitch<Operation *, Value>(&op)
      .Case<DmaToHostOp, DmaFromHostOp>(
          [](auto copy) { return copy.getSource(); })
      .Case([](SendOp send) { return send.getData(); })
      .Default(Value());
}

/// Whether an operation surely issues a command.
bool Estimate::isIssued(Operation &op) const {
  if (Value moved = movedBy(op))
    return movesBytes(moved);
  return isa<NotifyOp, PutOp>(op);
}

/// Whether a command works on a part of `local`.
bool worksOn(Operation &command, LocalOp local) {
  return llvm::any_of(command.getOperands(), [&](Value operand) {
    Operation *source = operand.getDefiningOp();
    while (isa_and_nonnull<SubsliceOp, ViewAsOp, MemberOp>(source))
      source = source->getOperand(0).getDefiningOp();
    return source && source == local;
  });
}

int64_t Estimate::costOf(Operation &op) const {
  if (auto wait = dyn_cast<WaitOp>(op)) {
    Operation *command = wait.getCommand().getDefiningOp();
    return command && isIssued(*command) ? prices.wait : 0;
  }
  if (auto add = dyn_cast<AtomicRmwOp>(op)) {
    // LLVM drops additions of what it finds to be 0.
    std::optional<llvm::APInt> value = numberOf(add.getValue());
    return add.getKind() == AtomicKind::Add && value && !value->isZero()
               ? prices.atomic
               : 0;
  }
  bool counts = isIssued(op) && (!prices.local || worksOn(op, prices.local));
  return counts ? prices.command : 0;
}

void Estimate::computeLength(Operation &op) {
  if (isa<PacketBytesOp>(op)) {
    if (packetBytes)
      lengths[op.getResult(0)] = *packetBytes;
  } else if (auto local = dyn_cast<LocalOp>(op)) {
    lengths[local.getResult()] = local.getCount();
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

/// The bytes of stack that commands surely work on where the payload has this
/// length. LLVM may lay two arrays over each other: the largest one counts.
int64_t leastStack(HandlerOp handler, std::optional<int64_t> payload,
                   const LocalPlaces &places) {
  int64_t most = 0;
  handler.walk([&](LocalOp local) {
    int64_t bytes = local.getBytes();
    Prices prices;
    prices.command = 1;
    prices.local = local;
    if (bytes > most && !places.inArea.contains(local) &&
        Estimate(handler, payload, prices).run() > 0)
      most = bytes;
  });
  return most;
}

class CheckBudgets
    : public spinc::spin::impl::SpinCheckBudgetsBase<CheckBudgets> {
public:
  using SpinCheckBudgetsBase::SpinCheckBudgetsBase;

private:
  void runOnOperation() override {
    LocalPlaces places = placeLocals(getOperation());
    getOperation().walk([&](HandlerOp handler) {
      if (failed(check(handler, places)))
        signalPassFailure();
    });
  }

  /// At the longest and the shortest payload.
  LogicalResult check(HandlerOp handler, const LocalPlaces &places) const {
    BudgetAttr budget = handler.getBudgetAttr();
    if (!budget)
      return success();
    auto context = cast<ContextOp>(handler->getParentOp());
    SmallVector<std::optional<int64_t>> payloads = {std::nullopt};
    if (handler.getKind() == HandlerKind::Payload)
      payloads = {int64_t(context.getMtu()) - context.getHeaderBytes(), 0};
    for (std::optional<int64_t> payload : payloads)
      if (failed(checkAt(handler, budget, payload, places)))
        return failure();
    return success();
  }

  LogicalResult checkAt(HandlerOp handler, BudgetAttr budget,
                        std::optional<int64_t> payload,
                        const LocalPlaces &places) const {
    auto least = [&](Prices prices) {
      return Estimate(handler, payload, prices).run();
    };
    // bud-5
    if (BoundAttr limit = budget.getCycles())
      if (failed(compare(handler, payload, limit, "takes", " cycles",
                         least(activeCycles) + leaveCycles)))
        return failure();
    // bud-13: when the handler has ended, its last command may be under way.
    if (BoundAttr limit = budget.getOccupancy()) {
      Prices commands;
      commands.command = 1;
      int64_t cycles = least(occupiedCycles(commandLatency)) + leaveCycles;
      if (least(commands) > 0)
        cycles += commandLatency;
      if (failed(compare(handler, payload, limit, "takes",
                         " cycles with its waits for commands", cycles)))
        return failure();
    }
    // bud-10
    if (BoundAttr limit = budget.getStack())
      return compare(handler, payload, limit, "needs", " bytes of stack",
                     leastStack(handler, payload, places));
    return success();
  }

  /// That a limit allows what is surely needed.
  static LogicalResult compare(HandlerOp handler,
                               std::optional<int64_t> payload, BoundAttr limit,
                               StringRef verb, StringRef unit, int64_t least) {
    std::optional<int64_t> allowed = evaluate(limit, payload);
    if (!allowed || least <= *allowed)
      return success();
    return handler.emitError()
           << "E0517: whatever its code, the "
           << (handler.isFunction() ? "function" : "handler") << " " << verb
           << " at least " << least << unit
           << (payload ? " where p.length is " + std::to_string(*payload)
                       : std::string())
           << ", the budget allows " << *allowed;
  }
};

} // namespace
