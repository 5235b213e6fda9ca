// Ways to take away what makes a program right, one guard at a time.
#ifndef SPINC_TEST_FUZZ_MUTATIONS_H
#define SPINC_TEST_FUZZ_MUTATIONS_H

#include "compiler/AST/Ast.h"
#include <string>
#include <vector>

namespace spinc::fuzz {

/// A replacement in the text of one file.
struct Mutation {
  std::string what; // "if: condition dropped"
  uint32_t begin = 0, end = 0;
  std::string text;
  unsigned line = 0;
  std::string inside; // the function, header or context

  std::string apply(llvm::StringRef source) const;
};

/// Every guard of a parsed file deleted or weakened: conditions of `if`,
/// `while`, `require`, `where` and `contract`, masks, remainders, ends of loops
/// and slices by one, bound(n) by one, budgets by half.
std::vector<Mutation> mutationsOf(const ast::Program &program);

} // namespace spinc::fuzz

#endif // SPINC_TEST_FUZZ_MUTATIONS_H
