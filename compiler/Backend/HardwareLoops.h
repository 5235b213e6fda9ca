// Hardware loops: zero cycles for the way back. What the core asks of them is
// in HwLoopRules; docs/code-generation.md tells why each loop that is made
// obeys.
#ifndef SPINC_COMPILER_BACKEND_HARDWARELOOPS_H
#define SPINC_COMPILER_BACKEND_HARDWARELOOPS_H

#include "compiler/Backend/HwLoopNotes.h"

namespace llvm {
class MachineFunctionPass;
} // namespace llvm

namespace spinc::backend {

struct HwLoopRules {
  /// Loops within each other.
  unsigned levels;
  /// Instructions of a body.
  unsigned leastBody;
  /// Bytes from the set-up to the last instruction: with the count in a
  /// register, and with a constant count.
  unsigned reach, shortReach;
  unsigned mostTurns;
  /// Instructions from the last one of a body to that of the body around it.
  unsigned leastBetweenEnds;
  /// Whether bodies may hold branches, calls and instructions of 16 bits.
  bool isFree;
};

/// RI5CY: the end is the address of the body's last instruction, in units of
/// two bytes.
constexpr HwLoopRules pspinHwLoops = {2,     2, 0xfff * 2, 0x1f * 2,
                                      0xfff, 1, true};

/// CV32E40P: the end is the address behind the body's last instruction, in
/// units of four bytes, for everything in a body is 32 bits long.
constexpr HwLoopRules corevHwLoops = {2,     3, 0xffe * 4, 0x1e * 4,
                                      0xfff, 2, false};

constexpr const HwLoopRules &hwLoopRules(isa::InstructionSet set) {
  return set == isa::InstructionSet::Pspin ? pspinHwLoops : corevHwLoops;
}

/// Turns loops that count down (LoopCount.h) into hardware loops where the
/// rules hold; others stay as they are. Runs on final code: behind it only
/// branches are stretched. `notes` outlives the pass.
llvm::MachineFunctionPass *createHardwareLoops(const HwLoopRules &rules,
                                               HwLoopNotes &notes);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_HARDWARELOOPS_H
