// Terms over registers and memory, for MachineMeaning.h: equal terms are one,
// and what one instruction does to a state of terms.
#ifndef SPINC_COMPILER_BACKEND_MACHINETERMS_H
#define SPINC_COMPILER_BACKEND_MACHINETERMS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCRegister.h"
#include "llvm/Support/Allocator.h"
#include <array>
#include <optional>

namespace llvm {
class MachineBasicBlock;
class MachineFunction;
class MachineInstr;
class MachineOperand;
class TargetInstrInfo;
class TargetRegisterInfo;
} // namespace llvm

namespace spinc::backend {

/// `term + offset`; term 0 is the number 0.
struct Word {
  unsigned term = 0;
  uint32_t offset = 0;

  Word operator+(int64_t number) const {
    return {term, offset + static_cast<uint32_t>(number)};
  }
  bool operator==(const Word &other) const {
    return term == other.term && offset == other.offset;
  }
  bool operator!=(const Word &other) const { return !(*this == other); }
};

/// What a term is made of, before it is known whether there is one like it.
class TermKey {
public:
  enum Kind {
    /// What a register holds at the start of a block.
    Start,
    /// The same, where nothing relates it to the old function.
    Unknown,
    Effect,
    Result,
    Load,
    Store,
    Plain,
    Comparison,
  };
  explicit TermKey(Kind kind) { id.AddInteger(static_cast<unsigned>(kind)); }

  TermKey &add(unsigned number) {
    id.AddInteger(number);
    return *this;
  }
  TermKey &add(Word value) { return add(value.term).add(value.offset); }
  TermKey &add(llvm::StringRef text) {
    id.AddString(text);
    return *this;
  }

  llvm::FoldingSetNodeID id;
};

class TermTable {
public:
  Word term(const TermKey &key);

private:
  struct Node : llvm::FastFoldingSetNode {
    Node(const llvm::FoldingSetNodeID &id, unsigned number)
        : FastFoldingSetNode(id), number(number) {}
    unsigned number;
  };
  llvm::FoldingSet<Node> nodes;
  llvm::SpecificBumpPtrAllocator<Node> memory;
};

/// Registers are numbered: those of the core by their encoding, then others,
/// then the counts of hardware loops.
struct State {
  llvm::SmallVector<Word> registers;
  /// Memory, and all else that instructions change or look at.
  Word world;
};

/// A hardware loop, as its set-up says.
struct LoopSetUp {
  unsigned level;
  /// Holds the count from here on.
  unsigned slot;
  llvm::MachineBasicBlock *start;
};

/// Where a block goes on, in a form in which no branch is turned round.
struct WayOn {
  struct Condition {
    Word holds;
    llvm::MachineBasicBlock *target;
    bool negated;
  };
  llvm::SmallVector<Condition, 1> conditions;
  llvm::MachineBasicBlock *otherwise = nullptr;
  /// The left side of the condition, if there is only one.
  Word compared;
};

/// What a block does from a state on.
struct BlockMeaning {
  State end;
  WayOn on;
  llvm::SmallVector<llvm::StringRef, 1> markers;
};

/// Runs blocks of a function on terms.
class TermMachine {
public:
  static constexpr unsigned coreRegisters = 32;

  TermMachine(const llvm::MachineFunction &function);

  /// Finds the set-ups of hardware loops. What is wrong with them, or nothing.
  std::string findLoops(llvm::MachineFunction &function);
  /// The last block of the loop that is counted there, if there is one.
  const llvm::MachineBasicBlock *endOfLoop(unsigned slot) const;

  /// Sets `problem` if there is something that nobody knows how to run.
  BlockMeaning run(llvm::MachineBasicBlock &block, State start);

  unsigned slots() const { return slotCount; }
  bool countsLoop(unsigned slot) const { return loopLevels.contains(slot); }
  Word start(unsigned slot);
  Word startOfWorld();
  Word unknown(unsigned slot);
  /// The register that holds `value` at the start, if that is its term.
  std::optional<unsigned> slotOf(Word value) const;

  Word read(const State &state, unsigned slot);

  std::string problem;

private:
  std::optional<unsigned> slotOf(const llvm::MachineOperand &operand);
  void write(State &state, unsigned slot, Word value);
  void addOperands(TermKey &key, const llvm::MachineInstr &instr,
                   const State &state);
  void runInstruction(const llvm::MachineInstr &instr, State &state);
  bool runAddition(const llvm::MachineInstr &instr, State &state);
  bool runAccess(const llvm::MachineInstr &instr, State &state);
  bool runAssembly(const llvm::MachineInstr &instr, State &state);
  void runSetUp(const LoopSetUp &loop, const llvm::MachineInstr &instr,
                State &state);
  void runOther(const llvm::MachineInstr &instr, State &state);
  void runBranch(const llvm::MachineInstr &instr, BlockMeaning &meaning);
  void endLoop(const LoopSetUp &loop, BlockMeaning &meaning);
  void addCondition(BlockMeaning &meaning, llvm::StringRef relation, Word left,
                    Word right, bool negated, llvm::MachineBasicBlock *target);

  const llvm::TargetInstrInfo &instrs;
  const llvm::TargetRegisterInfo &registers;
  TermTable terms;
  std::array<llvm::MCRegister, coreRegisters> numbered;
  unsigned slotCount = coreRegisters;
  /// By number of LLVM, of registers outside of the core's 32.
  llvm::DenseMap<unsigned, unsigned> otherSlots;
  llvm::DenseMap<unsigned, unsigned> slotOfStart;
  /// By their set-up, by the last instruction of their body, and levels by
  /// slot.
  llvm::DenseMap<const llvm::MachineInstr *, LoopSetUp> setUps, ends;
  llvm::DenseMap<unsigned, unsigned> loopLevels;
};

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_MACHINETERMS_H
