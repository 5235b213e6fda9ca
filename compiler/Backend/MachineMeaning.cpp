#include "compiler/Backend/MachineMeaning.h"
#include "compiler/Backend/MachineTerms.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"

using namespace llvm;
using namespace spinc::backend;

namespace {

/// A register of the new function is that of the old one plus a number.
struct Link {
  unsigned slot;
  uint32_t distance;
  bool operator==(const Link &other) const {
    return slot == other.slot && distance == other.distance;
  }
};

/// For each register at the start of a block; nothing is known of those
/// without.
using Links = SmallVector<std::optional<Link>>;

using Blocks = DenseMap<const MachineBasicBlock *, BlockMeaning>;

class Comparer {
public:
  Comparer(TermMachine &machine, const Blocks &before)
      : machine(machine), before(before) {}

  std::string run(MachineFunction &function, MachineBasicBlock &oldEntry) {
    std::string broken = machine.findLoops(function);
    findCounters();
    slots = machine.slots();
    State start = {{}, machine.startOfWorld()};
    if (!follow(start, &oldEntry, start, &function.front()))
      return "it starts with something else";
    while (broken.empty() && !work.empty()) {
      MachineBasicBlock *block = work.pop_back_val();
      const char *found = visit(*block);
      if (!machine.problem.empty())
        found = machine.problem.c_str();
      if (found)
        broken = "block " + std::to_string(block->getNumber()) + " " + found;
    }
    return broken;
  }

private:
  /// The count of a hardware loop is the counter that the old loop ends with.
  void findCounters() {
    for (unsigned slot = 0; slot < machine.slots(); ++slot)
      if (const MachineBasicBlock *end = machine.endOfLoop(slot)) {
        auto old = before.find(end);
        if (old != before.end())
          if (auto counter = machine.slotOf(old->second.on.compared))
            counters[slot] = *counter;
      }
  }

  void enter(MachineBasicBlock &block, Links links) {
    auto [place, isNew] = starts.try_emplace(&block, std::move(links));
    if (isNew || meet(place->second, links))
      work.insert(&block);
  }

  /// Whether less is known now.
  static bool meet(Links &known, const Links &links) {
    bool changed = false;
    for (auto [slot, link] : enumerate(known)) {
      if (!link || (slot < links.size() && links[slot] == link))
        continue;
      link = std::nullopt;
      changed = true;
    }
    return changed;
  }

  State stateOf(const Links &links) {
    State state = {{}, machine.startOfWorld()};
    for (auto [slot, link] : enumerate(links))
      state.registers.push_back(link
                                    ? machine.start(link->slot) + link->distance
                                    : machine.unknown(slot));
    return state;
  }

  /// What is known where the old function is in one state, the new in another.
  Links linksOf(const State &old, const State &now) {
    Links links;
    for (unsigned slot = 0; slot < machine.slots(); ++slot) {
      unsigned partner = slot;
      if (machine.countsLoop(slot)) {
        auto counter = counters.find(slot);
        partner = counter == counters.end() ? 0 : counter->second;
      }
      Word was = machine.read(old, partner), is = machine.read(now, slot);
      links.push_back(std::nullopt);
      if (was.term == is.term)
        links.back() = Link{partner, is.offset - was.offset};
    }
    return links;
  }

  /// What is wrong with a block, or null.
  const char *visit(MachineBasicBlock &block) {
    const BlockMeaning &old = before.find(&block)->second;
    BlockMeaning now = machine.run(block, stateOf(starts.find(&block)->second));
    if (machine.slots() != slots)
      return "names another register";
    if (now.end.world != old.end.world)
      return "has another effect on memory, or returns something else";
    if (now.markers != old.markers)
      return "has other loop markers";
    if (now.on.conditions.size() != old.on.conditions.size())
      return "has other branches";
    for (auto [condition, other] :
         zip_equal(now.on.conditions, old.on.conditions)) {
      if (condition.holds != other.holds || condition.negated != other.negated)
        return "branches on another condition";
      if (!follow(old.end, other.target, now.end, condition.target))
        return "branches to somewhere else";
    }
    return follow(old.end, old.on.otherwise, now.end, now.on.otherwise)
               ? nullptr
               : "goes on somewhere else";
  }

  /// Goes through new blocks, which do nothing that matters elsewhere.
  bool follow(const State &old, MachineBasicBlock *oldTarget, State now,
              MachineBasicBlock *target) {
    SmallPtrSet<MachineBasicBlock *, 4> seen;
    while (target && !before.contains(target) && seen.insert(target).second) {
      Word world = now.world;
      BlockMeaning meaning = machine.run(*target, std::move(now));
      now = std::move(meaning.end);
      if (!meaning.on.conditions.empty() || !meaning.markers.empty() ||
          now.world != world)
        return false;
      target = meaning.on.otherwise;
    }
    if (target != oldTarget)
      return false;
    if (target)
      enter(*target, linksOf(old, now));
    return true;
  }

  TermMachine &machine;
  const Blocks &before;
  /// All registers: no other one comes to light later.
  unsigned slots = 0;
  /// By the count of a hardware loop.
  DenseMap<unsigned, unsigned> counters;
  DenseMap<MachineBasicBlock *, Links> starts;
  SetVector<MachineBasicBlock *> work;
};

} // namespace

struct MachineMeaning::Function {
  TermMachine machine;
  MachineBasicBlock &entry;
  Blocks blocks;
};

MachineMeaning::MachineMeaning() = default;
MachineMeaning::~MachineMeaning() = default;

void MachineMeaning::remember(MachineFunction &function) {
  before.reset(new Function{TermMachine(function), function.front(), Blocks()});
  for (MachineBasicBlock &block : function)
    before->blocks[&block] =
        before->machine.run(block, State{{}, before->machine.startOfWorld()});
}

std::string MachineMeaning::difference(MachineFunction &function) {
  std::string found = before->machine.problem;
  if (found.empty())
    found =
        Comparer(before->machine, before->blocks).run(function, before->entry);
  before.reset();
  return found;
}

namespace {

class RememberMeaning : public MachineFunctionPass {
public:
  static char ID;
  explicit RememberMeaning(MachineMeaning &meaning)
      : MachineFunctionPass(ID), meaning(meaning) {}
  StringRef getPassName() const override { return "spinc remember meaning"; }

  bool runOnMachineFunction(MachineFunction &function) override {
    meaning.remember(function);
    return false;
  }

private:
  MachineMeaning &meaning;
};

char RememberMeaning::ID = 0;

class CompareMeaning : public MachineFunctionPass {
public:
  static char ID;
  CompareMeaning(MachineMeaning &meaning, std::string &error)
      : MachineFunctionPass(ID), meaning(meaning), error(error) {}
  StringRef getPassName() const override { return "spinc compare meaning"; }

  bool runOnMachineFunction(MachineFunction &function) override {
    std::string found = meaning.difference(function);
    if (!found.empty() && error.empty())
      error = "a pass over machine code has changed what " +
              function.getName().str() + " does: " + found;
    return false;
  }

private:
  MachineMeaning &meaning;
  std::string &error;
};

char CompareMeaning::ID = 0;

} // namespace

MachineFunctionPass *
spinc::backend::createRememberMeaning(MachineMeaning &meaning) {
  return new RememberMeaning(meaning);
}

MachineFunctionPass *
spinc::backend::createCompareMeaning(MachineMeaning &meaning,
                                     std::string &error) {
  return new CompareMeaning(meaning, error);
}
