// What cost-mutants makes wrong while a bound is computed.
#ifndef SPINC_TEST_WCET_MUTANTS_H
#define SPINC_TEST_WCET_MUTANTS_H

#include "compiler/Wcet/Machine.h"
#include <functional>
#include <string>
#include <vector>

namespace spinc {

/// What the path search is made to believe: argument_mutants.cpp.
enum class Belief {
  None,
  BranchTurned,     ///< a branch leads the other way
  OtherOperand,     ///< it compares with zero
  ComparisonTurned, ///< a comparison gives the other result
  KeptPastWrite,    ///< a fact survives a write to its register
  KeptPastSum,      ///< and a sum
  KeptPastCall,     ///< a call writes no register
  KeptPastLoop,     ///< an inner loop writes none
  KeptPastJoin,     ///< facts of one of several ways hold for all
  OneForAnother,    ///< any two ways know the same
  FartherRounds,    ///< rounds take a register twice as far
  SmallerTotal,     ///< loops share half of what they share
  LessByOne,        ///< loops share one less
  HeavierRounds,    ///< each round uses up twice as much of it
  NoCharge,         ///< what they share is not paid for
};

/// Which cost is lowered, or which argument broken.
struct Mutant {
  std::string name;
  std::function<bool(const isa::Insn &, const wcet::AccessInfo &, int64_t cost)>
      instruction;
  std::function<bool(const isa::Insn &first, const isa::Insn &second)> stall;
  bool taken = false, target = false;
  Belief breaks = Belief::None;
};

extern const Mutant *active;

std::vector<Mutant> makeArgumentMutants();

} // namespace spinc

#endif // SPINC_TEST_WCET_MUTANTS_H
