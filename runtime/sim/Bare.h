//===- Bare.h - One core without a card -----------------------------------===//
//
// Runs a plain RV32 executable on one core whose memory is all as fast as own
// L1: for instruction suites and benchmarks from elsewhere, and for the
// differential and timing tests.
//
// A program gets its arguments on the stack as from Linux, runs in user mode,
// prints with write (a7 = 64) and ends with exit (a7 = 93). One that has a
// symbol `tohost` starts in machine mode, takes its own traps once it has set
// mtvec, and ends with a store to it: 1 for success, 2 * n + 1 for status n.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_BARE_H
#define SPINC_RUNTIME_SIM_BARE_H

#include "runtime/sim/Engine.h"
#include "runtime/sim/Image.h"

namespace spinc::sim {

struct BareOptions {
  EngineChoice engine;
  isa::InstructionSet set = isa::InstructionSet::Pspin;
  uint64_t maxCycles = 10000000000;
  /// At most the block in which it is reached longer. With the functional
  /// engine the only limit.
  uint64_t maxInstructions = ~0ull;
  std::vector<std::string> arguments; // from the program's name on
  std::string *trace = nullptr;       // gets a line per instruction
};

struct BareResult {
  bool exited = false; // else `error` says what ended the program
  int status = 0;
  uint64_t cycles = 0; // 0 if no time is kept
  uint64_t instructions = 0;
  uint64_t regions = 0; // translated
  std::string error;
};

/// Output of the program goes to `output`, as it is.
BareResult runBare(const Image &image, const BareOptions &options,
                   std::string &output);

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_BARE_H
