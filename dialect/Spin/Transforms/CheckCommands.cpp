// spin-check-commands: memory that a command works on stays as it is until the
// command has completed (act-6), and the card can tell the commands apart that
// are waited for (act-7). Follows which commands may be in flight along all
// paths of a handler; loops are followed until nothing is added.
#include "dialect/Spin/Analysis/Places.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "runtime/abi/pspin.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/SaveAndRestore.h"
#include <set>

namespace spinc::spin {
#define GEN_PASS_DEF_SPINCHECKCOMMANDS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

/// act-6: what a command does with NIC memory while it runs.
struct CommandUse {
  Value slice; // null: nothing
  bool writes = false;
};

std::optional<CommandUse> useOf(Operation *op) {
  if (auto dma = dyn_cast<DmaToHostOp>(op))
    return CommandUse{dma.getSource(), false};
  if (auto dma = dyn_cast<DmaFromHostOp>(op))
    return CommandUse{dma.getDest(), true};
  if (auto send = dyn_cast<SendOp>(op))
    return CommandUse{send.getData(), false};
  if (auto put = dyn_cast<PutOp>(op))
    return CommandUse{put.getData(), false};
  if (isa<NotifyOp>(op))
    return CommandUse();
  return std::nullopt;
}

bool isWaitedFor(Operation *command) {
  return llvm::any_of(command->getUsers(),
                      [](Operation *user) { return isa<WaitOp>(user); });
}

/// Runs of one command operation that may be in flight: those that a handle
/// still stands for, and those that nothing can wait for any more.
struct Flight {
  unsigned held = 0;
  unsigned lost = 0;
  bool operator==(const Flight &other) const {
    return held == other.held && lost == other.lost;
  }
};

/// All that may be in flight at a point.
class Flights {
public:
  /// One more than the card takes is as good as any number.
  static constexpr unsigned kMany = PSPIN_COMMANDS_PER_HPU + 1;

  void issue(Operation *command) {
    Flight &flight = byCommand[command];
    flight.lost = std::min(kMany, flight.lost + flight.held);
    flight.held = 0;
    unsigned &count = isWaitedFor(command) ? flight.held : flight.lost;
    count = std::min(kMany, count + 1);
  }
  void complete(Operation *command) {
    auto found = byCommand.find(command);
    if (found == byCommand.end())
      return;
    found->second.held = 0;
    if (found->second.lost == 0)
      byCommand.erase(found);
  }
  /// Adds what is in flight on another path; true if that is new.
  bool join(const Flights &other) {
    bool changed = false;
    for (const auto &[command, flight] : other.byCommand) {
      Flight &mine = byCommand[command];
      Flight both = {std::max(mine.held, flight.held),
                     std::max(mine.lost, flight.lost)};
      changed |= !(both == mine);
      mine = both;
    }
    return changed;
  }
  unsigned count() const {
    unsigned sum = 0;
    for (const auto &[command, flight] : byCommand)
      sum += flight.held + flight.lost;
    return sum;
  }
  llvm::MapVector<Operation *, Flight> byCommand;
};

/// Checks one handler.
class Checker {
public:
  void run(Region &body) {
    Flights flights;
    visit(body, flights);
  }
  bool failed() const { return !reported.empty(); }

private:
  void visit(Region &region, Flights &flights) {
    for (Block &block : region)
      for (Operation &op : block)
        visit(op, flights);
  }

  void visit(Operation &op, Flights &flights) {
    if (op.getNumRegions() != 0) {
      // A region that leaves the handler gives the lock back for itself.
      llvm::SaveAndRestore<bool> around(holdsLock, holdsLock);
      return visitRegions(op, flights);
    }
    if (isa<AcquireOp, ReleaseOp>(op)) {
      holdsLock = isa<AcquireOp>(op);
      return;
    }
    if (holdsLock && (isa<WaitOp>(op) || useOf(&op)))
      checkLock(op);
    if (auto wait = dyn_cast<WaitOp>(op)) {
      if (Operation *command = wait.getCommand().getDefiningOp())
        flights.complete(command);
      return;
    }
    if (std::optional<CommandUse> use = useOf(&op)) {
      if (use->slice)
        checkAccess(op, placeOf(use->slice), use->writes, flights);
      checkNumber(op, flights);
      flights.issue(&op);
      return;
    }
    if (isa<ExitOp, RequireOp, ReturnOp>(op))
      return checkEnd(op, flights);
    visitAccess(op, flights);
  }

  void visitRegions(Operation &op, Flights &flights) {
    // A choice: one of the regions runs, once.
    if (!isa<LoopLikeOpInterface, ForPiecesOp>(op)) {
      Flights after;
      for (Region &region : op.getRegions()) {
        Flights inside = flights;
        visit(region, inside);
        after.join(inside);
      }
      flights = after;
      return;
    }
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      Flights around = flights;
      for (bool changed = true; changed;) {
        Flights before = around;
        visit(loop.getBefore(), before);
        flights = before;
        visit(loop.getAfter(), before);
        changed = around.join(before);
      }
      return;
    }
    // The body any number of times.
    for (bool changed = true; changed;) {
      changed = false;
      for (Region &region : op.getRegions()) {
        Flights inside = flights;
        visit(region, inside);
        changed |= flights.join(inside);
      }
    }
  }

  /// Loads, stores and whatever else touches memory.
  void visitAccess(Operation &op, const Flights &flights) {
    // An array in a loop is the same memory, filled anew in each round.
    if (auto local = dyn_cast<LocalOp>(op))
      return checkAccess(op, placeOf(local->getResult(0)), true, flights);
    if (isMemoryEffectFree(&op))
      return;
    bool writes = !isa<LoadOp, WireLoadOp, StateLoadOp>(op);
    if (op.getAttrOfType<FlatSymbolRefAttr>("field"))
      checkAccess(op, placeOfField(&op), writes, flights);
    for (auto [number, operand] : llvm::enumerate(op.getOperands())) {
      auto type = dyn_cast<SliceType>(operand.getType());
      if (!type || type.getSpace() == MemorySpace::Host)
        continue;
      if (auto call = dyn_cast<CallOp>(op))
        writes = call.mayWrite(number);
      Place place = placeOf(operand);
      if (auto load = dyn_cast<WireLoadOp>(op))
        place = partOf(place, load.getOffset(), 1, bytesOf(load.getType()));
      else if (auto store = dyn_cast<WireStoreOp>(op))
        place = partOf(place, store.getOffset(), 1,
                       bytesOf(store.getValue().getType()));
      else if (auto load = dyn_cast<LoadOp>(op))
        place = partOf(place, load.getIndex(), type.getElementBytes(),
                       type.getElementBytes());
      else if (auto store = dyn_cast<StoreOp>(op))
        place = partOf(place, store.getIndex(), type.getElementBytes(),
                       type.getElementBytes());
      checkAccess(op, place, writes, flights);
    }
  }

  static int64_t bytesOf(Type type) {
    return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  }

  void checkAccess(Operation &op, const Place &place, bool writes,
                   const Flights &flights) {
    if (writes && place.isCopy && reported.insert({&op, &op}).second)
      emitError(op.getLoc())
          << "E0418: this writes a copy of state that others work on";
    for (const auto &[command, flight] : flights.byCommand) {
      CommandUse use = *useOf(command);
      if (!use.slice || (!writes && !use.writes) ||
          !placeOf(use.slice).mayOverlap(place))
        continue;
      if (!reported.insert({&op, command}).second)
        continue;
      StringRef does = writes ? "writes" : "reads";
      StringRef still = use.writes ? "fills" : "reads";
      InFlightDiagnostic error = emitError(op.getLoc())
                                 << "E0415: this " << does
                                 << " memory that a command still " << still;
      error.attachNote(command->getLoc()) << "the command is issued here";
      error.attachNote(op.getLoc())
          << "reason: it runs until it is waited for or the handler ends";
      error.attachNote(op.getLoc())
          << "fix: let c = async …; and wait(c); before this";
    }
  }

  /// act-7: the card tells the number of a command only while another is free.
  void checkNumber(Operation &op, const Flights &flights) {
    if (!isWaitedFor(&op) || flights.count() < PSPIN_COMMANDS_PER_HPU ||
        !reported.insert({&op, nullptr}).second)
      return;
    InFlightDiagnostic error =
        emitError(op.getLoc())
        << "E0416: the command cannot be waited for: " << PSPIN_COMMANDS_PER_HPU
        << " others may be in flight";
    for (const auto &entry : flights.byCommand)
      error.attachNote(entry.first->getLoc()) << "this may be in flight";
    error.attachNote(op.getLoc())
        << "reason: target pspin gives a command its number while fewer than "
        << PSPIN_COMMANDS_PER_HPU << " are in flight";
    error.attachNote(op.getLoc()) << "fix: wait for earlier commands first";
  }

  /// act-8: the next handler of an HPU may begin before the commands of this
  /// one have completed, and uses the same stack.
  void checkEnd(Operation &op, const Flights &flights) {
    for (const auto &[command, flight] : flights.byCommand) {
      Value slice = useOf(command)->slice;
      if (!slice || !placeOf(slice).ofHpu ||
          !reported.insert({command, command}).second)
        continue;
      InFlightDiagnostic error =
          emitError(command->getLoc())
          << "E0417: the command works on memory of the HPU and may be in "
             "flight when the handler ends";
      error.attachNote(op.getLoc()) << "the handler ends here";
      error.attachNote(command->getLoc())
          << "reason: the next handler on this HPU uses the same memory";
      error.attachNote(command->getLoc())
          << "fix: let c = async …; and wait(c); before the end";
    }
  }

  /// lck-6: how long a lock is held depends on the handler's code alone.
  void checkLock(Operation &op) {
    if (!reported.insert({&op, &op}).second)
      return;
    InFlightDiagnostic error = emitError(op.getLoc())
                               << "E0419: a command while a lock is held";
    error.attachNote(op.getLoc())
        << "reason: others that wait for the lock would wait for it too";
    error.attachNote(op.getLoc())
        << "fix: copy what it needs into local memory, and issue it behind "
           "the with";
  }

  bool holdsLock = false;
  /// What was complained about, once for each pair.
  std::set<std::pair<Operation *, Operation *>> reported;
};

class CheckCommands
    : public spinc::spin::impl::SpinCheckCommandsBase<CheckCommands> {
  void runOnOperation() override {
    bool failed = false;
    getOperation().walk([&](HandlerOp handler) {
      Checker checker;
      checker.run(handler.getBody());
      failed |= checker.failed();
    });
    if (failed)
      signalPassFailure();
  }
};

} // namespace
