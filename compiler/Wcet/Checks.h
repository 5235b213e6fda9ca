// What a handler relies on and where it is checked: when it is compiled, when
// its context is installed, and for each packet. There are no other checks.
#ifndef SPINC_COMPILER_WCET_CHECKS_H
#define SPINC_COMPILER_WCET_CHECKS_H

#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace spinc {

/// A condition as written, or what is checked in words.
struct Check {
  std::string text;
  int64_t line = 0; ///< 0: not in the source
};

/// The conditions on which the proofs rely, by where they are checked (bnd-14).
struct HandlerChecks {
  /// Operations shown to be safe at compile time.
  unsigned proved = 0;
  /// `where` and `contract`: the generated host code.
  std::vector<Check> atInstallation;
  /// What the card does before the handler runs.
  std::vector<Check> byTheCard;
  /// Compiled into the handler; its cycles are part of the bound.
  std::vector<Check> atRunTime;
};

void printChecks(llvm::raw_ostream &out, const HandlerChecks &checks);
llvm::json::Object toJSON(const HandlerChecks &checks);

} // namespace spinc

#endif // SPINC_COMPILER_WCET_CHECKS_H
