// Whether the project's passes over machine code keep what a function does:
// the check of each compilation that they are right, apart from all of them.
//
// What a block does is a value for each register and one for everything else
// that it changes, as terms over what they were at its start: an addition of a
// number moves a value's offset, equal terms are one term. So it matters to
// nobody in which order a block computes what does not depend on each other,
// but each load stays between the stores that it was between.
//
// The new function does what the old one did if, from the entry on, each
// register of the new one is some known distance off from one of the old one,
// or nothing is known of it, and each block then changes memory, branches and
// returns as the old one. Distances are found along the ways through the
// function: a pointer may start elsewhere if all uses make up for it. The count
// of a hardware loop is a register, related to the counter that it replaces.
//
// The time that it takes grows with the size of the function, times the number
// of changes of what is known at the start of a block: once or twice.
#ifndef SPINC_COMPILER_BACKEND_MACHINEMEANING_H
#define SPINC_COMPILER_BACKEND_MACHINEMEANING_H

#include <memory>
#include <string>

namespace llvm {
class MachineFunction;
class MachineFunctionPass;
} // namespace llvm

namespace spinc::backend {

class MachineMeaning {
public:
  MachineMeaning();
  ~MachineMeaning();

  /// Notes what `function` does.
  void remember(llvm::MachineFunction &function);

  /// What the remembered function does otherwise by now; empty if nothing.
  std::string difference(llvm::MachineFunction &function);

private:
  struct Function;
  std::unique_ptr<Function> before;
};

/// In front of the passes on trial. `meaning` outlives both.
llvm::MachineFunctionPass *createRememberMeaning(MachineMeaning &meaning);

/// Behind them; sets `error` at the first function that they have changed.
llvm::MachineFunctionPass *createCompareMeaning(MachineMeaning &meaning,
                                                std::string &error);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_MACHINEMEANING_H
