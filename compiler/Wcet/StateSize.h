// How much of the card's memories the state of a program takes, as all forms of
// the report say it.
#ifndef SPINC_COMPILER_WCET_STATESIZE_H
#define SPINC_COMPILER_WCET_STATESIZE_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace spinc {

struct StateSize {
  unsigned l1Bytes = 0; ///< of each cluster
  unsigned l2Bytes = 0;
  /// "Context.field": in L2, for want of room in L1 (sta-6).
  std::vector<std::string> movedToL2;

  bool isEmpty() const { return l1Bytes + l2Bytes == 0; }
};

/// "96 of 965632 bytes of each L1, 0 of 1048576 of L2".
std::string stateSizeText(const StateSize &size);

/// Nothing where there is no state.
void printStateSize(llvm::raw_ostream &out, const StateSize &size);

llvm::json::Object stateSizeToJSON(const StateSize &size);

} // namespace spinc

#endif // SPINC_COMPILER_WCET_STATESIZE_H
