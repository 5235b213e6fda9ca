// Loop markers (bud-7) and stack depths. A marker is a volatile inline assembly
// that names the section .spin.loops; LLVM may move, copy or merge it, but runs
// it as often as the IR.
#include "compiler/Backend/MachinePasses.h"
#include "runtime/device/Frame.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;
using namespace spinc::backend;

StringRef spinc::backend::assemblyOf(const MachineInstr &instr) {
  if (!instr.isInlineAsm())
    return "";
  const MachineOperand &text = instr.getOperand(InlineAsm::MIOp_AsmString);
  return text.isSymbol() ? StringRef(text.getSymbolName()) : StringRef();
}

std::optional<int64_t> spinc::backend::markerId(StringRef assembly) {
  int64_t id;
  if (!assembly.starts_with(".Lspinloop") ||
      assembly.rsplit(", ").second.split(';').first.getAsInteger(10, id))
    return std::nullopt;
  return id;
}

bool spinc::backend::isMarker(const MachineInstr &instr) {
  return assemblyOf(instr).starts_with(".Lspinloop");
}

bool spinc::backend::isReal(const MachineInstr &instr) {
  if (instr.isInlineAsm())
    return !isMarker(instr) &&
           !assemblyOf(instr).split('#').first.trim().empty();
  return !instr.isMetaInstruction();
}

bool spinc::backend::touches(const MachineInstr &instr, Register reg,
                             const TargetRegisterInfo &registers) {
  return !instr.isDebugInstr() && (instr.readsRegister(reg, &registers) ||
                                   instr.modifiesRegister(reg, &registers));
}

bool spinc::backend::isRead(MachineBasicBlock &block, Register reg,
                            const TargetRegisterInfo &registers) {
  SmallVector<MachineBasicBlock *> work = {&block};
  SmallPtrSet<MachineBasicBlock *, 16> seen = {&block};
  while (!work.empty()) {
    MachineBasicBlock *current = work.pop_back_val();
    bool written = false;
    for (const MachineInstr &instr : *current) {
      if (instr.isDebugInstr())
        continue;
      if (instr.readsRegister(reg, &registers))
        return true;
      written = instr.modifiesRegister(reg, &registers);
      if (written)
        break;
    }
    if (written)
      continue;
    for (MachineBasicBlock *next : current->successors())
      if (seen.insert(next).second)
        work.push_back(next);
  }
  return false;
}

namespace {

class AnchorLoopMarkers : public MachineFunctionPass {
public:
  static char ID;
  AnchorLoopMarkers() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "spinc anchor loop markers"; }

  bool runOnMachineFunction(MachineFunction &function) override {
    bool changed = false;
    for (MachineBasicBlock &block : function)
      changed |= anchorBlock(block);
    return changed;
  }

private:
  /// Only markers after the last real instruction need help: they go in front
  /// of it, or in front of a new nop when the block has none.
  bool anchorBlock(MachineBasicBlock &block) {
    SmallVector<MachineInstr *> trailing;
    MachineInstr *anchor = nullptr;
    for (MachineInstr &instr : llvm::reverse(block)) {
      if (isReal(instr)) {
        anchor = &instr;
        break;
      }
      if (isMarker(instr))
        trailing.push_back(&instr);
    }
    if (trailing.empty())
      return false;
    if (!anchor) {
      appendNop(block, *trailing.front());
      return true;
    }
    for (MachineInstr *marker : trailing)
      marker->moveBefore(anchor);
    return true;
  }

  /// As inline assembly: the opcodes of RISC-V are private to LLVM.
  void appendNop(MachineBasicBlock &block, const MachineInstr &marker) {
    const TargetInstrInfo &instrs =
        *block.getParent()->getSubtarget().getInstrInfo();
    BuildMI(block, block.end(), marker.getDebugLoc(),
            instrs.get(TargetOpcode::INLINEASM))
        .addExternalSymbol("nop")
        .addImm(InlineAsm::Extra_HasSideEffects);
  }
};

char AnchorLoopMarkers::ID = 0;

/// A taken branch to a long instruction that crosses two fetch lines of 16
/// bytes costs a cycle more: those at 14 of a line. Two bytes put them on the
/// next one; in front of a loop they are run, once for all its turns.
class AlignTargets : public MachineFunctionPass {
public:
  static char ID;
  AlignTargets() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "spinc align targets"; }

  bool runOnMachineFunction(MachineFunction &function) override {
    const Align fetchLine(16);
    constexpr unsigned padding = 2;
    function.RenumberBlocks();
    for (MachineBasicBlock &block : function)
      if (!block.pred_empty() && (isJumpedToOnly(block) || startsLoop(block))) {
        block.setAlignment(fetchLine);
        block.setMaxBytesForAlignment(padding);
      }
    return true;
  }

private:
  /// Then nobody runs the padding.
  static bool isJumpedToOnly(MachineBasicBlock &block) {
    MachineBasicBlock *above = block.getPrevNode();
    return above && !above->isSuccessor(&block);
  }

  /// Hardware loops go back without a branch, and start behind their set-up.
  static bool startsLoop(MachineBasicBlock &block) {
    return llvm::any_of(block.predecessors(), [&](MachineBasicBlock *latch) {
      return latch->getNumber() >= block.getNumber() &&
             llvm::any_of(latch->terminators(), [&](const MachineInstr &last) {
               return llvm::any_of(last.operands(), [&](const auto &operand) {
                 return operand.isMBB() && operand.getMBB() == &block;
               });
             });
    });
  }
};

char AlignTargets::ID = 0;

class CollectFrames : public MachineFunctionPass {
public:
  static char ID;
  explicit CollectFrames(FrameTable &frames)
      : MachineFunctionPass(ID), frames(frames) {}
  StringRef getPassName() const override { return "spinc collect frames"; }

  bool runOnMachineFunction(MachineFunction &function) override {
    FrameInfo &frame = frames[function.getName()];
    frame.bytes = function.getFrameInfo().getStackSize();
    frame.callsUnknown = function.getFrameInfo().hasVarSizedObjects();
    for (const MachineBasicBlock &block : function)
      for (const MachineInstr &instr : block)
        if (instr.isCall())
          addCallee(instr, frame);
    return false;
  }

private:
  void addCallee(const MachineInstr &call, FrameInfo &frame) {
    for (const MachineOperand &operand : call.operands()) {
      if (operand.isGlobal())
        return frame.callees.push_back(operand.getGlobal()->getName().str());
      if (operand.isSymbol())
        return frame.callees.push_back(operand.getSymbolName());
    }
    frame.callsUnknown = true;
  }

  FrameTable &frames;
};

char CollectFrames::ID = 0;

/// Depth of `name`, or nothing. `active` are the functions being added up.
std::optional<uint64_t> depthOf(StringRef name, const FrameTable &frames,
                                StackDepths &done,
                                SmallVectorImpl<StringRef> &active) {
  auto known = done.find(name);
  if (known != done.end())
    return known->second;
  auto frame = frames.find(name);
  if (frame == frames.end() || frame->second.callsUnknown ||
      is_contained(active, name))
    return std::nullopt;
  active.push_back(frame->first());
  uint64_t deepest = 0;
  for (const std::string &callee : frame->second.callees) {
    std::optional<uint64_t> depth = depthOf(callee, frames, done, active);
    if (!depth)
      return std::nullopt;
    deepest = std::max(deepest, *depth);
  }
  active.pop_back();
  uint64_t total = frame->second.bytes + deepest;
  done[name] = total;
  return total;
}

} // namespace

MachineFunctionPass *spinc::backend::createAnchorLoopMarkers() {
  return new AnchorLoopMarkers();
}

MachineFunctionPass *spinc::backend::createAlignTargets() {
  return new AlignTargets();
}

MachineFunctionPass *spinc::backend::createCollectFrames(FrameTable &frames) {
  return new CollectFrames(frames);
}

StackDepths spinc::backend::stackDepths(const FrameTable &frames) {
  StackDepths depths;
#define ROUTINE(NAME) depths[#NAME] = SPINC_MATH_FRAME_BYTES;
  SPINC_MATH_ROUTINES(ROUTINE)
#undef ROUTINE
  for (const auto &entry : frames) {
    SmallVector<StringRef> active;
    depthOf(entry.first(), frames, depths, active);
  }
  return depths;
}
