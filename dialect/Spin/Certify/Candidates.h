// Guesses about loops, in the form in which `spin.claims` states them. All are
// tried; none is trusted.
#ifndef SPINC_DIALECT_SPIN_CERTIFY_CANDIDATES_H
#define SPINC_DIALECT_SPIN_CERTIFY_CANDIDATES_H

#include "dialect/Spin/Certify/Search.h"

namespace spinc::spin::certify {

/// Relations that may hold between the variables of a loop, what they start
/// from and what they are compared with.
std::vector<std::string> candidates(mlir::Operation *loop, SearchFacts &facts);

/// Those that tell how fast variables grow, seen from the end of an iteration.
std::vector<std::string> candidatesAtEnd(mlir::Operation *loop,
                                         SearchFacts &facts);

/// Expressions that are positive where the condition of a loop holds and may
/// fall with each iteration.
std::vector<std::string> measureCandidates(mlir::Operation *loop,
                                           SearchFacts &facts);

} // namespace spinc::spin::certify

#endif // SPINC_DIALECT_SPIN_CERTIFY_CANDIDATES_H
