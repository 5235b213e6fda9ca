// The core waits a cycle if the instruction behind a load uses what it loads.
// Where that is so, an independent instruction of the same block comes in
// between. LLVM's schedulers count registers, not slots, with the models that
// it has for such cores.
//
// Runs on final code in front of HardwareLoops, so it knows of no bodies; steps
// of counters, which are inline assembly, and markers stay where they are.
#include "compiler/Backend/MachinePasses.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;
using namespace spinc::backend;

namespace {

/// How far away an instruction is looked for.
constexpr unsigned window = 12;

class FillLoadSlots : public MachineFunctionPass {
public:
  static char ID;
  FillLoadSlots() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "spinc fill load slots"; }

  bool runOnMachineFunction(MachineFunction &function) override {
    registers = function.getSubtarget().getRegisterInfo();
    bool changed = false;
    for (MachineBasicBlock &block : function)
      changed |= fillBlock(block);
    return changed;
  }

private:
  bool fillBlock(MachineBasicBlock &block);
  bool nameDeadLoad(MachineInstr &load);
  bool isDeadBehind(MachineInstr &instr, MCRegister reg) const;
  bool fill(MachineInstr &load, MachineInstr &user);
  static bool isLoad(const MachineInstr &instr);
  bool mayMove(const MachineInstr &instr) const;
  bool conflict(const MachineInstr &one, const MachineInstr &other) const;
  bool waits(const MachineInstr *first, const MachineInstr *second) const;
  bool gains(MachineInstr &moved, MachineInstr &load, MachineInstr &user) const;
  static MachineInstr *nextReal(MachineInstr &instr);
  static MachineInstr *previousReal(MachineInstr &instr);

  const TargetRegisterInfo *registers = nullptr;
};

char FillLoadSlots::ID = 0;

MachineInstr *FillLoadSlots::nextReal(MachineInstr &instr) {
  MachineInstr *next = instr.getNextNode();
  while (next && !isReal(*next))
    next = next->getNextNode();
  return next;
}

MachineInstr *FillLoadSlots::previousReal(MachineInstr &instr) {
  MachineInstr *previous = instr.getPrevNode();
  while (previous && !isReal(*previous))
    previous = previous->getPrevNode();
  return previous;
}

/// Whether the first operand gets what `instr` reads from memory.
bool FillLoadSlots::isLoad(const MachineInstr &instr) {
  return instr.mayLoad() && !instr.isInlineAsm() && !instr.isCall() &&
         instr.getOperand(0).isReg() && instr.getOperand(0).isDef();
}

/// Whether `second`, right behind `first`, waits for what that loads. The core
/// compares numbers of registers, also that of x0.
bool FillLoadSlots::waits(const MachineInstr *first,
                          const MachineInstr *second) const {
  return first && second && isLoad(*first) &&
         second->readsRegister(first->getOperand(0).getReg(), registers);
}

/// Arithmetic and plain loads: what has one effect, that on its registers.
bool FillLoadSlots::mayMove(const MachineInstr &instr) const {
  return isReal(instr) && !instr.isInlineAsm() && !instr.isCall() &&
         !instr.isTerminator() && !instr.isPosition() && !instr.mayStore() &&
         !instr.hasUnmodeledSideEffects() && !instr.hasOrderedMemoryRef() &&
         !instr.getPreInstrSymbol() && !instr.getPostInstrSymbol();
}

/// Whether the order of two instructions matters, or nobody knows. One of them
/// may move.
bool FillLoadSlots::conflict(const MachineInstr &one,
                             const MachineInstr &other) const {
  // Assembly with effects may name the instruction behind it.
  auto isFixed = [](const MachineInstr &instr) {
    return instr.isTerminator() || instr.isCall() || instr.isPosition() ||
           (instr.isInlineAsm() && instr.hasUnmodeledSideEffects());
  };
  if (isFixed(one) || isFixed(other))
    return true;
  auto writesWhatTouches = [&](const MachineInstr &writer,
                               const MachineInstr &toucher) {
    return any_of(writer.operands(), [&](const MachineOperand &operand) {
      return operand.isReg() && operand.isDef() && operand.getReg() &&
             touches(toucher, operand.getReg(), *registers);
    });
  };
  if (writesWhatTouches(one, other) || writesWhatTouches(other, one))
    return true;
  auto hasEffect = [](const MachineInstr &instr) {
    return instr.mayStore() || instr.hasUnmodeledSideEffects() ||
           instr.hasOrderedMemoryRef();
  };
  auto touchesMemory = [&](const MachineInstr &instr) {
    return instr.mayLoad() || hasEffect(instr);
  };
  return (hasEffect(one) && touchesMemory(other)) ||
         (hasEffect(other) && touchesMemory(one));
}

/// Whether there are fewer waits with `moved` between `load` and `user`.
bool FillLoadSlots::gains(MachineInstr &moved, MachineInstr &load,
                          MachineInstr &user) const {
  MachineInstr *before = previousReal(moved), *behind = nextReal(moved);
  int change = waits(&load, &moved) + waits(&moved, &user);
  change -= waits(&load, &user);
  if (behind == &load)
    return change + waits(before, &load) - waits(before, &moved) < 0;
  if (before == &user)
    return change + waits(&user, behind) - waits(&moved, behind) < 0;
  return change + waits(before, behind) - waits(before, &moved) -
             waits(&moved, behind) <
         0;
}

/// Looks behind `user`, then in front of `load`.
bool FillLoadSlots::fill(MachineInstr &load, MachineInstr &user) {
  MachineBasicBlock &block = *load.getParent();
  auto passes = [&](MachineInstr &moved, ArrayRef<MachineInstr *> others) {
    return none_of(
        others, [&](MachineInstr *other) { return conflict(moved, *other); });
  };
  auto tryTo = [&](MachineInstr &moved, ArrayRef<MachineInstr *> others) {
    if (!mayMove(moved) || !passes(moved, others) || !gains(moved, load, user))
      return false;
    block.splice(std::next(load.getIterator()), &block, moved.getIterator());
    for (MachineInstr *other : others)
      other->clearKillInfo();
    moved.clearKillInfo();
    return true;
  };
  SmallVector<MachineInstr *> others;
  for (MachineInstr *at = load.getNextNode(); at && others.size() < window;
       at = at->getNextNode()) {
    if (at != &user && tryTo(*at, others))
      return true;
    if (!at->isDebugInstr())
      others.push_back(at);
  }
  others = {&load};
  for (MachineInstr *at = load.getPrevNode(); at && others.size() < window;
       at = at->getPrevNode()) {
    if (tryTo(*at, others))
      return true;
    if (!at->isDebugInstr())
      others.push_back(at);
  }
  return false;
}

/// Whether nobody reads what `reg` holds behind `instr`.
bool FillLoadSlots::isDeadBehind(MachineInstr &instr, MCRegister reg) const {
  for (MachineInstr *at = instr.getNextNode(); at; at = at->getNextNode()) {
    if (at->isDebugInstr())
      continue;
    if (at->readsRegister(reg, registers))
      return false;
    if (at->modifiesRegister(reg, registers))
      return true;
  }
  return none_of(instr.getParent()->successors(), [&](MachineBasicBlock *next) {
    return isRead(*next, reg, *registers);
  });
}

/// What nobody wants is loaded into a free register instead of x0, which many
/// instructions read, nops among them.
bool FillLoadSlots::nameDeadLoad(MachineInstr &load) {
  constexpr unsigned firstArgument = 10, lastArgument = 17;
  if (!isLoad(load) ||
      registers->getEncodingValue(load.getOperand(0).getReg()) != 0)
    return false;
  MachineOperand &loaded = load.getOperand(0);
  const MachineFunction &function = *load.getMF();
  const MachineRegisterInfo &used = function.getRegInfo();
  const TargetRegisterClass *allowed = load.getRegClassConstraint(
      0, function.getSubtarget().getInstrInfo(), registers);
  if (!allowed)
    return false;
  for (MCPhysReg reg : *allowed) {
    unsigned number = registers->getEncodingValue(reg);
    if (number < firstArgument || number > lastArgument ||
        used.isReserved(reg) || !isDeadBehind(load, reg))
      continue;
    loaded.setReg(reg);
    loaded.setIsDead();
    return true;
  }
  return false;
}

bool FillLoadSlots::fillBlock(MachineBasicBlock &block) {
  SmallVector<MachineInstr *> before;
  for (MachineInstr &instr : block)
    before.push_back(&instr);
  bool changed = false;
  for (MachineInstr *load : before) {
    changed |= nameDeadLoad(*load);
    MachineInstr *next = nextReal(*load);
    changed |= waits(load, next) && fill(*load, *next);
  }
  return changed;
}

} // namespace

MachineFunctionPass *spinc::backend::createFillLoadSlots() {
  return new FillLoadSlots();
}
