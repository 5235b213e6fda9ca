// Hands the invariants of loops that the prover found to those who write
// certificates, as the attribute `spin.claims` (docs/certificates.md).
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_LOOPCLAIMS_H
#define SPINC_DIALECT_SPIN_ANALYSIS_LOOPCLAIMS_H

#include "dialect/Spin/Analysis/HandlerFacts.h"

namespace spinc::spin {

/// Gives each loop of the walked handler the claims that can be told in terms
/// of its values. Nobody relies on them before they are checked.
void writeClaims(HandlerOp handler, HandlerFacts &facts);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_LOOPCLAIMS_H
