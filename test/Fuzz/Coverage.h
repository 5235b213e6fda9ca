// Which constructs of the language random programs use: a construct that no
// accepted program has any more is a hole in the proof.
#ifndef SPINC_TEST_FUZZ_COVERAGE_H
#define SPINC_TEST_FUZZ_COVERAGE_H

#include "test/Fuzz/Program.h"

namespace spinc::fuzz {

struct Construct {
  const char *name;
  /// A regular expression for a line of the typed AST's dump.
  const char *line;
};

llvm::ArrayRef<Construct> constructs();

/// Numbers of the constructs that `program` uses.
std::vector<unsigned> constructsIn(const Program &program);

} // namespace spinc::fuzz

#endif // SPINC_TEST_FUZZ_COVERAGE_H
