// Runs an image in the simulator, with every byte that a handler touches
// checked, and the typed AST in the reference interpreter, and compares.
#ifndef SPINC_TEST_FUZZ_COMPARE_H
#define SPINC_TEST_FUZZ_COMPARE_H

#include "test/Fuzz/Inputs.h"
#include "test/Fuzz/Program.h"

namespace spinc::fuzz {

/// What is wrong, in one line; the first word tells failures apart.
using Failure = std::optional<std::string>;

struct Counts {
  uint64_t runs = 0;     // of handlers
  uint64_t compared = 0; // those held against the reference
  uint64_t bounded = 0;  // those held against the bound
  uint64_t exact = 0;    // those that took as long as their bound
  uint64_t sent = 0;     // packets and messages
  uint64_t cycles = 0;   // of handlers
  /// Runs after which the reference met a construct that it does not have;
  /// what follows is held against the bound and the memory rules only.
  uint64_t notCompared = 0;
};

/// The image of `program` on `inputs`: faults, differences, broken rules of
/// the language, and bounds that are too low.
Failure compare(const Program &program, const Inputs &inputs, Counts &counts);

/// The reference alone: the first rule that a program breaks on these inputs.
std::optional<reference::Violation> violationOn(const Inputs &inputs);

} // namespace spinc::fuzz

#endif // SPINC_TEST_FUZZ_COMPARE_H
