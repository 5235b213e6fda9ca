// The project's own passes over machine code. They run last, between LLVM's
// machine passes and the printer, so what they see is what is emitted.
#ifndef SPINC_COMPILER_BACKEND_MACHINEPASSES_H
#define SPINC_COMPILER_BACKEND_MACHINEPASSES_H

#include "compiler/Backend/Codegen.h"

namespace llvm {
class MachineFunctionPass;
} // namespace llvm

namespace spinc::backend {

/// Makes sure that each loop marker stands right before a real instruction of
/// its own block. The marker's address then names an instruction that runs
/// exactly as often as the marker.
llvm::MachineFunctionPass *createAnchorLoopMarkers();

/// Frame of each function and the functions it calls.
struct FrameInfo {
  uint64_t bytes = 0;
  bool callsUnknown = false;
  llvm::SmallVector<std::string> callees;
};
using FrameTable = llvm::StringMap<FrameInfo>;

/// Notes the frame of every function in `frames`, which outlives the pass.
llvm::MachineFunctionPass *createCollectFrames(FrameTable &frames);

/// Adds up frames along calls. Recursion and unknown callees have no depth.
StackDepths stackDepths(const FrameTable &frames);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_MACHINEPASSES_H
