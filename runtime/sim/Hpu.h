//===- Hpu.h - A core with its driver: registers, commands, protection ----===//
//
// Serves the accesses of one core that leave its own L1, runs tasks on it and
// watches the handlers. A task runs from dispatch until the core waits for
// the next one, without other HPUs in between; its effects on memory are
// those of one atomic step, its times are the core's own.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_HPU_H
#define SPINC_RUNTIME_SIM_HPU_H

#include "runtime/abi/pspin.h"
#include "runtime/isa/Timing.h"
#include "runtime/sim/Core.h"
#include "runtime/sim/Regions.h"
#include "runtime/sim/Task.h"
#include <algorithm>
#include <array>

namespace spinc::sim {

class Card;

/// How a handler ended.
struct HandlerRun {
  uint64_t cycles = 0;
  uint64_t wait = 0;
  uint64_t instructions = 0;
  uint64_t begin = 0; // when its first instruction began
  uint32_t code = 0;  // a0, if it returned
  bool faulted = false;
};

/// Sums over the runs of a handler, or the counters of a core.
using Stalls = std::array<uint64_t, SPINSIM_STALLS>;

/// Times at which a task's end is felt outside.
struct TaskEnd {
  uint64_t doorbell = 0; // the HPU is through with it
  uint64_t feedback = 0; // its commands are done too
};

class Hpu : public Bus {
public:
  Hpu(Card &card, Program &program, Translator *translator, unsigned cluster,
      unsigned index);

  /// Runs start-up code until the core asks for its first task. Returns false
  /// if it does not get there; the card's error says why.
  bool boot();
  /// Takes a task that is there at `time`.
  void begin(const Task &task, uint64_t time);
  enum class Progress : uint8_t {
    Ended,   // waits for its next task; finish() says when
    Working, // at now(), which is about `until`, or before a shared access
    Failed,  // the runtime around the handler; the card's error says why
  };
  /// Works on the task until about that time.
  Progress proceed(uint64_t until = UINT64_MAX);
  TaskEnd finish();
  /// The feedback of the task before has left the HPU.
  void feedbackTaken(uint64_t time) {
    feedbackLeft = std::max(feedbackLeft, time);
  }
  /// Makes own L1 a shared thing.
  void useBanks(Banks &banks) { core.banks = &banks; }
  uint32_t pc() const { return core.pc; }
  /// Sets the clock to 0, after start-up.
  void resetClock() { core.clockBase = -int64_t(core.cycles + core.wait); }

  BusResult load(Core &core, uint32_t address, unsigned size,
                 uint32_t &value) override;
  BusResult store(Core &core, uint32_t address, unsigned size,
                  uint32_t value) override;
  BusResult atomic(Core &core, uint32_t address, bool reserves,
                   uint8_t *&word) override;

  // For debuggers.
  Core &state() { return core; }
  const Task *currentTask() const { return running ? task : nullptr; }
  bool isInHandler() const { return inHandler; }
  uint32_t packetAddress() const { return taskRegister(PSPIN_TASK_PACKET); }
  unsigned clusterNumber() const { return cluster; }
  unsigned number() const { return index; }

  bool busy = false; // has a task, as the cluster sees it
  uint64_t instructions() const { return core.instructions; }
  uint64_t now() const { return core.now(); }
  /// Another core has written the word at `address`.
  void loseReservation(uint32_t address) {
    if (core.reserved == address)
      core.reserved = 1;
  }

private:
  void beginHandler();
  void endHandler(bool faulted);
  Stalls stalls() const;
  void faultInHandler(uint32_t cause);
  bool takeFault();
  Stop advance(uint64_t cycleLimit, uint32_t stopAt);
  std::string describeFault(uint32_t cause) const;
  bool allowed(uint32_t address, unsigned size, bool isStore) const;
  void openWindows(bool open);
  bool leavesRegions(uint32_t address, uint32_t size, bool isStore);
  bool commandLeavesRegions();
  BusResult refuse(uint32_t cause, std::string reason);
  uint8_t *memoryAt(isa::Region region, uint32_t address, unsigned size) const;
  void charge(isa::Region region, isa::Access access);
  void chargeAgain(isa::Region region, isa::Access access);
  bool yields();
  void breakReservations(uint32_t address);
  void waitForOthers(isa::Region region, isa::Access access, uint32_t address);
  void waitUntil(uint64_t time);
  BusResult loadDriver(uint32_t offset, unsigned size, uint32_t &value);
  BusResult storeDriver(uint32_t offset, unsigned size, uint32_t value);
  uint32_t taskRegister(uint32_t offset) const;
  BusResult ringDoorbell();
  BusResult issueCommand(uint32_t &id);
  BusResult loadDma(uint32_t offset, uint32_t &value);

  Card &card;
  Program &program;
  const bool isWatched; // what it does may be to be told
  unsigned cluster, index;
  Core core;

  const Task *task = nullptr;
  bool running = false; // driver state: task present, doorbell not rung
  bool inHandler = false;
  bool yielded = false;      // the bus let others go first
  uint32_t stopAt = 1;       // entry of the handler, or where it returns to
  uint64_t runtimeStart = 0; // cycles when the runtime began
  HandlerRun atStart;        // counters when the handler began
  Stalls stallsAtStart = {};
  uint64_t doorbell = 0;
  uint64_t feedbackLeft = 0; // of the task before, as far as it is known

  uint32_t commandInfo = 0;
  uint32_t commandWords[PSPIN_CMD_WORDS] = {};
  uint64_t commandDone[PSPIN_COMMANDS_PER_HPU] = {};
  uint32_t commandNumber = 0; // the last one that was told
  uint32_t dmaSource = 0, dmaDestination = 0, dmaSize = 0;
  uint64_t dmaDone = 0;

  std::string faultReason; // of the access that just failed
  Regions regions;         // of the handler that runs, if they are checked
  uint32_t faultCause = 0; // replaces the access fault's own, if not 0
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_HPU_H
