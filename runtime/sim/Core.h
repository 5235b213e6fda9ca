//===- Core.h - One RI5CY core and the interpreter that runs it -----------===//
//
// Registers, privilege, counters and hardware loops of a core, and run(),
// which executes from the decoded program until something needs the world
// outside: with the interpreter alone, or with translated code where there is
// some. Own L1 is reached through two windows without asking anybody; every
// other address goes to the Bus. Time here is the core's own: cycles it works
// and cycles it waits.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_CORE_H
#define SPINC_RUNTIME_SIM_CORE_H

#include "runtime/sim/CoreState.h"
#include "runtime/sim/Program.h"

namespace spinc::sim {

class Core;

enum class BusResult : uint8_t {
  Done,
  Fault,   // the core traps with a load or store access fault
  Blocked, // the access is not granted yet: run() stops before it
};

/// What lies behind addresses outside the core's windows. Adds the cycles of
/// an access beyond its first to the core.
class Bus {
public:
  virtual ~Bus() = default;
  virtual BusResult load(Core &core, uint32_t address, unsigned size,
                         uint32_t &value) = 0;
  virtual BusResult store(Core &core, uint32_t address, unsigned size,
                          uint32_t value) = 0;
  /// The word that an atomic works on; `reserves` for lr and sc, which always
  /// come here. Fault if the memory does not support it.
  virtual BusResult atomic(Core &core, uint32_t address, bool reserves,
                           uint8_t *&word) = 0;
};

enum class Stop : uint8_t {
  None,
  Trap,    // `trap` says why; pc is the instruction
  Blocked, // on the bus; running again retries the access
  Limit,   // the cycle limit is reached
  Reached, // pc is the address to stop at
  Quantum, // time is up, before an access to a shared bank
};

/// Why a core trapped. `cause` is mcause or one of the simulator's own.
struct Trap {
  uint32_t cause = 0;
  uint32_t address = 0;
};

class Translator;

/// How far the interpreter goes by itself.
enum class ExecuteMode : uint8_t {
  Run,
  Block, // until control is transferred
  Step,  // one instruction
};

class Core : public CoreState {
public:
  Core(Program &program, Bus &bus, uint32_t hartId);

  /// Lets run() use translated code. It must outlive the core.
  void useTranslator(Translator &translator);

  /// Runs until something stops it. `cycleLimit` is compared where control is
  /// transferred; `stopAt` is a pc that only indirect jumps reach (a return
  /// address), 1 for none. With an engine that keeps no time the limit is one
  /// of instructions.
  Stop run(uint64_t cycleLimit, uint32_t stopAt = 1);
  /// Executes one instruction.
  Stop step();

  /// Enters the trap handler of machine mode as the core would.
  void enterTrap(uint32_t cause, uint32_t address);

  /// Where traps go in machine mode; 0 before the program has set it.
  uint32_t trapVector() const { return mtvec; }

  bool readCsr(uint32_t number, uint32_t &value) const;
  bool writeCsr(uint32_t number, uint32_t value);

  /// Time is `clockBase` more than the cycles of the core.
  int64_t clockBase = 0;
  uint64_t now() const { return uint64_t(clockBase + int64_t(cycles + wait)); }
  /// If not null, accesses to own L1 wait for their bank, and none is made
  /// from `quantumEnd` on.
  Banks *banks = nullptr;
  uint64_t quantumEnd = ~0ull;
  /// Others may do something from here on: what clusters share is used up to
  /// this time only.
  uint64_t horizon = ~0ull;
  /// Own L1, for bank conflicts, whether or not it is behind a window.
  Window ownL1[2];
  /// Parts of `cycles` and `wait`, for reports.
  uint64_t l2Cycles = 0;
  uint64_t remoteWait = 0, portWait = 0, fetchWait = 0, commandWait = 0;
  bool userMode = false;
  bool countersInUserMode = false; // for bare programs
  Trap trap;
  /// Word that lr.w reserved, 1 for none.
  uint32_t reserved = 1;

private:
  template <ExecuteMode> friend struct Execution;
  template <ExecuteMode> Stop execute(uint64_t cycleLimit, uint32_t stopAt);
  Stop runTranslated(uint64_t limit, uint32_t stopAt);
  Stop stepReady(const Op &op);
  Stop finishLoopEnd(uint32_t endPc);
  /// The loop whose body ends at `endPc` and runs once more, which is counted;
  /// null if there is none. The inner loop (0) is asked first.
  __attribute__((always_inline)) HwLoop *nextIteration(uint32_t endPc) {
    for (HwLoop &loop : loops)
      if (loop.end == endPc && loop.count && loop.count-- > 1)
        return &loop;
    return nullptr;
  }
  Stop finishStackWrite(uint32_t writerPc);
  bool keepsTime() const;
  void setHwLoop(const Op &op);
  bool trapReturn();
  uint32_t followingPc(uint32_t at, uint32_t inLine) const;
  bool sameBankNext(uint32_t address, const Op *atomic) const;

  Program &program;
  Bus &bus;
  Translator *translator = nullptr;
  uint32_t hartId;
  uint32_t mstatus = 0, mtvec = 0, mscratch = 0, mepc = 0, mcause = 0,
           mtval = 0, countInhibit = ~0u;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_CORE_H
