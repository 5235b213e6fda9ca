// What the header handler leaves in plain fields, for the handlers behind it.
#ifndef SPINC_DIALECT_SPIN_CERTIFY_STATECLAIMS_H
#define SPINC_DIALECT_SPIN_CERTIFY_STATECLAIMS_H

#include "dialect/Spin/Certify/Search.h"

namespace spinc::spin::certify {

/// Claims about the plain fields that `header` stores and later handlers load,
/// as `spin.claims` spells them: each holds wherever the handler ends. With
/// `relations` also those between two fields, parameters or host regions. The
/// loops of the handler have their invariants already.
std::vector<std::string> stateClaims(HandlerOp header, bool relations);

} // namespace spinc::spin::certify

#endif // SPINC_DIALECT_SPIN_CERTIFY_STATECLAIMS_H
