// The project's own passes over machine code. They run last, between LLVM's
// machine passes and the printer, so what they see is what is emitted.
#ifndef SPINC_COMPILER_BACKEND_MACHINEPASSES_H
#define SPINC_COMPILER_BACKEND_MACHINEPASSES_H

#include "compiler/Backend/Codegen.h"

namespace llvm {
class MachineBasicBlock;
class MachineFunctionPass;
class MachineInstr;
class Register;
class TargetRegisterInfo;
} // namespace llvm

namespace spinc::backend {

/// The text of an inline assembly; empty for other instructions.
llvm::StringRef assemblyOf(const llvm::MachineInstr &instr);

/// The number of the loop that an inline assembly marks, if it is a marker.
std::optional<int64_t> markerId(llvm::StringRef assembly);

/// A loop marker: no instruction of its own.
bool isMarker(const llvm::MachineInstr &instr);

/// Becomes at least one instruction of the image.
bool isReal(const llvm::MachineInstr &instr);

/// Reads or writes `reg`.
bool touches(const llvm::MachineInstr &instr, llvm::Register reg,
             const llvm::TargetRegisterInfo &registers);

/// Whether `reg` may be read before it is written, from the start of `block`.
bool isRead(llvm::MachineBasicBlock &block, llvm::Register reg,
            const llvm::TargetRegisterInfo &registers);

/// Lets the last access through a pointer of a loop take over the pointer's
/// step: an access with post-increment costs no more than one without.
llvm::MachineFunctionPass *createFoldIncrements();

/// Puts independent instructions between loads and what waits for them.
llvm::MachineFunctionPass *createFillLoadSlots();

/// Makes sure that each loop marker stands right before a real instruction of
/// its own block. The marker's address then names an instruction that runs
/// exactly as often as the marker.
llvm::MachineFunctionPass *createAnchorLoopMarkers();

/// Keeps blocks that are only jumped to off the places where that costs more.
llvm::MachineFunctionPass *createAlignTargets();

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
