// What one instruction does to the abstract state of the core, and what it
// costs there. Costs come from runtime/isa/Timing.h; this file only decides
// which row applies when the state leaves several open: the dearest.
#ifndef SPINC_COMPILER_WCET_MACHINE_H
#define SPINC_COMPILER_WCET_MACHINE_H

#include "compiler/Wcet/FlowGraph.h"
#include "compiler/Wcet/Values.h"

namespace spinc::wcet {

/// An address as a value that is not known and a distance from it; value 0:
/// nothing is known.
struct Base {
  uint32_t value = 0;
  uint32_t distance = 0;
};

/// Which addresses of one block are how far from each other.
class BaseTracker {
public:
  /// Registers hold anything.
  void startBlock();
  Base addressOf(const isa::Insn &insn) const;
  void execute(const isa::Insn &insn);
  /// How far each run of the block, up to here, takes the value that an address
  /// began with; nothing if it is not of a register at the block's begin.
  std::optional<uint32_t> stepOf(const Base &base) const;

private:
  std::array<Base, 32> regs;
  uint32_t last = 0, begin = 0;
};

/// What an access may touch.
struct AccessInfo {
  bool exists = false;
  Region region = Region::Unmapped; ///< Unmapped: anything
  bool mayBeOwnL1 = true;
  bool crossesWord = false;        ///< perhaps
  bool otherCluster = false;       ///< any cluster's L1, its wait apart
  bool assumedHome = false;        ///< home's L1, taken as the own one
  bool assumedInside = false;      ///< region known by pointer arithmetic
  std::optional<uint32_t> address; ///< if fixed
  /// Of the bits of its address that name a bank: those known to be 0, to be 1.
  uint32_t bankZeros = 0, bankOnes = 0;
  Base base;
};

/// The address operand of a memory access, in the state before it.
Value accessAddress(const isa::Insn &insn, const MachineState &state);
AccessInfo classifyAccess(const isa::Insn &insn, const MachineState &state);

/// Cycles of an instruction in the state before it, without stalls against
/// its neighbours and without what being taken adds.
int64_t instructionCost(const isa::Insn &insn, const AccessInfo &access,
                        const MachineState &state);

/// Cycles `second` waits right after `first`; the accesses are theirs.
int64_t stallCost(const isa::Insn &first, const AccessInfo &firstAccess,
                  const isa::Insn &second, const AccessInfo &secondAccess);

/// Of so many runs of a block in a row how often an access waits for the bank
/// of the atomic right before it, at most.
struct StallRate {
  int64_t times = 1, runs = 1;
};
/// Where the distance of an atomic and of the access behind it changes by
/// `step` each run; nothing if it may be one bank each time.
std::optional<StallRate> bankStallRate(const AccessInfo &next, uint32_t step);

/// Applies the instruction to the state; control flow is not its matter.
void execute(const Site &site, MachineState &state);

} // namespace spinc::wcet

#endif // SPINC_COMPILER_WCET_MACHINE_H
