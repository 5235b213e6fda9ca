// spin-check-commands: memory that a command works on stays as it is until the
// command has completed (act-6), and the card can tell the commands apart that
// are waited for (act-7). Follows which commands may be in flight along all
// paths of a handler; loops are followed until nothing is added. A function
// compiled by itself is followed once, and its callers go by what it leaves.
#include "dialect/Spin/Analysis/Places.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "runtime/abi/pspin.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/SaveAndRestore.h"
#include <map>
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

/// What a slice was cut from.
Value rootOf(Value slice) {
  while (isa_and_nonnull<SubsliceOp, ViewAsOp, MemberOp>(slice.getDefiningOp()))
    slice = slice.getDefiningOp()->getOperand(0);
  return slice;
}

bool issuesCommands(Operation *op) {
  auto call = dyn_cast<CallOp>(op);
  return call && call.getIssues();
}

/// What a message calls a command, or those that a call leaves in flight.
StringRef nameOf(Operation &command) {
  return isa<CallOp>(command) ? "a command in the function" : "the command";
}

void attachFix(InFlightDiagnostic &error, Location at, Operation &command,
               StringRef before) {
  error.attachNote(at) << "fix: let c = async …; and wait(c); "
                       << (isa<CallOp>(command) ? "in the function" : before);
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

  void issue(Operation *command, unsigned number = 1) {
    if (number == 0)
      return;
    Flight &flight = byCommand[command];
    flight.lost = std::min(kMany, flight.lost + flight.held);
    flight.held = 0;
    unsigned &count = isWaitedFor(command) ? flight.held : flight.lost;
    count = std::min(kMany, count + number);
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

/// What a call of a function does, as far as commands go. At first all that it
/// could.
struct CallEffect {
  /// How many commands may be in flight behind it.
  unsigned inFlight = Flights::kMany;
  /// How many others of the function at most where it issues one that it waits
  /// for; nothing if it does not.
  std::optional<unsigned> before = Flights::kMany;
  /// The arguments that those in flight may work on.
  llvm::SmallSetVector<unsigned, 4> arguments;
};

/// The functions of a module, each checked once.
class Functions {
public:
  const CallEffect &effectOf(CallOp call) {
    return check(call->getParentOfType<ContextOp>().lookupSymbol<HandlerOp>(
        call.getCallee()));
  }
  const CallEffect &check(HandlerOp handler);
  bool failed() const { return hasFailed; }

private:
  std::map<Operation *, CallEffect> effects;
  bool hasFailed = false;
};

/// Checks one handler or function.
class Checker {
public:
  Checker(HandlerOp handler, Functions &functions)
      : handler(handler), functions(functions) {}

  CallEffect run() {
    Flights flights;
    visit(handler.getBody(), flights);
    return effect;
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
    if (holdsLock && (isa<WaitOp>(op) || useOf(&op) || issuesCommands(&op)))
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
    if (isa<ExitOp, RequireOp, ReturnOp, GiveOp>(op))
      return handler.isFunction() ? leaveFunction(op, flights)
                                  : checkEnd(op, flights);
    visitAccess(op, flights);
    if (issuesCommands(&op))
      visitCall(cast<CallOp>(op), flights);
  }

  void visitCall(CallOp call, Flights &flights) {
    const CallEffect &inside = functions.effectOf(call);
    if (inside.before) {
      unsigned others = flights.count() + *inside.before;
      noteOthers(others);
      // What is too many by itself is told in the function.
      if (others >= PSPIN_COMMANDS_PER_HPU &&
          *inside.before < PSPIN_COMMANDS_PER_HPU)
        reportNumber(*call, flights);
    }
    flights.issue(call, inside.inFlight);
  }

  void noteOthers(unsigned others) {
    effect.before = std::max(effect.before.value_or(0), others);
  }

  bool isArgument(Value slice) {
    auto argument = dyn_cast<BlockArgument>(rootOf(slice));
    return handler.isFunction() && argument &&
           argument.getOwner() == &handler.getBody().front();
  }

  /// The slices that a command, or those that a call leaves in flight, work on.
  SmallVector<CommandUse> usesOf(Operation *command) {
    if (auto call = dyn_cast<CallOp>(command))
      return llvm::map_to_vector(
          functions.effectOf(call).arguments, [&](unsigned argument) {
            return CommandUse{call.getInputs()[argument], false};
          });
    std::optional<CommandUse> use = useOf(command);
    return use && use->slice ? SmallVector<CommandUse>{*use}
                             : SmallVector<CommandUse>();
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
      SmallVector<CommandUse> uses = usesOf(command);
      const auto *found = llvm::find_if(uses, [&](const CommandUse &use) {
        // What a function has of its own is none of its arguments.
        return (writes || use.writes) &&
               !(place.object && isArgument(use.slice)) &&
               placeOf(use.slice).mayOverlap(place);
      });
      if (found == uses.end() || !reported.insert({&op, command}).second)
        continue;
      const CommandUse &use = *found;
      StringRef does = writes ? "writes" : "reads";
      StringRef still = use.writes ? "fills" : "reads";
      InFlightDiagnostic error = emitError(op.getLoc())
                                 << "E0415: this " << does
                                 << " memory that a command still " << still;
      error.attachNote(command->getLoc()) << "the command is issued here";
      error.attachNote(op.getLoc())
          << "reason: it runs until it is waited for or the handler ends";
      attachFix(error, op.getLoc(), *command, "before this");
    }
  }

  /// act-7: the card tells the number of a command only while another is free.
  void checkNumber(Operation &op, const Flights &flights) {
    if (!isWaitedFor(&op))
      return;
    noteOthers(flights.count());
    if (flights.count() >= PSPIN_COMMANDS_PER_HPU)
      reportNumber(op, flights);
  }

  void reportNumber(Operation &op, const Flights &flights) {
    if (!reported.insert({&op, nullptr}).second)
      return;
    InFlightDiagnostic error =
        emitError(op.getLoc())
        << "E0416: " << nameOf(op)
        << " cannot be waited for: " << PSPIN_COMMANDS_PER_HPU
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
    for (const auto &[command, flight] : flights.byCommand)
      if (llvm::any_of(usesOf(command), [](const CommandUse &use) {
            return placeOf(use.slice).ofHpu;
          }))
        reportEnd(*command, op, "handler", "the next handler on this HPU uses");
  }

  void reportEnd(Operation &command, Operation &end, StringRef what,
                 StringRef others) {
    if (!reported.insert({&command, &command}).second)
      return;
    InFlightDiagnostic error =
        emitError(command.getLoc())
        << "E0417: " << nameOf(command)
        << " works on memory of the HPU and may be in flight when the " << what
        << " ends";
    error.attachNote(end.getLoc()) << "the " << what << " ends here";
    error.attachNote(command.getLoc())
        << "reason: " << others << " the same memory";
    attachFix(error, command.getLoc(), command, "before the end");
  }

  /// fun-8: a function's own arrays are gone behind it; the rest is for its
  /// callers to look after.
  void leaveFunction(Operation &op, const Flights &flights) {
    effect.inFlight = std::max(effect.inFlight, flights.count());
    for (const auto &[command, flight] : flights.byCommand)
      for (const CommandUse &use : usesOf(command)) {
        Value root = rootOf(use.slice);
        if (isArgument(root)) {
          effect.arguments.insert(cast<BlockArgument>(root).getArgNumber());
          continue;
        }
        if (placeOf(root).ofHpu)
          reportEnd(*command, op, "function", "what is called next uses");
        // One of several slices.
        if (!isa_and_nonnull<LocalOp, TableSliceOp>(root.getDefiningOp()))
          for (BlockArgument argument : handler.getBody().getArguments())
            if (isa<SliceType>(argument.getType()))
              effect.arguments.insert(argument.getArgNumber());
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

  HandlerOp handler;
  Functions &functions;
  CallEffect effect = {0, std::nullopt, {}};
  bool holdsLock = false;
  /// What was complained about, once for each pair.
  std::set<std::pair<Operation *, Operation *>> reported;
};

const CallEffect &Functions::check(HandlerOp handler) {
  auto [entry, isNew] = effects.try_emplace(handler);
  if (isNew) {
    for (BlockArgument argument : handler.getBody().getArguments())
      if (isa<SliceType>(argument.getType()))
        entry->second.arguments.insert(argument.getArgNumber());
    Checker checker(handler, *this);
    entry->second = checker.run();
    hasFailed |= checker.failed();
  }
  return entry->second;
}

class CheckCommands
    : public spinc::spin::impl::SpinCheckCommandsBase<CheckCommands> {
  void runOnOperation() override {
    Functions functions;
    getOperation().walk([&](HandlerOp handler) { functions.check(handler); });
    if (functions.failed())
      signalPassFailure();
  }
};

} // namespace
