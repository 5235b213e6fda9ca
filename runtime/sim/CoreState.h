//===- CoreState.h - What the engines of a core share ---------------------===//
//
// The state of a core that both the interpreter and translated code work on.
// Plain data: translated code knows its layout.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_CORESTATE_H
#define SPINC_RUNTIME_SIM_CORESTATE_H

#include <cstdint>

namespace spinc::sim {

/// Memory that the core reaches directly, at full speed. Both windows of a
/// core are always valid, and at least `smallestWindow` bytes.
struct Window {
  uint32_t base = 0;
  uint32_t last = 0; // largest offset of a word access
  uint8_t *data = nullptr;
};
constexpr uint32_t smallestWindow = 1 << 16;

struct HwLoop {
  uint32_t start = 0, end = 0, count = 0;
};

struct CoreState;

/// Why translated code came back. pc is where to go on.
enum class Exit : uint32_t {
  Lookup,    // nothing is known there yet
  Interpret, // the interpreter is to run the next instruction at least
  Limit,     // the limit is reached
};
using Entry = Exit (*)(CoreState *);

struct CoreState {
  uint32_t regs[33] = {};
  uint32_t pc = 0;
  uint64_t cycles = 0; // working
  uint64_t wait = 0;   // waiting for others
  uint64_t instructions = 0;
  /// Where run() stops: at so many cycles (instructions if no time is kept),
  /// or at this target of an indirect jump.
  uint64_t limit = ~0ull;
  uint32_t stopAt = 1;
  /// Lowest legal value of the stack pointer and how far above it may be; 0:
  /// unchecked.
  uint32_t stackLow = 0;
  uint32_t stackSize = 0;
  Window windows[2];      // for loads
  Window storeWindows[2]; // for stores: not where code is
  HwLoop loops[2];
  const Entry *entries = nullptr; // translated code by half-word of program
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_CORESTATE_H
