//===- Region.cpp - Finding what is translated together -------------------===//
//
// First which instructions are reached and which of them begin blocks, then
// the blocks.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/translate/Region.h"
#include <deque>
#include <set>

using namespace spinc;
using namespace spinc::sim;
using isa::Kind;
using isa::Opcode;

Kind spinc::sim::kindOf(const Op &op) {
  return isa::info(Opcode(op.real)).kind;
}

uint32_t spinc::sim::writtenBy(const Op &op) {
  Kind kind = kindOf(op);
  uint32_t mask = 0;
  if (op.rd < 32 && !isStoreKind(kind) && kind != Kind::Branch)
    mask |= 1u << op.rd;
  if (isPostKind(kind))
    mask |= 1u << op.rs1;
  return mask & ~1u;
}

bool spinc::sim::isInterpreted(const Op &op, bool translateAtomics) {
  if (op.code == codeUndecoded || op.code == codeInvalid ||
      op.real == codeHangs)
    return true;
  Kind kind = kindOf(op);
  bool writesStack = writtenBy(op) >> 2 & 1;
  // The interpreter looks at the stack pointer after it was written, and goes
  // back in a loop after its last instruction; here that is done for the
  // forms that compilers make.
  if (writesStack && kind != Kind::Value)
    return true;
  if (op.code == codeLoopEnd && (isTransfer(kind) || writesStack))
    return true;
  switch (kind) {
  case Kind::Atomic:
    return !translateAtomics || op.code == codeLoopEnd;
  case Kind::HwLoop:
    return op.code == codeLoopEnd;
  case Kind::LoadReserved:
  case Kind::StoreConditional:
  case Kind::Csr:
  case Kind::Trap:
  case Kind::TrapReturn:
  case Kind::Hang:
    return true;
  default:
    return false;
  }
}

namespace {

class Finder {
public:
  Finder(const Program &program, uint32_t entry, unsigned limit,
         bool translateAtomics, llvm::function_ref<bool(uint32_t)> beginsOther)
      : program(program), limit(limit), translateAtomics(translateAtomics),
        beginsOther(beginsOther) {
    region.entry = entry;
  }

  Region find() {
    begin(region.entry);
    while (!work.empty() && reached.size() < limit) {
      uint32_t pc = work.front();
      work.pop_front();
      follow(pc);
    }
    makeBlocks();
    for (uint32_t site : sites)
      if (region.contains(site))
        region.returnSites.push_back(site);
    return std::move(region);
  }

private:
  const Op &at(uint32_t pc) const { return program.peek(pc); }
  bool translates(uint32_t pc) const {
    return program.contains(pc) && !(pc & 1) &&
           !isInterpreted(at(pc), translateAtomics) &&
           (pc == region.entry || !beginsOther(pc));
  }
  void begin(uint32_t pc) {
    if (translates(pc) && leaders.insert(pc).second)
      work.push_back(pc);
  }
  uint32_t targetOf(uint32_t pc) const {
    return pc + 2 * uint32_t(at(pc).jump);
  }
  uint32_t after(uint32_t pc) const { return pc + 2 * at(pc).slots; }

  void follow(uint32_t pc) {
    while (translates(pc) && reached.size() < limit) {
      if (!reached.insert(pc).second)
        return;
      const Op &op = at(pc);
      Kind kind = kindOf(op);
      if (kind == Kind::HwLoop)
        noteLoop(op, pc);
      if (isTransfer(kind)) {
        bool calls = kind != Kind::Branch && op.rd == 1;
        if (kind != Kind::JumpRegister)
          begin(targetOf(pc));
        if (kind == Kind::Branch || calls)
          begin(after(pc));
        if (calls)
          sites.insert(after(pc));
        return;
      }
      if (op.code == codeLoopEnd) {
        begin(after(pc));
        return;
      }
      pc = after(pc);
    }
  }

  /// The body of a hardware loop is a block of its own.
  void noteLoop(const Op &op, uint32_t pc) {
    Opcode real = Opcode(op.real);
    if (real == Opcode::LpSetup || real == Opcode::LpSetupi)
      begin(pc + 4);
    if (real == Opcode::LpStarti)
      begin(pc + (op.imm << 1));
  }

  void makeBlocks() {
    for (uint32_t leader : leaders) {
      Block block;
      block.pc = leader;
      for (uint32_t pc = leader; reached.count(pc); pc = after(pc)) {
        if (pc != leader && leaders.count(pc))
          break;
        block.pcs.push_back(pc);
        if (isTransfer(kindOf(at(pc))) || at(pc).code == codeLoopEnd)
          break;
      }
      if (!block.pcs.empty())
        region.blocks[leader] = std::move(block);
    }
  }

  const Program &program;
  unsigned limit;
  bool translateAtomics;
  llvm::function_ref<bool(uint32_t)> beginsOther;
  Region region;
  std::deque<uint32_t> work;
  std::set<uint32_t> leaders, reached, sites;
};

} // namespace

Region spinc::sim::findRegion(const Program &program, uint32_t entry,
                              unsigned limit, bool translateAtomics,
                              llvm::function_ref<bool(uint32_t)> beginsOther) {
  return Finder(program, entry, limit, translateAtomics, beginsOther).find();
}
