// How many commands a handler issues at most, for budget(commands <= n): read
// off its structured control flow, where each loop has its bound.
#ifndef SPINC_COMPILER_BACKEND_COMMANDCOUNTS_H
#define SPINC_COMPILER_BACKEND_COMMANDCOUNTS_H

#include "compiler/Wcet/Wcet.h"
#include "dialect/Spin/IR/SpinDialect.h"

namespace spinc::backend {

/// The number of commands is at most the maximum of these. `op` is optimised:
/// its loops are marked, and `loops` has the bound of each mark. Nothing if a
/// quantity in `bounds` has no range, or a count leaves 64 bits.
std::optional<std::vector<SymbolicCount>>
countCommands(spin::HandlerOp op, llvm::ArrayRef<LoopSpec> loops,
              const SymbolRanges &ranges);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_COMMANDCOUNTS_H
