// See HardwareLoops.h. A loop qualifies if it is one stretch of code, entered
// at its top only and continued at its bottom only, and if its counter serves
// nothing else. So every way to the last instruction of a hardware loop leads
// through its set-up, and what an early exit leaves in the loop registers is
// overwritten before it could matter.
#include "compiler/Backend/HardwareLoops.h"
#include "compiler/Backend/LoopCount.h"
#include "compiler/Backend/MachinePasses.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/MC/MCContext.h"

using namespace llvm;
using namespace spinc::backend;

namespace {

/// A loop that counts down, in final code.
struct CountedLoop {
  MachineLoop *loop;
  MachineBasicBlock *header, *latch;
  MachineInstr *step, *branch;
  Register counter;
};

class HardwareLoops : public MachineFunctionPass {
public:
  static char ID;
  HardwareLoops(const HwLoopRules &rules, HwLoopNotes &notes)
      : MachineFunctionPass(ID), rules(rules), notes(notes) {}
  StringRef getPassName() const override { return "spinc hardware loops"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &machineFunction) override {
    function = &machineFunction;
    instrs = function->getSubtarget().getInstrInfo();
    registers = function->getSubtarget().getRegisterInfo();
    loops = &getAnalysis<MachineLoopInfoWrapperPass>().getLI();
    depths.clear();
    // Loops within others first: they turn most often.
    SmallVector<MachineLoop *> fromWithin(reverse(loops->getLoopsInPreorder()));
    bool changed = false;
    for (MachineLoop *loop : fromWithin)
      changed |= straighten(*loop);
    for (MachineLoop *loop : fromWithin)
      changed |= convert(*loop);
    return changed;
  }

private:
  bool convert(MachineLoop &loop) {
    unsigned depth = 0;
    for (const MachineLoop *inner : loop)
      depth = std::max(depth, depths.lookup(inner));
    depths[&loop] = depth;
    if (!counts(loop))
      return false;
    std::optional<CountedLoop> counted = match(loop);
    std::string obstacle =
        counted ? obstacleOf(*counted, depth) : "it is not left at its bottom";
    if (!obstacle.empty()) {
      notes.failed(markersOf(loop), obstacle);
      return false;
    }
    make(*counted, depth);
    depths[&loop] = depth + 1;
    return true;
  }

  bool counts(const MachineLoop &loop) const;
  std::string obstacleOf(const CountedLoop &counted, unsigned depth) const;
  SmallVector<int64_t> markersOf(const MachineLoop &loop) const;
  bool straighten(MachineLoop &loop);
  bool hasKnownBranches() const;
  std::optional<CountedLoop> match(MachineLoop &loop);
  bool isStepOf(const MachineInstr &instr, Register counter) const;
  bool isOneStretch(const MachineLoop &loop) const;
  bool isPrivate(const CountedLoop &counted) const;
  bool mayUseLoopsItself(const MachineLoop &loop) const;
  bool isStraight(const CountedLoop &counted) const;
  unsigned bytesOf(const MachineLoop &loop) const;

  void make(const CountedLoop &counted, unsigned level);
  MachineInstr *closeBody(const CountedLoop &counted);
  bool mayEndBody(const MachineInstr &instr) const;
  bool isSimple(const MachineInstr &instr) const;
  MachineInstr *insertNop(MachineBasicBlock &block,
                          MachineBasicBlock::iterator place) const;
  MachineBasicBlock *makeEntry(const CountedLoop &counted);
  std::string padding(const std::string &label) const;
  void addNops(const CountedLoop &counted, MachineInstr &last) const;
  MachineInstr *constantCount(const CountedLoop &counted) const;

  const HwLoopRules &rules;
  HwLoopNotes &notes;
  MachineFunction *function = nullptr;
  const TargetInstrInfo *instrs = nullptr;
  const TargetRegisterInfo *registers = nullptr;
  MachineLoopInfo *loops = nullptr;
  /// Levels of hardware loops in each loop, itself included.
  DenseMap<const MachineLoop *, unsigned> depths;
};

char HardwareLoops::ID = 0;

bool HardwareLoops::isStepOf(const MachineInstr &instr,
                             Register counter) const {
  return assemblyOf(instr) == countStep &&
         all_of(instr.operands(), [&](const MachineOperand &operand) {
           return !operand.isReg() || operand.getReg() == counter;
         });
}

/// Whether a way back of the loop counts it down.
bool HardwareLoops::counts(const MachineLoop &loop) const {
  SmallVector<MachineBasicBlock *> latches;
  loop.getLoopLatches(latches);
  return any_of(latches, [](MachineBasicBlock *latch) {
    return any_of(*latch, [](const MachineInstr &instr) {
      return assemblyOf(instr) == countStep;
    });
  });
}

/// Why it cannot be a hardware loop; empty if it can.
std::string HardwareLoops::obstacleOf(const CountedLoop &counted,
                                      unsigned depth) const {
  const MachineLoop &loop = *counted.loop;
  if (depth == rules.levels)
    return tooDeep.str();
  if (!isOneStretch(loop))
    return "its code is not in one piece";
  if (!isPrivate(counted))
    return "its counter is read elsewhere";
  if (mayUseLoopsItself(loop))
    return callsFunction.str();
  if (!rules.isFree && !isStraight(counted))
    return isNotStraight.str();
  if (unsigned bytes = bytesOf(loop); bytes > rules.reach)
    return "it has up to " + std::to_string(bytes) +
           " bytes of code, and no more than " + std::to_string(rules.reach) +
           " may be";
  return "";
}

/// Those of the loop itself, not of loops within it.
SmallVector<int64_t> HardwareLoops::markersOf(const MachineLoop &loop) const {
  SmallVector<int64_t> markers;
  for (const MachineBasicBlock *block : loop.blocks())
    if (loops->getLoopFor(block) == &loop)
      for (const MachineInstr &instr : *block)
        if (std::optional<int64_t> id = markerId(assemblyOf(instr)))
          markers.push_back(*id);
  return markers;
}

/// The latch ends with `bne counter, zero, header`, behind the step.
std::optional<CountedLoop> HardwareLoops::match(MachineLoop &loop) {
  MachineBasicBlock *latch = loop.getLoopLatch();
  if (!latch)
    return std::nullopt;
  auto first = latch->getFirstTerminator();
  if (first == latch->end() || first->getNumExplicitOperands() != 3)
    return std::nullopt;
  StringRef name = instrs->getName(first->getOpcode());
  const MachineOperand &other = first->getOperand(1);
  bool withZero = (name == "BNE" && other.isReg() &&
                   registers->getEncodingValue(other.getReg()) == 0) ||
                  (name == "CV_BNEIMM" && other.isImm() && other.getImm() == 0);
  const MachineOperand &target = first->getOperand(2);
  if (!withZero || !target.isMBB() || target.getMBB() != loop.getHeader())
    return std::nullopt;
  Register counter = first->getOperand(0).getReg();
  for (MachineInstr &instr : *latch)
    if (isStepOf(instr, counter))
      return CountedLoop{&loop,  loop.getHeader(), latch,
                         &instr, &*first,          counter};
  return std::nullopt;
}

/// From the header to the latch, in the order of the code, lie the blocks of
/// the loop and no others.
bool HardwareLoops::isOneStretch(const MachineLoop &loop) const {
  unsigned blocks = 1;
  for (auto block = loop.getHeader()->getIterator();
       &*block != loop.getLoopLatch(); ++block, ++blocks)
    if (std::next(block) == function->end() || !loop.contains(&*block))
      return false;
  return blocks == loop.getNumBlocks();
}

/// Whether all branches can be turned round.
bool HardwareLoops::hasKnownBranches() const {
  return all_of(*function, [&](MachineBasicBlock &block) {
    MachineBasicBlock *taken = nullptr, *other = nullptr;
    SmallVector<MachineOperand> condition;
    return block.succ_empty() ||
           !instrs->analyzeBranch(block, taken, other, condition);
  });
}

/// Lays a loop that counts down out as one stretch. LLVM likes to rotate loops
/// until the bottom is an exit; here the bottom's branch is free.
bool HardwareLoops::straighten(MachineLoop &loop) {
  MachineBasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
  if (!latch || !counts(loop) || mayUseLoopsItself(loop) ||
      isOneStretch(loop) || !hasKnownBranches())
    return false;
  SmallVector<MachineBasicBlock *> order, aboveHeader;
  DenseMap<MachineBasicBlock *, MachineBasicBlock *> oldNext;
  MachineBasicBlock *place = nullptr;
  bool seenHeader = false;
  for (MachineBasicBlock &block : *function) {
    oldNext[&block] = block.getNextNode();
    seenHeader |= &block == header;
    if (!loop.contains(&block)) {
      if (order.empty() && aboveHeader.empty())
        place = &block;
    } else if (&block != latch || latch == header) {
      (seenHeader ? order : aboveHeader).push_back(&block);
    }
  }
  if (!place)
    return false;
  order.append(aboveHeader);
  if (latch != header)
    order.push_back(latch);
  for (MachineBasicBlock *block : order) {
    if (place->getNextNode() != block)
      block->moveAfter(place);
    place = block;
  }
  for (MachineBasicBlock &block : *function)
    if (oldNext[&block] != block.getNextNode())
      block.updateTerminator(oldNext[&block]);
  return true;
}

/// In the loop only step and branch know the counter, and nobody reads it
/// behind the loop: it may keep its first value.
bool HardwareLoops::isPrivate(const CountedLoop &counted) const {
  for (const MachineBasicBlock *block : counted.loop->blocks())
    for (const MachineInstr &instr : *block)
      if (&instr != counted.step && &instr != counted.branch &&
          touches(instr, counted.counter, *registers))
        return false;
  SmallVector<MachineBasicBlock *> exits;
  counted.loop->getExitBlocks(exits);
  return none_of(exits, [&](MachineBasicBlock *exit) {
    return isRead(*exit, counted.counter, *registers);
  });
}

/// Functions of this module may have hardware loops; the routines of the device
/// runtime, and what LLVM calls by name, have none.
bool HardwareLoops::mayUseLoopsItself(const MachineLoop &loop) const {
  auto isRoutine = [](const MachineOperand &operand) {
    if (operand.isSymbol())
      return true;
    const auto *callee =
        operand.isGlobal() ? dyn_cast<Function>(operand.getGlobal()) : nullptr;
    return callee && callee->isDeclaration();
  };
  for (const MachineBasicBlock *block : loop.blocks())
    for (const MachineInstr &instr : *block)
      if (instr.isCall() && none_of(instr.operands(), isRoutine))
        return true;
  return false;
}

/// Whether it holds nothing that goes elsewhere, and no fence. Loops within it
/// are hardware loops by now, or they have branches.
bool HardwareLoops::isStraight(const CountedLoop &counted) const {
  for (const MachineBasicBlock *block : counted.loop->blocks())
    for (const MachineInstr &instr : *block)
      if (&instr != counted.branch &&
          (instr.isCall() || instr.isTerminator() ||
           instrs->getName(instr.getOpcode()).starts_with("FENCE")))
        return false;
  return true;
}

/// At most; with the set-up, nops, what alignment puts between blocks, and
/// the jumps that branches get whose target is out of their reach.
unsigned HardwareLoops::bytesOf(const MachineLoop &loop) const {
  constexpr unsigned setUp = 4, padding = 2, farJump = 4;
  const unsigned nops = rules.leastBody - 1 + rules.leastBetweenEnds;
  unsigned bytes = setUp + nops * (rules.isFree ? 2 : 4);
  for (const MachineBasicBlock *block : loop.blocks()) {
    bytes += padding;
    for (const MachineInstr &instr : *block)
      bytes += instrs->getInstSizeInBytes(instr) +
               (instr.isConditionalBranch() ? farJump : 0);
  }
  return bytes;
}

/// One instruction of the image.
bool HardwareLoops::isSimple(const MachineInstr &instr) const {
  if (!isReal(instr))
    return false;
  if (!instr.isInlineAsm())
    return instrs->getInstSizeInBytes(instr) <= 4;
  StringRef text = assemblyOf(instr);
  bool isDirective = text.starts_with(".") && !text.starts_with(".insn");
  return !isDirective && !text.contains(':') &&
         text.find_first_of("\n;") == StringRef::npos;
}

bool HardwareLoops::mayEndBody(const MachineInstr &instr) const {
  return isSimple(instr) && !instr.isCall() && !instr.isTerminator() &&
         !instr.getPreInstrSymbol();
}

/// As inline assembly: the opcodes of RISC-V are private to LLVM.
MachineInstr *
HardwareLoops::insertNop(MachineBasicBlock &block,
                         MachineBasicBlock::iterator place) const {
  return BuildMI(block, place, DebugLoc(), instrs->get(TargetOpcode::INLINEASM))
      .addExternalSymbol("nop")
      .addImm(InlineAsm::Extra_HasSideEffects);
}

/// Takes the step and the branch away; the body's last instruction, which each
/// turn runs.
MachineInstr *HardwareLoops::closeBody(const CountedLoop &counted) {
  MachineBasicBlock &latch = *counted.latch;
  auto behind = std::next(counted.branch->getIterator());
  counted.step->eraseFromParent();
  counted.branch->eraseFromParent();

  MachineInstr *last = nullptr;
  for (auto at = behind; at != latch.begin() && !last;)
    if (isReal(*--at))
      last = &*at;
  if (!last || !mayEndBody(*last))
    last = insertNop(latch, behind);
  // A marker behind it would run once a stay.
  for (auto at = std::next(last->getIterator()); at != behind;) {
    MachineInstr &instr = *at++;
    if (isMarker(instr))
      instr.moveBefore(last);
  }

  addNops(counted, *last);
  return last;
}

/// In front of the last instruction, until all rules hold that count.
void HardwareLoops::addNops(const CountedLoop &counted,
                            MachineInstr &last) const {
  MachineBasicBlock &latch = *counted.latch;
  unsigned inBody = 0;
  for (const MachineBasicBlock *block : counted.loop->blocks())
    inBody += count_if(*block, [&](auto &instr) { return isSimple(instr); });
  // The end of a loop within has a symbol.
  unsigned behindEnd = 0;
  for (MachineInstr &instr : latch)
    behindEnd = instr.getPreInstrSymbol() ? 0 : behindEnd + isSimple(instr);
  // A jump to the last instruction costs a cycle more.
  bool isJumpedTo = latch.pred_size() > 1;
  for (auto at = last.getIterator(); at != latch.begin();)
    isJumpedTo &= !isReal(*--at);
  bool isOuter = counted.loop->begin() != counted.loop->end();
  while (inBody < rules.leastBody || isJumpedTo ||
         (isOuter && behindEnd < rules.leastBetweenEnds)) {
    insertNop(latch, last.getIterator());
    ++inBody;
    ++behindEnd;
    isJumpedTo = false;
  }
}

/// A block in front of the header, for the set-up: everybody outside enters the
/// loop through it.
MachineBasicBlock *HardwareLoops::makeEntry(const CountedLoop &counted) {
  MachineBasicBlock *header = counted.header;
  MachineBasicBlock *entry =
      function->CreateMachineBasicBlock(header->getBasicBlock());
  function->insert(header->getIterator(), entry);
  SmallVector<MachineBasicBlock *> outside;
  for (MachineBasicBlock *before : header->predecessors())
    if (!counted.loop->contains(before))
      outside.push_back(before);
  for (MachineBasicBlock *before : outside)
    before->ReplaceUsesOfBlockWith(header, entry);
  entry->addSuccessor(header);
  for (const auto &live : header->liveins())
    entry->addLiveIn(live);
  entry->addLiveIn(counted.counter);
  entry->sortUniqueLiveIns();
  if (MachineLoop *outer = counted.loop->getParentLoop())
    outer->addBasicBlockToLoop(entry, *loops);
  return entry;
}

/// The `li` that gives the counter its value, if nobody else needs it.
MachineInstr *HardwareLoops::constantCount(const CountedLoop &counted) const {
  MachineBasicBlock *before = counted.loop->getLoopPredecessor();
  if (!before)
    return nullptr;
  for (MachineBasicBlock *next : before->successors())
    if (next != counted.header && isRead(*next, counted.counter, *registers))
      return nullptr;
  for (MachineInstr &instr : reverse(*before)) {
    if (!touches(instr, counted.counter, *registers))
      continue;
    bool isLi = instrs->getName(instr.getOpcode()) == "ADDI" &&
                instr.getOperand(0).getReg() == counted.counter &&
                registers->getEncodingValue(instr.getOperand(1).getReg()) == 0;
    bool fits = isLi && instr.getOperand(2).isImm() &&
                instr.getOperand(2).getImm() > 0 &&
                instr.getOperand(2).getImm() <= rules.mostTurns;
    return fits ? &instr : nullptr;
  }
  return nullptr;
}

/// One compressed nop where the body would start at 10 or 14 of a fetch line
/// of 16 bytes, and each way back would take a cycle more for a long
/// instruction that crosses it. Functions start on a line.
std::string HardwareLoops::padding(const std::string &label) const {
  if (!rules.isFree) // all instructions are long
    return "";
  std::string here = label + "_pad";
  std::string place =
      "((" + here + " - " + function->getName().str() + ") & 15)";
  return here + ": .fill ((" + place + " == 6) | (" + place +
         " == 10)) & 1, 2, 1\n";
}

/// Words in the encoding of CORE-V, as all of the object; the linked image may
/// get those of PsPIN. The offsets are those of the core already.
void HardwareLoops::make(const CountedLoop &counted, unsigned level) {
  SmallVector<int64_t> markers = markersOf(*counted.loop);
  MachineInstr *constant = nullptr;
  if (bytesOf(*counted.loop) <= rules.shortReach)
    constant = constantCount(counted);
  DebugLoc place = counted.branch->getDebugLoc();
  MachineInstr *last = closeBody(counted);
  MachineBasicBlock *entry = makeEntry(counted);

  std::string label = (".Lspinhwloop" + Twine(function->getFunctionNumber()) +
                       "_" + Twine(counted.header->getNumber()))
                          .str();
  last->setPreInstrSymbol(*function,
                          function->getContext().getOrCreateSymbol(label));
  std::string number = std::to_string(level);
  std::string offset = rules.isFree ? "((" + label + " - .) / 2)"
                                    : "((" + label + " + 4 - .) / 4)";
  std::string text = padding(label);
  if (constant) {
    std::string turns = std::to_string(constant->getOperand(2).getImm());
    text += ".4byte 0x462b | (" + number + " << 7) | (" + offset +
            " << 15) | (" + turns + " << 20) # lp.setupi x" + number + ", " +
            turns + ", " + label;
    notes.made(markers, turns + " turns");
    constant->eraseFromParent();
  } else {
    text += ".4byte 0x472b | (" + number + " << 7) | (${0:N} << 15) | (" +
            offset + " << 20) # lp.setup x" + number + ", $0, " + label;
    notes.made(markers, "turns from a register");
  }
  auto setUp =
      BuildMI(*entry, entry->end(), place, instrs->get(TargetOpcode::INLINEASM))
          .addExternalSymbol(function->createExternalSymbolName(text))
          .addImm(InlineAsm::Extra_HasSideEffects);
  if (!constant)
    setUp.addImm(InlineAsm::Flag(InlineAsm::Kind::RegUse, 1))
        .addReg(counted.counter);
}

} // namespace

MachineFunctionPass *
spinc::backend::createHardwareLoops(const HwLoopRules &rules,
                                    HwLoopNotes &notes) {
  return new HardwareLoops(rules, notes);
}
