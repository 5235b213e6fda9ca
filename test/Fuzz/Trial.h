// One program through everything: compiled at each level, run, compared.
#ifndef SPINC_TEST_FUZZ_TRIAL_H
#define SPINC_TEST_FUZZ_TRIAL_H

#include "test/Fuzz/Compare.h"

namespace spinc::fuzz {

struct TrialOptions {
  std::string executable;
  std::vector<std::string> importDirs;
  std::vector<unsigned> levels = {0, 1, 2, 3};
  /// What the compiler leaves out (`--disable`).
  backend::Ablations disabled;
  /// One of so many programs is also made with -Os, another one also for the
  /// other cores. 0: none.
  unsigned othersEvery = 0;
  unsigned packets = 10;
  /// Runs of each image, each with parameters and packets of its own.
  unsigned inputSets = 1;
  /// More runs of each context of an image, held against the bound only.
  uint64_t boundRuns = 0;
  /// Bytes before the handlers (BoundRuns.h).
  unsigned codeOffset = 0;
  bool countConstructs = false;
};

struct TrialResult {
  Verdict verdict = Verdict::RejectedBySema;
  std::string errorCode;
  /// The program was rejected, and the reference breaks a rule on it.
  bool rejectionShown = false;
  unsigned images = 0;
  /// Of an accepted program (Coverage.h).
  std::vector<unsigned> constructs;
  Counts counts;
  Failure failure;
};

/// `seed` chooses packets and parameters.
TrialResult tryProgram(const std::string &text, uint64_t seed,
                       const TrialOptions &options);

/// A smaller program that `fails` in the same way: parts are taken out of
/// `text` as long as it does.
std::string
shrink(std::string text, const TrialOptions &options,
       llvm::function_ref<bool(const std::string &candidate)> fails);

} // namespace spinc::fuzz

#endif // SPINC_TEST_FUZZ_TRIAL_H
