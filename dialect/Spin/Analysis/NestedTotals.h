// The rounds of an inner loop over all rounds of the loop around it, where they
// are no more than arithmetic on the outer index: `for (i : 0..64)` with
// `for (j : 0..i)` in it. The bounds of the two loops, multiplied, take the
// longest stay for each.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_NESTEDTOTALS_H
#define SPINC_DIALECT_SPIN_ANALYSIS_NESTEDTOTALS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>

namespace spinc::spin {

/// What the rounds of `inner` that begin in one run of the handler add up to at
/// most, if that is less than the bounds of the two loops multiply to. Both
/// have their `spin.bound`.
std::optional<int64_t> sumRounds(mlir::scf::ForOp inner);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_NESTEDTOTALS_H
