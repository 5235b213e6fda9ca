// Many programs in several processes: a crash or a hang of the compiler costs
// one program, is reported, and the next one goes on.
#ifndef SPINC_TEST_FUZZ_SOAK_H
#define SPINC_TEST_FUZZ_SOAK_H

#include "test/Fuzz/Trial.h"
#include "llvm/Support/JSON.h"

namespace spinc::fuzz {

struct SoakOptions {
  TrialOptions trial;
  uint64_t firstSeed = 1;
  uint64_t count = UINT64_MAX;
  unsigned seconds = 0; // 0: until `count` is reached
  unsigned jobs = 1;
  unsigned secondsPerProgram = 20;
  std::string keep; // folder for failing programs, or empty
  bool shrinks = true;
};

/// Sums over all processes. Lives in memory that they share.
struct Totals {
  uint64_t programs, accepted, sema, prover, backEnd, shown;
  /// Of those that the prover accepts, what has no certificate (E0420).
  uint64_t uncertified;
  uint64_t images, runs, compared, bounded, exact, sent, cycles;
  /// `failures` is the sum of the five kinds: the reference says something
  /// else; a handler did not end; a bound was passed; a rule was broken by an
  /// accepted program; the compiler gave up.
  uint64_t failures, differences, faults, overBound, unsound, internal;
  uint64_t crashes, hangs;
  /// Accepted programs with each construct, if they are counted.
  uint64_t constructs[128];
};

/// Returns false if anything failed; says what on `out`.
bool soak(const SoakOptions &options, llvm::raw_ostream &out, Totals &totals);

llvm::json::Object toJson(const Totals &totals);

/// Runs `action` in a process of its own for at most `seconds`. The first line
/// that it writes, or "crash: …" or "hang: …".
std::string inProcess(llvm::function_ref<std::string()> action,
                      unsigned seconds);

} // namespace spinc::fuzz

#endif // SPINC_TEST_FUZZ_SOAK_H
