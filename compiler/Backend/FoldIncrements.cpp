// See MachinePasses.h. Instruction selection makes an access with
// post-increment only of an access at offset 0 with the addition in sight; an
// unrolled body has several accesses and one addition at its end.
#include "compiler/Backend/MachinePasses.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;
using namespace spinc::backend;

namespace {

/// One pointer of a loop of one block: where it moves, and who uses it.
struct Pointer {
  Register reg;
  MachineInstr *step;
  int64_t stride;
  /// Offset of each access from the pointer at the top of the body.
  SmallVector<std::pair<MachineInstr *, int64_t>> accesses;
};

class FoldIncrements : public MachineFunctionPass {
public:
  static char ID;
  FoldIncrements() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "spinc fold increments"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<MachineLoopInfoWrapperPass>();
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    instrs = function.getSubtarget().getInstrInfo();
    registers = function.getSubtarget().getRegisterInfo();
    bool changed = false;
    for (MachineLoop *loop :
         getAnalysis<MachineLoopInfoWrapperPass>().getLI().getLoopsInPreorder())
      if (loop->getNumBlocks() == 1)
        changed |= visit(*loop);
    return changed;
  }

private:
  bool visit(MachineLoop &loop);
  std::optional<Pointer> match(MachineInstr &step) const;
  bool fold(const Pointer &pointer, MachineBasicBlock &before);

  static bool isOffset(int64_t value) { return isInt<12>(value); }

  StringRef nameOf(const MachineInstr &instr) const {
    return instrs->getName(instr.getOpcode());
  }

  /// `addi reg, reg, number`
  bool isStep(const MachineInstr &instr) const {
    return nameOf(instr) == "ADDI" && instr.getOperand(2).isImm() &&
           instr.getOperand(0).getReg() == instr.getOperand(1).getReg();
  }

  const TargetInstrInfo *instrs = nullptr;
  const TargetRegisterInfo *registers = nullptr;
};

char FoldIncrements::ID = 0;

/// From the opcode of an access to that with post-increment. The opcodes of
/// RISC-V are private to LLVM, their names are not. Ten thousands of names are
/// looked at, so only once, and only when there is something to fold.
const DenseMap<unsigned, unsigned> &withIncrement(const TargetInstrInfo &all) {
  static const DenseMap<unsigned, unsigned> table = [&] {
    StringMap<unsigned> plain, incrementing;
    for (StringRef name : {"LB", "LBU", "LH", "LHU", "LW", "SB", "SH", "SW"})
      plain[name] = 0;
    for (unsigned opcode = 0; opcode < all.getNumOpcodes(); ++opcode) {
      StringRef name = all.getName(opcode);
      bool increments =
          name.consume_front("CV_") && name.consume_back("_ri_inc");
      if (plain.contains(name))
        (increments ? incrementing : plain)[name] = opcode;
    }
    DenseMap<unsigned, unsigned> found;
    for (const auto &access : plain)
      found[access.second] = incrementing.at(access.first());
    return found;
  }();
  return table;
}

bool FoldIncrements::visit(MachineLoop &loop) {
  MachineBasicBlock &body = *loop.getHeader();
  MachineBasicBlock *before = loop.getLoopPredecessor();
  if (!before)
    return false;
  SmallVector<Pointer> pointers;
  for (MachineInstr &instr : body)
    if (isStep(instr))
      if (std::optional<Pointer> pointer = match(instr))
        pointers.push_back(std::move(*pointer));
  bool changed = false;
  for (const Pointer &pointer : pointers)
    changed |= fold(pointer, *before);
  return changed;
}

/// If nobody but accesses through it knows the pointer, here and behind.
std::optional<Pointer> FoldIncrements::match(MachineInstr &step) const {
  Pointer pointer = {
      step.getOperand(0).getReg(), &step, step.getOperand(2).getImm(), {}};
  MachineBasicBlock &body = *step.getParent();
  int64_t moved = 0;
  for (MachineInstr &instr : body) {
    if (&instr == &step) {
      moved = pointer.stride;
      continue;
    }
    if (instr.isDebugInstr() || !touches(instr, pointer.reg, *registers))
      continue;
    bool isAccess = withIncrement(*instrs).count(instr.getOpcode()) &&
                    instr.getOperand(0).getReg() != pointer.reg &&
                    instr.getOperand(2).isImm();
    if (!isAccess)
      return std::nullopt;
    pointer.accesses.push_back({&instr, instr.getOperand(2).getImm() + moved});
  }
  bool isReadBehind = any_of(body.successors(), [&](MachineBasicBlock *next) {
    return next != &body && isRead(*next, pointer.reg, *registers);
  });
  if (pointer.accesses.empty() || isReadBehind)
    return std::nullopt;
  return pointer;
}

/// The last access takes the step over. The pointer starts at its place.
bool FoldIncrements::fold(const Pointer &pointer, MachineBasicBlock &before) {
  MachineInstr &last = *pointer.accesses.back().first;
  int64_t shift = pointer.accesses.back().second;
  for (auto [access, offset] : pointer.accesses)
    if (!isOffset(offset - shift))
      return false;
  if (shift != 0) {
    bool isReadElsewhere =
        any_of(before.successors(), [&](MachineBasicBlock *next) {
          return next != last.getParent() &&
                 isRead(*next, pointer.reg, *registers);
        });
    auto place = before.getFirstTerminator();
    bool isTested = any_of(make_range(place, before.end()), [&](auto &instr) {
      return touches(instr, pointer.reg, *registers);
    });
    if (isReadElsewhere || isTested || !isOffset(shift))
      return false;
    // An addition that ends there already takes this one in.
    MachineInstr *made = nullptr;
    for (auto at = place; at != before.begin() && !made;)
      if (touches(*--at, pointer.reg, *registers))
        made = &*at;
    if (made && nameOf(*made) == "ADDI" && made->getOperand(2).isImm() &&
        made->getOperand(0).getReg() == pointer.reg &&
        isOffset(made->getOperand(2).getImm() + shift))
      made->getOperand(2).setImm(made->getOperand(2).getImm() + shift);
    else
      BuildMI(before, place, pointer.step->getDebugLoc(),
              pointer.step->getDesc(), pointer.reg)
          .addReg(pointer.reg)
          .addImm(shift);
  }
  for (auto [access, offset] : pointer.accesses)
    access->getOperand(2).setImm(offset - shift);
  auto folded =
      BuildMI(*last.getParent(), last, last.getDebugLoc(),
              instrs->get(withIncrement(*instrs).at(last.getOpcode())));
  if (last.mayLoad())
    folded.addReg(last.getOperand(0).getReg(), RegState::Define)
        .addReg(pointer.reg, RegState::Define);
  else
    folded.addReg(pointer.reg, RegState::Define)
        .addReg(last.getOperand(0).getReg());
  folded.addReg(pointer.reg).addImm(pointer.stride);
  folded.cloneMemRefs(last);
  last.eraseFromParent();
  pointer.step->eraseFromParent();
  return true;
}

} // namespace

MachineFunctionPass *spinc::backend::createFoldIncrements() {
  return new FoldIncrements();
}
