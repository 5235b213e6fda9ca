// Hardware loops: zero cycles for the way back. What the core asks of them is
// in HwLoopRules; docs/code-generation.md tells why each loop that is made
// obeys.
#ifndef SPINC_COMPILER_BACKEND_HARDWARELOOPS_H
#define SPINC_COMPILER_BACKEND_HARDWARELOOPS_H

#include <cstdint>

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
};

/// RI5CY: the end is the address of the body's last instruction, in units of
/// two bytes.
constexpr HwLoopRules pspinHwLoops = {2, 2, 0xfff * 2, 0x1f * 2, 0xfff};

/// Turns loops that count down (LoopCount.h) into hardware loops where the
/// rules hold; others stay as they are. Runs on final code: behind it only
/// branches are stretched.
llvm::MachineFunctionPass *createHardwareLoops();

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_HARDWARELOOPS_H
