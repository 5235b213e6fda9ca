// How a bound makes use of totals that loops share. The longest path is
// searched loop by loop, so that a limit on several loops together is not seen;
// it is brought in as a price. With a price of y cycles for each unit of the
// limit,
//
//   sum of cost * rounds <= sum of (cost - y * weight) * rounds + y * limit
//
// for any y >= 0: each run of a marker is y * weight cheaper, and y * limit
// cycles are charged once. A loop whose rounds cost nothing any more is left to
// the limit; the rounds of the others are bounded as ever. Each price gives a
// bound, and the smallest one counts.
#ifndef SPINC_COMPILER_WCET_SHARING_H
#define SPINC_COMPILER_WCET_SHARING_H

#include "compiler/Wcet/PathSolver.h"

namespace spinc::wcet {

/// The loops as they are searched, and what is charged for that once.
struct Sharing {
  LoopTable loops;
  SymbolicCount charge = 0;
};

/// A bound under `sharing`: its largest value, and the cycles of the longest
/// iteration of each loop by id.
struct Trial {
  int64_t worst = 0;
  std::map<int64_t, int64_t> perIteration;
};
using TryOut = std::function<std::optional<Trial>(const Sharing &sharing)>;

/// The best use of the totals of one handler; none of them in the worst case.
Sharing chooseSharing(const LoopTable &loops,
                      llvm::ArrayRef<SharedTotal> totals, const TryOut &tryOut);

} // namespace spinc::wcet

#endif // SPINC_COMPILER_WCET_SHARING_H
