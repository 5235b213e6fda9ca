// LLVM IR to RISC-V in this process: the machine, the optimiser with the
// switches that cycle analysis needs, and the emission of assembly or object
// code. Assumes a module whose loops carry spin loop markers (spin-mark-loops)
// and whose functions are all in this module or in the device runtime.
#ifndef SPINC_COMPILER_BACKEND_CODEGEN_H
#define SPINC_COMPILER_BACKEND_CODEGEN_H

#include "compiler/Backend/Ablations.h"
#include "compiler/Wcet/Wcet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>

namespace llvm {
class MachineFunctionPass;
class Module;
class TargetMachine;
} // namespace llvm

namespace spinc::backend {

struct CodegenOptions {
  /// 0 to 3.
  unsigned optLevel = 2;
  /// Small code counts more than fast code.
  bool forSize = false;
  isa::InstructionSet target = isa::InstructionSet::Pspin;
  Ablations disabled;
};

/// The core of a PsPIN HPU as LLVM knows it. XCV stands for Xpulp until the
/// image is re-encoded (Reencode.h).
std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const CodegenOptions &options);

/// Gives the module the machine's triple and layout, and its functions the
/// attributes that keep constants out of slow memory and calls out of
/// libraries. First thing to do with a module.
void prepareModule(llvm::Module &module, llvm::TargetMachine &machine);

/// What was tried on loops after the spin dialect, by the ids of their markers.
using LoopAttempts = std::vector<std::pair<int64_t, LoopAttempt>>;

/// Optimises without unrolling, vectorising or forming library calls: those
/// are decided in the spin dialect, where bounds are known.
LoopAttempts optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                            const CodegenOptions &options);

/// Bytes of stack that each function takes with all it calls, by name.
/// Missing: a function that calls what this module does not define.
using StackDepths = llvm::StringMap<uint64_t>;

enum class CodeForm { Assembly, Object };

struct Code {
  llvm::SmallVector<char, 0> bytes;
  StackDepths stack;
  LoopAttempts attempts;
};

/// Selects instructions and writes them out. Consumes the module's IR. An error
/// if a pass of the project has changed what a function does; `onTrial` is one
/// more of them.
llvm::Expected<Code> emitCode(llvm::Module &module,
                              llvm::TargetMachine &machine,
                              const CodegenOptions &options, CodeForm form,
                              llvm::MachineFunctionPass *onTrial = nullptr);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_CODEGEN_H
