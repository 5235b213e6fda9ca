//===- Bare.h - One core without a card -----------------------------------===//
//
// Runs a plain RV32 executable on one core whose memory is all as fast as own
// L1: what the differential and timing tests use. The program ends with
// Linux's exit call (a7 = 93) and prints with write (a7 = 64).
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_BARE_H
#define SPINC_RUNTIME_SIM_BARE_H

#include "runtime/sim/Image.h"

namespace spinc::sim {

struct BareResult {
  bool exited = false; // else `error` says what ended the program
  int status = 0;
  uint64_t cycles = 0;
  uint64_t instructions = 0;
  std::string error;
};

/// Output of the program goes to `output`, as it is. `trace`, if not null,
/// gets a line per instruction.
BareResult runBare(const Image &image, uint64_t maxCycles, std::string &output,
                   std::string *trace);

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_BARE_H
