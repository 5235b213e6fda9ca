// Which constructs of the language random programs use, and which passes have
// something to do in them: what no accepted program has any more is a hole in
// the proof.
#ifndef SPINC_TEST_FUZZ_COVERAGE_H
#define SPINC_TEST_FUZZ_COVERAGE_H

#include "test/Fuzz/Program.h"

namespace spinc::fuzz {

struct Construct {
  /// A pass over the spin dialect goes by its own name.
  const char *name;
  /// A regular expression for a line of the typed AST's dump; null for a pass,
  /// which counts where it changes the program.
  const char *line;
};

llvm::ArrayRef<Construct> constructs();

/// Numbers of the constructs that `program` uses.
std::vector<unsigned> constructsIn(const Program &program);

} // namespace spinc::fuzz

#endif // SPINC_TEST_FUZZ_COVERAGE_H
