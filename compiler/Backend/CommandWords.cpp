// See CommandWords.h. Runs behind the optimiser, which has made one value of
// equal ones and taken what it could out of loops.
//
// Each command writes all words that it uses right before it is issued, so what
// a word holds elsewhere matters to nobody. A store may therefore come earlier,
// in front of a loop without other stores to the word; and a store changes
// nothing where the word holds the value already.
#include "compiler/Backend/CommandWords.h"
#include "compiler/Backend/ProgramCalls.h"
#include "runtime/abi/pspin.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include <array>

using namespace llvm;
using namespace spinc::backend;

namespace {

/// The kind of the command is next to its words.
constexpr unsigned registers = 1 + PSPIN_CMD_WORDS;
constexpr uint64_t firstRegister = PSPIN_HPU_BASE + PSPIN_CMD_INFO;
static_assert(PSPIN_CMD_WORD0 == PSPIN_CMD_INFO + 4);

/// What the registers hold; null if that is not known.
using Words = std::array<Value *, registers>;

/// The register that `instr` writes.
std::optional<unsigned> registerOf(const Instruction &instr) {
  const auto *store = dyn_cast<StoreInst>(&instr);
  if (!store || !store->isVolatile() ||
      !store->getValueOperand()->getType()->isIntegerTy(32))
    return std::nullopt;
  const auto *cast = dyn_cast<ConstantExpr>(store->getPointerOperand());
  const auto *address = cast && cast->getOpcode() == Instruction::IntToPtr
                            ? dyn_cast<ConstantInt>(cast->getOperand(0))
                            : nullptr;
  if (!address)
    return std::nullopt;
  uint64_t index = (address->getZExtValue() - firstRegister) / 4;
  return index < registers ? std::optional(unsigned(index)) : std::nullopt;
}

/// The stores to each register in `loop`; nothing if others may write them.
std::optional<std::array<SmallVector<StoreInst *>, registers>>
storesIn(const Loop &loop) {
  std::array<SmallVector<StoreInst *>, registers> stores;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instr : *block) {
      if (mayCallProgram(instr))
        return std::nullopt;
      if (std::optional<unsigned> index = registerOf(instr))
        stores[*index].push_back(cast<StoreInst>(&instr));
    }
  return stores;
}

bool hoist(Loop &loop) {
  BasicBlock *before = loop.getLoopPreheader();
  auto stores = before ? storesIn(loop) : std::nullopt;
  if (!stores)
    return false;
  bool changed = false;
  for (ArrayRef<StoreInst *> same : *stores) {
    Value *value = same.empty() ? nullptr : same.front()->getValueOperand();
    if (!value || !loop.isLoopInvariant(value) ||
        any_of(same, [&](StoreInst *store) {
          return store->getValueOperand() != value;
        }))
      continue;
    same.front()->moveBefore(before->getTerminator()->getIterator());
    for (StoreInst *store : same.drop_front())
      store->eraseFromParent();
    changed = true;
  }
  return changed;
}

/// What the words hold behind `instr`.
void step(Words &words, Instruction &instr) {
  if (mayCallProgram(instr))
    words.fill(nullptr);
  else if (std::optional<unsigned> index = registerOf(instr))
    words[*index] = cast<StoreInst>(instr).getValueOperand();
  else
    // Computed anew: the words hold what it was in the round before.
    for (Value *&word : words)
      if (word == &instr)
        word = nullptr;
}

/// Removes stores of what is there already.
class Repeats {
public:
  explicit Repeats(Function &function) : order(&function) {}

  bool remove() {
    // From "anything" for a block not seen yet down to what holds on all ways.
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock *block : order) {
        Words words = atStart(*block);
        for (Instruction &instr : *block)
          step(words, instr);
        auto [place, isNew] = atEnd.try_emplace(block, words);
        changed |= isNew || place->second != words;
        place->second = words;
      }
    }
    bool changed = false;
    for (BasicBlock *block : order)
      changed |= removeIn(*block);
    return changed;
  }

private:
  Words atStart(BasicBlock &block) const {
    std::optional<Words> common;
    for (BasicBlock *before : predecessors(&block)) {
      auto place = atEnd.find(before);
      if (place == atEnd.end())
        continue;
      if (!common)
        common = place->second;
      for (auto [word, other] : zip(*common, place->second))
        if (word != other)
          word = nullptr;
    }
    return block.isEntryBlock() || !common ? Words{} : *common;
  }

  bool removeIn(BasicBlock &block) const {
    bool changed = false;
    Words words = atStart(block);
    for (Instruction &instr : make_early_inc_range(block)) {
      std::optional<unsigned> index = registerOf(instr);
      if (index && words[*index] == cast<StoreInst>(instr).getValueOperand()) {
        instr.eraseFromParent();
        changed = true;
      } else {
        step(words, instr);
      }
    }
    return changed;
  }

  ReversePostOrderTraversal<Function *> order;
  DenseMap<BasicBlock *, Words> atEnd;
};

} // namespace

PreservedAnalyses CommandWords::run(Function &function,
                                    FunctionAnalysisManager &analyses) {
  bool changed = false;
  // From the inside out: what left a loop may leave the one around it.
  SmallVector<Loop *> fromWithout =
      analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder();
  for (Loop *loop : reverse(fromWithout))
    changed |= hoist(*loop);
  changed |= Repeats(function).remove();
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}
