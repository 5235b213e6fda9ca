// spin-schedule-commands: the card works on a command while the HPU goes on. A
// command that stands behind a loop is issued in front of it, and a wait in
// front of one comes behind it, where nobody can tell the difference but by the
// clock.
#include "dialect/Spin/Analysis/HandlerFacts.h"
#include "dialect/Spin/Analysis/Obligations.h"
#include "dialect/Spin/Transforms/Copies.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINSCHEDULECOMMANDS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

/// So many loads and multiplications are worth a move; a loop or a division is
/// by itself.
constexpr unsigned kWorthIt = 8;

/// What it is worth to pass the operation, up to kWorthIt.
unsigned worthOf(Operation *op) {
  unsigned worth = 0;
  op->walk([&](Operation *inner) {
    if (isa<LoopLikeOpInterface, ForPiecesOp, arith::DivUIOp, arith::DivSIOp,
            arith::RemUIOp, arith::RemSIOp>(inner))
      worth += kWorthIt;
    else if (isa<LoadOp, WireLoadOp, StateLoadOp, arith::MulIOp>(inner))
      ++worth;
  });
  return std::min(worth, kWorthIt);
}

// --- waits -------------------------------------------------------------------

/// The operation behind which `wait` comes, or null.
Operation *placeOfWait(WaitOp wait) {
  Operation *command = wait.getCommand().getDefiningOp();
  // Nothing may read what it fills.
  bool fills = !command || isa<DmaFromHostOp>(command);
  Operation *place = nullptr;
  unsigned worth = 0;
  for (Operation *op = wait->getNextNode();
       op && isQuiet(op) && (!fills || isMemoryEffectFree(op));
       op = op->getNextNode())
    if (unsigned here = worthOf(op)) {
      worth += here;
      place = op;
    }
  return worth >= kWorthIt ? place : nullptr;
}

void delayWaits(HandlerOp handler) {
  SmallVector<WaitOp> waits;
  handler.walk([&](WaitOp wait) { waits.push_back(wait); });
  // The last one first: it makes way for those in front of it.
  for (WaitOp wait : llvm::reverse(waits))
    if (Operation *place = placeOfWait(wait))
      wait->moveAfter(place);
}

// --- commands ----------------------------------------------------------------

/// `command` may come right in front of `place` with `operands`, which compute
/// what it needs and stand between both, the last one first.
struct Advance {
  Operation *command = nullptr, *place = nullptr;
  SmallVector<Operation *> operands;
  /// The command in front of it, if that has to move as well.
  Operation *behind = nullptr;
  /// By the facts at `place`.
  bool isProved = false;
};

class CommandAdvancer {
public:
  explicit CommandAdvancer(HandlerOp handler) : handler(handler) {}

  void run() {
    handler.walk([&](Operation *op) {
      if (isa<DmaToHostOp, SendOp, PutOp, NotifyOp>(op))
        if (std::optional<Advance> found = advanceOf(op)) {
          taken.insert_range(found->operands);
          advances.insert({op, std::move(*found)});
        }
    });
    if (advances.empty())
      return;
    prove();
    move();
  }

private:
  std::optional<Advance> advanceOf(Operation *command);
  void prove();
  void move();

  HandlerOp handler;
  /// In the order of the program.
  llvm::MapVector<Operation *, Advance> advances;
  /// The operands of all of them.
  llvm::SmallPtrSet<Operation *, 16> taken;
};

std::optional<Advance> CommandAdvancer::advanceOf(Operation *command) {
  Advance advance;
  advance.command = command;
  llvm::SmallPtrSet<Operation *, 16> needed;
  auto need = [&](Operation *op) {
    for (Value value : op->getOperands())
      needed.insert(value.getDefiningOp());
  };
  need(command);
  SmallVector<Operation *> operands;
  // The command before it stays before it.
  Operation *first = nullptr;
  unsigned worth = 0;
  for (Operation *op = command; op != first && (op = op->getPrevNode());) {
    if (auto earlier = advances.find(op); earlier != advances.end()) {
      if (!advance.behind) {
        advance.behind = op;
        first = earlier->second.place;
      }
      continue;
    }
    // Goes further up, with an earlier command.
    if (taken.contains(op))
      continue;
    if (!isQuiet(op))
      break;
    if (needed.contains(op)) {
      if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
        break;
      need(op);
      operands.push_back(op);
    } else if (unsigned here = worthOf(op)) {
      worth += here;
      advance.place = op;
      advance.operands = operands;
    }
  }
  if (worth < kWorthIt)
    return std::nullopt;
  return advance;
}

/// A loop that cannot leave the handler makes nothing true that was not true
/// before, but it may be there only that it is found.
void CommandAdvancer::prove() {
  llvm::DenseMap<Operation *, SmallVector<Advance *>> byPlace;
  for (auto &[command, advance] : advances)
    byPlace[advance.place].push_back(&advance);
  HandlerFacts facts(handler);
  auto holds = [&](Operation *op) {
    return llvm::all_of(getObligations(op, facts.getEvaluator()),
                        [&](const Obligation &obligation) {
                          return isImplied(obligation, facts.getSolver());
                        });
  };
  facts.walk([&](Operation *op) {
    auto found = byPlace.find(op);
    if (found == byPlace.end())
      return;
    for (Advance *advance : found->second)
      advance->isProved =
          holds(advance->command) && llvm::all_of(advance->operands, holds);
  });
}

void CommandAdvancer::move() {
  llvm::SmallPtrSet<Operation *, 16> moved;
  for (auto &[command, advance] : advances) {
    if (!advance.isProved ||
        (advance.behind && !moved.contains(advance.behind)))
      continue;
    for (Operation *operand : llvm::reverse(advance.operands))
      operand->moveBefore(advance.place);
    command->moveBefore(advance.place);
    moved.insert(command);
  }
}

class ScheduleCommands
    : public spinc::spin::impl::SpinScheduleCommandsBase<ScheduleCommands> {
  void runOnOperation() override {
    getOperation().walk([](HandlerOp handler) {
      delayWaits(handler);
      CommandAdvancer(handler).run();
    });
  }
};

} // namespace
