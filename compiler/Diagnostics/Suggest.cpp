// Spelling suggestions by edit distance.
#include "compiler/Diagnostics/Suggest.h"

namespace spinc {

std::optional<llvm::StringRef>
suggest(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> candidates) {
  unsigned limit = word.size() <= 3 ? 1 : 2;
  std::optional<llvm::StringRef> best;
  for (llvm::StringRef candidate : candidates) {
    unsigned distance = word.edit_distance(candidate, true, limit);
    if (distance == 0 || distance > limit)
      continue;
    best = candidate;
    if (distance == 1)
      break;
    limit = distance - 1;
  }
  return best;
}

} // namespace spinc
