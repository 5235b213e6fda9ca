// Unrolling driven by the budget: what no budget asks for is unrolled by the
// rules of spin-unroll-loops. Where handlers miss their budgets of cycles and
// nothing else is wrong, the program is compiled again with other numbers of
// iterations per turn for them, and the first code that keeps all budgets and
// stays in the instruction cache is taken. Only programs that would be refused
// take that time.
#ifndef SPINC_COMPILER_DRIVER_BUDGETUNROLLING_H
#define SPINC_COMPILER_DRIVER_BUDGETUNROLLING_H

#include "compiler/Driver/Compilation.h"

namespace spinc::driver {

/// `usual` has come to its bounds, which `toBounds` runs the stages to; false
/// from there is the end of a compilation. Returns a compilation that has come
/// to its bounds and keeps all budgets, or else `usual`, which then tells what
/// was tried.
std::unique_ptr<Compilation>
unrollForBudgets(std::unique_ptr<Compilation> usual, const Options &options,
                 llvm::StringRef executable,
                 llvm::function_ref<bool(Compilation &)> toBounds);

} // namespace spinc::driver

#endif // SPINC_COMPILER_DRIVER_BUDGETUNROLLING_H
