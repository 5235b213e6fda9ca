#include "compiler/Backend/MachineTerms.h"
#include "compiler/Backend/LoopCount.h"
#include "compiler/Backend/MachinePasses.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace spinc::backend;

namespace {

constexpr unsigned worldSlot = ~0U, stackPointer = 2;
/// What the caller finds again: ra, sp, gp, tp, s0 to s11.
constexpr unsigned keptByFunctions[] = {1,  2,  3,  4,  8,  9,  18, 19,
                                        20, 21, 22, 23, 24, 25, 26, 27};

/// A branch on a relation, or on its contrary.
struct Relation {
  StringRef name;
  bool negated;
};

Relation relationOf(StringRef opcode) {
  return StringSwitch<Relation>(opcode)
      .Cases({"BEQ", "CV_BEQIMM"}, {"equal", false})
      .Cases({"BNE", "CV_BNEIMM"}, {"equal", true})
      .Case("BLT", {"less", false})
      .Case("BGE", {"less", true})
      .Case("BLTU", {"less unsigned", false})
      .Case("BGEU", {"less unsigned", true})
      .Default({"", false});
}

/// `addi a0, a0, -1`, as the end of a loop that counts down.
bool isCountStep(const MachineInstr &instr) {
  return assemblyOf(instr) == countStep;
}

/// Operands of an inline assembly that are registers.
SmallVector<const MachineOperand *> registersOf(const MachineInstr &instr,
                                                bool defined) {
  SmallVector<const MachineOperand *> found;
  for (const MachineOperand &operand : instr.operands())
    if (operand.isReg() && operand.getReg() && operand.isDef() == defined)
      found.push_back(&operand);
  return found;
}

} // namespace

Word TermTable::term(const TermKey &key) {
  void *place = nullptr;
  if (Node *known = nodes.FindNodeOrInsertPos(key.id, place))
    return {known->number, 0};
  Node *made = new (memory.Allocate()) Node(key.id, nodes.size() + 1);
  nodes.InsertNode(made, place);
  return {made->number, 0};
}

/// The number of one of the core's registers; x10_w and x10_x11 are none.
static std::optional<unsigned> coreNumber(StringRef name) {
  unsigned number;
  if (!name.consume_front("X") || name.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

TermMachine::TermMachine(const MachineFunction &function)
    : instrs(*function.getSubtarget().getInstrInfo()),
      registers(*function.getSubtarget().getRegisterInfo()) {
  for (unsigned reg = 1; reg < registers.getNumRegs(); ++reg)
    if (std::optional<unsigned> number = coreNumber(registers.getName(reg)))
      numbered[*number] = reg;
}

Word TermMachine::start(unsigned slot) {
  if (slot == 0)
    return {};
  Word value = terms.term(TermKey(TermKey::Start).add(slot));
  slotOfStart[value.term] = slot;
  return value;
}

Word TermMachine::startOfWorld() {
  return terms.term(TermKey(TermKey::Start).add(worldSlot));
}

Word TermMachine::unknown(unsigned slot) {
  return terms.term(TermKey(TermKey::Unknown).add(slot));
}

std::optional<unsigned> TermMachine::slotOf(Word value) const {
  auto found = slotOfStart.find(value.term);
  if (found == slotOfStart.end())
    return std::nullopt;
  return found->second;
}

std::optional<unsigned> TermMachine::slotOf(const MachineOperand &operand) {
  if (!operand.isReg() || !operand.getReg())
    return std::nullopt;
  Register reg = operand.getReg();
  if (std::optional<unsigned> number = coreNumber(registers.getName(reg)))
    return number;
  if (any_of(numbered, [&](MCRegister core) {
        return core && registers.regsOverlap(core, reg);
      }))
    problem = "names parts or pairs of registers";
  auto [place, isNew] = otherSlots.try_emplace(reg.id(), slotCount);
  slotCount += isNew;
  return place->second;
}

Word TermMachine::read(const State &state, unsigned slot) {
  if (slot == 0)
    return {};
  if (slot < state.registers.size())
    return state.registers[slot];
  return countsLoop(slot) ? unknown(slot) : start(slot);
}

void TermMachine::write(State &state, unsigned slot, Word value) {
  if (slot == 0)
    return;
  for (unsigned next = state.registers.size(); next <= slot; ++next)
    state.registers.push_back(read(state, next));
  state.registers[slot] = value;
}

/// All that an instruction looks at, but for memory.
void TermMachine::addOperands(TermKey &key, const MachineInstr &instr,
                              const State &state) {
  key.add(instr.getOpcode());
  for (const MachineOperand &operand : instr.operands()) {
    if (operand.isMetadata() || operand.isRegMask() ||
        (operand.isReg() && operand.isDef()))
      continue;
    if (std::optional<unsigned> slot = slotOf(operand)) {
      key.add(read(state, *slot));
    } else if (operand.isImm()) {
      key.add(Lo_32(operand.getImm())).add(Hi_32(operand.getImm()));
    } else if (!operand.isReg()) {
      std::string text;
      raw_string_ostream stream(text);
      operand.print(stream, &registers);
      key.add(text);
    }
  }
}

/// `a0 = a1 + number`
bool TermMachine::runAddition(const MachineInstr &instr, State &state) {
  if (isCountStep(instr)) {
    auto to = registersOf(instr, true), from = registersOf(instr, false);
    if (to.size() != 1 || from.size() != 1)
      return false;
    write(state, *slotOf(*to[0]), read(state, *slotOf(*from[0])) + -1);
    return true;
  }
  if (instrs.getName(instr.getOpcode()) != "ADDI" ||
      !instr.getOperand(2).isImm())
    return false;
  write(state, *slotOf(instr.getOperand(0)),
        read(state, *slotOf(instr.getOperand(1))) +
            instr.getOperand(2).getImm());
  return true;
}

/// Plain accesses, and those that move their pointer on by a number. An ordered
/// load, of a word of the device, comes in between all effects.
bool TermMachine::runAccess(const MachineInstr &instr, State &state) {
  StringRef name = instrs.getName(instr.getOpcode());
  bool moves = name.consume_front("CV_") && name.consume_back("_ri_inc");
  bool loads = is_contained({"LB", "LBU", "LH", "LHU", "LW"}, name);
  bool known = loads || is_contained({"SB", "SH", "SW"}, name);
  if (!known || !instr.getOperand(instr.getNumExplicitOperands() - 1).isImm())
    return false;
  // Loads: loaded, [moved,] pointer, number. Stores: [moved,] stored, pointer,
  // number.
  unsigned pointerAt = instr.getNumExplicitOperands() - 2;
  Word pointer = read(state, *slotOf(instr.getOperand(pointerAt)));
  int64_t number = instr.getOperand(pointerAt + 1).getImm();
  TermKey key(loads ? TermKey::Load : TermKey::Store);
  key.add(name).add(state.world).add(moves ? pointer : pointer + number);
  if (loads) {
    Word loaded = terms.term(key);
    if (instr.hasOrderedMemoryRef())
      state.world = terms.term(TermKey(TermKey::Effect).add(loaded));
    if (moves)
      write(state, *slotOf(instr.getOperand(1)), pointer + number);
    write(state, *slotOf(instr.getOperand(0)), loaded);
    return true;
  }
  key.add(read(state, *slotOf(instr.getOperand(pointerAt - 1))));
  state.world = terms.term(key);
  if (moves)
    write(state, *slotOf(instr.getOperand(0)), pointer + number);
  return true;
}

/// True if it is none or if it is done.
bool TermMachine::runAssembly(const MachineInstr &instr, State &state) {
  auto setUp = setUps.find(&instr);
  if (setUp != setUps.end())
    runSetUp(setUp->second, instr, state);
  return setUp != setUps.end() || assemblyOf(instr) == "nop";
}

void TermMachine::runSetUp(const LoopSetUp &loop, const MachineInstr &instr,
                           State &state) {
  // It takes the place of others on its level.
  for (auto [slot, level] : loopLevels)
    if (level == loop.level)
      write(state, slot, unknown(slot));
  auto count = registersOf(instr, false);
  if (!count.empty())
    return write(state, loop.slot, read(state, *slotOf(*count[0])));
  SmallVector<StringRef> match;
  int64_t turns;
  if (!Regex("\\(([0-9]+) << 20\\)").match(assemblyOf(instr), &match) ||
      match[1].getAsInteger(10, turns))
    problem = "has a loop with an unknown count";
  else
    write(state, loop.slot, Word() + turns);
}

/// Terms of their own for each result, over operands, and memory if it is
/// looked at. What may do anything else comes in between all that does.
void TermMachine::runOther(const MachineInstr &instr, State &state) {
  bool changes = instr.mayStore() || instr.isCall() || instr.isReturn() ||
                 instr.hasUnmodeledSideEffects() ||
                 instr.hasOrderedMemoryRef() || instr.isTerminator();
  TermKey key(changes ? TermKey::Effect : TermKey::Plain);
  addOperands(key, instr, state);
  if (changes || instr.mayLoad())
    key.add(state.world);
  if (instr.isCall())
    key.add(read(state, stackPointer));
  if (instr.isReturn())
    for (unsigned slot : keptByFunctions)
      key.add(read(state, slot));
  Word whole = terms.term(key);
  if (changes)
    state.world = whole;
  unsigned number = 0;
  auto result = [&] {
    return terms.term(TermKey(TermKey::Result).add(whole).add(number++));
  };
  for (const MachineOperand &operand : instr.operands()) {
    if (operand.isRegMask()) {
      for (unsigned slot = 1; slot < coreRegisters; ++slot)
        if (operand.clobbersPhysReg(numbered[slot]))
          write(state, slot, result());
    } else if (operand.isReg() && operand.isDef() && operand.getReg())
      write(state, *slotOf(operand), result());
  }
}

void TermMachine::runInstruction(const MachineInstr &instr, State &state) {
  if (runAssembly(instr, state) || runAddition(instr, state) ||
      runAccess(instr, state))
    return;
  runOther(instr, state);
}

/// A condition alone is kept in the form that is not negated.
void TermMachine::addCondition(BlockMeaning &meaning, StringRef relation,
                               Word left, Word right, bool negated,
                               MachineBasicBlock *target) {
  meaning.on.compared = left;
  TermKey key(TermKey::Comparison);
  key.add(relation).add(left).add(right);
  meaning.on.conditions.push_back({terms.term(key), target, negated});
}

void TermMachine::runBranch(const MachineInstr &instr, BlockMeaning &meaning) {
  if (instr.isReturn())
    return runOther(instr, meaning.end);
  const unsigned operands = instr.getNumExplicitOperands();
  MachineBasicBlock *target = nullptr;
  if (operands > 0 && instr.getOperand(operands - 1).isMBB())
    target = instr.getOperand(operands - 1).getMBB();
  Relation relation = relationOf(instrs.getName(instr.getOpcode()));
  if (target && instr.isUnconditionalBranch()) {
    meaning.on.otherwise = target;
  } else if (target && !relation.name.empty()) {
    const MachineOperand &other = instr.getOperand(1);
    addCondition(meaning, relation.name,
                 read(meaning.end, *slotOf(instr.getOperand(0))),
                 other.isImm() ? Word() + other.getImm()
                               : read(meaning.end, *slotOf(other)),
                 relation.negated, target);
  } else {
    problem = "has an unknown branch";
  }
}

/// The way back of a hardware loop, behind the last instruction of its body.
void TermMachine::endLoop(const LoopSetUp &loop, BlockMeaning &meaning) {
  Word left = read(meaning.end, loop.slot) + -1;
  write(meaning.end, loop.slot, left);
  addCondition(meaning, "equal", left, {}, /*negated=*/true, loop.start);
}

BlockMeaning TermMachine::run(MachineBasicBlock &block, State start) {
  BlockMeaning meaning{std::move(start), {}, {}};
  // Where the block goes if no instruction says so.
  MachineBasicBlock *next = block.getNextNode();
  if (next && block.isSuccessor(next))
    meaning.on.otherwise = next;
  const LoopSetUp *ended = nullptr;
  for (const MachineInstr &instr : block) {
    if (isMarker(instr))
      meaning.markers.push_back(assemblyOf(instr));
    if (!isReal(instr))
      continue;
    bool goesOn = !instr.isTerminator();
    if (ended && (goesOn || !instr.isUnconditionalBranch()))
      problem = "has instructions behind the last one of a loop";
    if (goesOn)
      runInstruction(instr, meaning.end);
    else
      runBranch(instr, meaning);
    auto end = ends.find(&instr);
    if (end == ends.end())
      continue;
    ended = &end->second;
    endLoop(*ended, meaning);
  }
  sort(meaning.markers);
  auto &[conditions, otherwise, compared] = meaning.on;
  if (conditions.size() == 1 && conditions[0].negated) {
    std::swap(conditions[0].target, otherwise);
    conditions[0].negated = false;
  }
  return meaning;
}

std::string TermMachine::findLoops(MachineFunction &function) {
  StringMap<const MachineInstr *> labelled;
  for (const MachineBasicBlock &block : function)
    for (const MachineInstr &instr : block)
      if (const MCSymbol *label = instr.getPreInstrSymbol())
        labelled[label->getName()] = &instr;
  // The word of the set-up, with the distance to the end of the body.
  static const Regex setUp(
      "\\.4byte 0x4[67]2b \\| \\(([01]) << 7\\).*"
      "\\(\\(([.A-Za-z0-9_]+)( \\+ 4)? - \\.\\) / [24]\\)");
  for (MachineBasicBlock &block : function)
    for (const MachineInstr &instr : block) {
      SmallVector<StringRef> match;
      StringRef text = assemblyOf(instr);
      if (!text.contains(".4byte") || !setUp.match(text, &match))
        continue;
      const MachineInstr *last = labelled.lookup(match[2]);
      if (!last || ends.contains(last) || &instr != &block.back() ||
          !block.getNextNode())
        return "has a hardware loop without an end of its own";
      LoopSetUp loop = {match[1] == "1", slotCount++, block.getNextNode()};
      loopLevels[loop.slot] = loop.level;
      setUps[&instr] = loop;
      ends[last] = loop;
    }
  return "";
}

const MachineBasicBlock *TermMachine::endOfLoop(unsigned slot) const {
  for (const auto &[last, loop] : ends)
    if (loop.slot == slot)
      return last->getParent();
  return nullptr;
}
