// What CountLoops.cpp and HardwareLoops.cpp agree on: loops that count down.
#ifndef SPINC_COMPILER_BACKEND_LOOPCOUNT_H
#define SPINC_COMPILER_BACKEND_LOOPCOUNT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace spinc::backend {

/// The inline assembly that counts a loop down by one. LLVM does not look into
/// it, so no pass folds the counter into another variable of the loop.
constexpr llvm::StringLiteral countStep = "addi $0, $0, -1 # loop count";

/// Lets loops with a known number of turns end by a counter that reaches 0:
/// what a hardware loop needs, and right without one.
class CountLoops : public llvm::PassInfoMixin<CountLoops> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_LOOPCOUNT_H
