//===- Hpu.cpp - Running tasks, and faults --------------------------------===//
//
// The life of a task on a core: the runtime's loop around the handler is the
// image's own code; the handler is what runs from the task's function until
// it returns.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/Hpu.h"
#include "runtime/sim/Card.h"
#include "runtime/sim/Trace.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace spinc;
using namespace spinc::sim;
using llvm::formatv;

/// Start-up and the runtime's loop are given so many cycles at a time.
static constexpr uint64_t runtimeLimit = 10000000;
/// No code is there: not a place to stop at.
static constexpr uint32_t nowhere = 1;

Hpu::Hpu(Card &card, Program &program, Translator *translator, unsigned cluster,
         unsigned index)
    : card(card), program(program),
      isWatched(card.inspector || card.config.trace || card.config.stepping ||
                card.config.profile),
      cluster(cluster), index(index),
      core(program, *this, cluster << PSPIN_HARTID_CLUSTER_SHIFT | index) {
  uint8_t *l1 = card.memory.l1[cluster].data();
  core.ownL1[0] = {PSPIN_L1_ALIAS, PSPIN_L1_SIZE - 4, l1};
  core.ownL1[1] = {l1Address(cluster, 0), PSPIN_L1_SIZE - 4, l1};
  openWindows(true);
  if (translator)
    core.useTranslator(*translator);
  core.pc = PSPIN_BOOT_ADDRESS;
}

/// With closed windows every access comes to load, store and atomic.
void Hpu::openWindows(bool open) {
  open = open && !card.inspector;
  for (unsigned i = 0; i < 2; ++i)
    core.windows[i] = core.storeWindows[i] =
        open ? core.ownL1[i] : Window{UINT32_MAX, 0, nullptr};
}

bool Hpu::boot() { return proceed() == Progress::Ended; }

void Hpu::begin(const Task &next, uint64_t time) {
  // The load of the function register has been waiting: it ends when the task
  // is there, and not sooner than a cycle after it began.
  if (time > now() + 1)
    core.clockBase += int64_t(time - 1 - now());
  task = &next;
  running = next.function() != 0;
  doorbell = running ? 0 : time;
  stopAt = next.function();
  runtimeStart = core.cycles;
}

TaskEnd Hpu::finish() {
  uint64_t pending = dmaDone;
  for (uint64_t done : commandDone)
    pending = std::max(pending, done);
  TaskEnd end;
  end.doorbell = doorbell;
  end.feedback = std::max(doorbell, pending);
  feedbackLeft = end.feedback;
  task = nullptr;
  return end;
}

/// Runs like Core::run, one instruction at a time if somebody watches.
Stop Hpu::advance(uint64_t cycleLimit, uint32_t stopAt) {
  if (!isWatched)
    return core.run(cycleLimit, stopAt);
  const SpinSimConfig &config = card.config;
  bool steps = config.stepping && inHandler;
  bool profiles = config.profile && inHandler;
  if (!config.trace && !steps && !profiles && !card.inspector)
    return core.run(cycleLimit, stopAt);
  for (;;) {
    if (card.inspector && !card.inspector->beforeInstruction(*this))
      return Stop::Quantum;
    uint32_t pc = core.pc;
    uint64_t before = now();
    std::string line;
    if (config.trace)
      line = traceLine(core, program, card.image, before);
    if (steps)
      config.stepping(config.user, core.pc, core.regs);
    Stop stop = core.step();
    if (stop != Stop::Blocked) {
      if (config.trace)
        config.trace(config.user, line.c_str());
      if (profiles)
        card.profile.add(*task, pc, now() - before);
    }
    if (stop != Stop::None)
      return stop;
    if (core.pc == stopAt)
      return Stop::Reached;
    if (core.cycles >= cycleLimit)
      return Stop::Limit;
  }
}

Hpu::Progress Hpu::proceed(uint64_t until) {
  if (task && !running)
    return Progress::Ended;
  core.horizon = core.banks ? card.afterTurn() : UINT64_MAX;
  for (;;) {
    uint64_t limit = runtimeStart + runtimeLimit;
    if (inHandler)
      limit = card.config.maxHandlerCycles
                  ? atStart.cycles + card.config.maxHandlerCycles
                  : UINT64_MAX;
    if (now() >= until)
      return Progress::Working;
    uint64_t left = until - now();
    core.quantumEnd = until;
    bool quantum = core.cycles < limit && left < limit - core.cycles;
    Stop stop = advance(quantum ? core.cycles + left : limit, stopAt);
    if (!card.error().empty())
      return Progress::Failed;
    if (stop == Stop::Quantum)
      return Progress::Working;
    if (stop == Stop::Limit && quantum)
      continue;
    switch (stop) {
    case Stop::Reached:
      if (inHandler) {
        endHandler(false);
        stopAt = nowhere;
      } else {
        beginHandler();
        stopAt = core.regs[1];
      }
      break;
    case Stop::Blocked:
      if (!yielded)
        return Progress::Ended;
      yielded = false;
      return Progress::Working;
    case Stop::Trap:
    case Stop::Limit:
      if (!takeFault())
        return Progress::Failed;
      break;
    case Stop::None:
    case Stop::Quantum:
      break;
    }
  }
}

/// A trap, or a handler that does not end: the image's fault handler goes on.
bool Hpu::takeFault() {
  bool late = core.trap.cause == 0;
  uint32_t cause = late ? PSPIN_FAULT_RUNAWAY : core.trap.cause;
  if (faultCause)
    cause = faultCause;
  uint32_t address = core.trap.address;
  if (!inHandler) {
    card.fail("the image's runtime failed on HPU " +
              std::to_string(cluster * PSPIN_HPUS_PER_CLUSTER + index) + ": " +
              describeFault(cause));
    return false;
  }
  if (card.inspector && !card.inspector->onFault(*this, cause))
    return false;
  faultInHandler(cause);
  core.enterTrap(cause, address);
  core.trap = {};
  faultCause = 0;
  faultReason.clear();
  stopAt = nowhere;
  return true;
}

void Hpu::beginHandler() {
  inHandler = true;
  atStart.cycles = core.cycles;
  atStart.wait = core.wait;
  atStart.instructions = core.instructions;
  atStart.begin = now();
  stallsAtStart = stalls();
  uint32_t sp = core.regs[2];
  core.stackLow = (sp - 1) & ~uint32_t(PSPIN_STACK_SIZE - 1);
  core.stackSize = sp - core.stackLow;
  if (card.config.checkAccesses) {
    openWindows(false);
    regions.reset(*task, card.image, cluster, index,
                  card.homeCluster(*task->message), core.stackLow,
                  core.stackSize);
  }
}

/// All that the core has stalled so far.
Stalls Hpu::stalls() const {
  Stalls stalls = {};
  stalls[SPINSIM_STALL_L2] = core.l2Cycles;
  stalls[SPINSIM_STALL_CORE] = core.cycles - core.instructions - core.l2Cycles;
  stalls[SPINSIM_STALL_REMOTE] = core.remoteWait;
  stalls[SPINSIM_STALL_COMMAND] = core.commandWait;
  stalls[SPINSIM_STALL_PORT] = core.portWait;
  stalls[SPINSIM_STALL_FETCH] = core.fetchWait;
  stalls[SPINSIM_STALL_BANK] = core.wait - core.remoteWait - core.commandWait -
                               core.portWait - core.fetchWait;
  return stalls;
}

void Hpu::endHandler(bool faulted) {
  inHandler = false;
  runtimeStart = core.cycles;
  core.stackLow = 0;
  openWindows(true);
  HandlerRun run;
  run.cycles = core.cycles - atStart.cycles;
  run.wait = core.wait - atStart.wait;
  run.instructions = core.instructions - atStart.instructions;
  run.code = core.regs[10];
  run.faulted = faulted;
  run.begin = atStart.begin;
  Stalls stalled = stalls();
  for (size_t cause = 0; cause < stalled.size(); ++cause)
    stalled[cause] -= stallsAtStart[cause];
  card.recordRun(*task, run, stalled, cluster, index);
}

void Hpu::faultInHandler(uint32_t cause) {
  const HandlerInfo *handler = nullptr;
  for (const HandlerInfo &info : task->message->context->info->handlers)
    if (info.kind == task->kind)
      handler = &info;
  FaultRecord fault;
  fault.handler = handler ? handler->symbol : "";
  fault.code = cause;
  fault.pc = core.pc;
  fault.address = core.trap.address;
  fault.packet = task->packet->number;
  fault.cycle = now();
  std::string line = card.image.sourceLine(core.pc);
  fault.text = formatv("{0}: packet {1}: {2}{3}", fault.handler, fault.packet,
                       describeFault(cause), line.empty() ? "" : ", " + line);
  card.faults.push_back(std::move(fault));
  endHandler(true);
}

std::string Hpu::describeFault(uint32_t cause) const {
  isa::Insn insn = program.insnAt(core.pc);
  std::string place = formatv(" (pc {0:x})", core.pc);
  std::string text = isa::disassemble(insn, core.pc);
  switch (cause) {
  case PSPIN_FAULT_ILLEGAL:
    if (!program.contains(core.pc) || core.pc & 1)
      return "jump to where no code is" + place;
    return (insn.op == isa::Opcode::Invalid
                ? "no such instruction: "
                : "instruction not allowed here: ") +
           text + place;
  case PSPIN_FAULT_LOAD:
  case PSPIN_FAULT_STORE:
  case PSPIN_FAULT_COMMAND:
  case PSPIN_FAULT_REGION:
    return (faultReason.empty()
                ? formatv(
                      "atomic operation at {0:x}, which is no multiple of 4",
                      core.trap.address)
                      .str()
                : faultReason) +
           place;
  case PSPIN_FAULT_HANG:
    if (!faultReason.empty())
      return faultReason + place;
    return (isa::isHang(insn) ? "'" + text + "'"
                              : "a hardware loop of one instruction") +
           " stops a PsPIN core for ever" + place;
  case PSPIN_FAULT_RUNAWAY:
    return formatv("still running after {0} cycles{1}",
                   inHandler ? card.config.maxHandlerCycles : runtimeLimit,
                   place);
  case PSPIN_FAULT_STACK:
    return formatv("stack overflow: the stack pointer becomes {0:x}, an HPU "
                   "has {1} bytes from {2:x} on{3}",
                   core.trap.address, PSPIN_STACK_SIZE, core.stackLow, place);
  default:
    return formatv("'{0}' traps{1}", text, place);
  }
}
