//===- Region.h - What is translated together -----------------------------===//
//
// A region is the blocks that are reached from one place by branches, direct
// jumps, calls and returns, as far as the interpreter has run them: what was
// never executed is left out. It becomes one function of the host.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TRANSLATE_REGION_H
#define SPINC_RUNTIME_SIM_TRANSLATE_REGION_H

#include "runtime/sim/AccessKind.h"
#include "runtime/sim/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <vector>

namespace spinc::sim {

isa::Kind kindOf(const Op &op);
inline bool isTransfer(isa::Kind k) {
  return k == isa::Kind::Jump || k == isa::Kind::JumpRegister ||
         k == isa::Kind::Branch;
}

/// Registers that an op writes, as a mask without x0.
uint32_t writtenBy(const Op &op);

/// What translated code leaves to the interpreter in every case.
bool isInterpreted(const Op &op, bool translateAtomics);

struct Block {
  uint32_t pc = 0;
  std::vector<uint32_t> pcs; // of its instructions
};

struct Region {
  uint32_t entry = 0;
  std::map<uint32_t, Block> blocks;
  /// Where calls of the region return to, of those that are blocks of it.
  std::vector<uint32_t> returnSites;

  bool contains(uint32_t pc) const { return blocks.count(pc); }
};

/// The region of `entry`, of at most `limit` instructions, without what other
/// regions begin with. Empty if nothing can be translated there.
Region findRegion(const Program &program, uint32_t entry, unsigned limit,
                  bool translateAtomics,
                  llvm::function_ref<bool(uint32_t)> beginsOther);

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TRANSLATE_REGION_H
