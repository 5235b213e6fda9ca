// What a header handler decides about its message (hdl-9).
#ifndef SPINC_IRGEN_VERDICT_H
#define SPINC_IRGEN_VERDICT_H

#include "dialect/Spin/IR/SpinDialect.h"

namespace spinc::irgen {

/// Lets the other handlers of `context` do nothing for messages that the header
/// handler dropped. All handlers have their bodies.
void addVerdict(spin::ContextOp context);

} // namespace spinc::irgen

#endif // SPINC_IRGEN_VERDICT_H
