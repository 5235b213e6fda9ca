// What the report says of the checks of a handler.
#ifndef SPINC_COMPILER_BACKEND_HANDLERCHECKS_H
#define SPINC_COMPILER_BACKEND_HANDLERCHECKS_H

#include "compiler/Sema/Info.h"
#include "compiler/Wcet/Checks.h"
#include "dialect/Spin/IR/SpinDialect.h"

namespace spinc::backend {

/// msg-1: what the card sees to in a portals context.
inline constexpr llvm::StringLiteral kMessageLaw =
    "p.offset + p.length <= m.length";

/// `handler` is proved and optimised: what was shown to hold is not checked at
/// run time.
HandlerChecks collectChecks(spin::HandlerOp handler,
                            const sema::ContextInfo &context);

/// The same of a function that is compiled by itself.
HandlerChecks collectChecks(spin::HandlerOp function);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_HANDLERCHECKS_H
