// What CountLoops.cpp and HardwareLoops.cpp agree on: loops that count down.
#ifndef SPINC_COMPILER_BACKEND_LOOPCOUNT_H
#define SPINC_COMPILER_BACKEND_LOOPCOUNT_H

#include "compiler/Backend/HardwareLoops.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace spinc::backend {

/// The inline assembly that counts a loop down by one. LLVM does not look into
/// it, so no pass folds the counter into another variable of the loop.
constexpr llvm::StringLiteral countStep = "addi $0, $0, -1 # loop count";

/// Lets loops with a known number of turns end by a counter that reaches 0:
/// what a hardware loop needs, and right without one. A function with one has
/// no instructions of 16 bits if bodies may not. Notes why others do not.
class CountLoops : public llvm::PassInfoMixin<CountLoops> {
public:
  CountLoops(const HwLoopRules &rules, HwLoopNotes &notes)
      : rules(rules), notes(notes) {}
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);

private:
  const HwLoopRules &rules;
  HwLoopNotes &notes;
};

/// Reasons that both find.
constexpr llvm::StringLiteral tooDeep = "the loops within it take all levels",
                              callsFunction =
                                  "it calls a function, which may have some",
                              isNotStraight = "its body has branches or calls";

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_LOOPCOUNT_H
