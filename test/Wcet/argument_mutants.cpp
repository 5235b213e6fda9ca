// Would a wrong argument of the path search be noticed? The linker sends its
// calls of PathFacts and Sharing here, and the active mutant makes one of them
// wrong: some run of the programs is then above its bound. Members are called
// as functions that take the object first; what is private of them is passed on
// as it comes.
#include "compiler/Wcet/PathFacts.h"
#include "compiler/Wcet/Sharing.h"
#include "test/Wcet/mutants.h"

using namespace llvm;
using namespace spinc;
using wcet::PathFacts;

static bool breaks(Belief belief) { return active && active->breaks == belief; }

/// The function `result name(parameters)` in the place of a symbol, and the
/// real one.
#define REPLACED(symbol, result, name, ...)                                    \
  result real##name(__VA_ARGS__) __asm__("__real_" symbol);                    \
  result wrap##name(__VA_ARGS__) __asm__("__wrap_" symbol);                    \
  result wrap##name(__VA_ARGS__)

/// Whether an instruction writes, not a call or an inner loop, and whether it
/// changes what it reads.
static bool inStep = false, inPlace = false;

REPLACED("_ZN5spinc4wcet9PathFacts6assumeERKNS_3isa4InsnEb", bool, Assume,
         PathFacts *self, const isa::Insn &branch, bool taken) {
  isa::Insn asked = branch;
  if (breaks(Belief::OtherOperand))
    asked.rs2 = 0;
  return realAssume(self, asked, taken != breaks(Belief::BranchTurned));
}

REPLACED("_ZN5spinc4wcet9PathFacts6assumeEN4llvm7CmpInst9PredicateERKN"
         "S1_4FormES7_",
         bool, AssumeOrder, PathFacts *self, CmpInst::Predicate predicate,
         const void *a, const void *b) {
  if (breaks(Belief::ComparisonTurned))
    predicate = CmpInst::getInversePredicate(predicate);
  return realAssumeOrder(self, predicate, a, b);
}

REPLACED("_ZN5spinc4wcet9PathFacts4stepERKNS0_4SiteERKN4llvm13ConstantR"
         "angeERSt6vectorIS1_SaIS1_EE",
         bool, Step, PathFacts *self, const wcet::Site &site,
         const ConstantRange &result, std::vector<PathFacts> &others) {
  inStep = true;
  inPlace = site.insn.rd == site.insn.rs1;
  bool goesOn = realStep(self, site, result, others);
  inStep = inPlace = false;
  return goesOn;
}

REPLACED("_ZN5spinc4wcet9PathFacts6forgetEjj", void, Forget, PathFacts *self,
         uint32_t registers, uint32_t place) {
  bool keeps = inStep             ? breaks(Belief::KeptPastWrite) ||
                                        (inPlace && breaks(Belief::KeptPastSum))
               : registers == ~0u ? breaks(Belief::KeptPastCall)
                                  : breaks(Belief::KeptPastLoop);
  if (!keeps)
    realForget(self, registers, place);
}

REPLACED("_ZN5spinc4wcet9PathFacts5writeEjRKNS1_4FormE", void, Write,
         PathFacts *self, unsigned reg, const void *form) {
  if (!inPlace || !breaks(Belief::KeptPastSum))
    realWrite(self, reg, form);
}

REPLACED("_ZN5spinc4wcet9PathFacts10writeFreshEjjRKN4llvm13ConstantRan"
         "geE",
         void, WriteFresh, PathFacts *self, unsigned reg, uint32_t place,
         const ConstantRange &range) {
  if (!breaks(Belief::KeptPastWrite))
    realWriteFresh(self, reg, place, range);
}

REPLACED("_ZN5spinc4wcet9PathFacts4joinERKS1_j", void, Join, PathFacts *self,
         const PathFacts &other, uint32_t place) {
  if (!breaks(Belief::KeptPastJoin))
    realJoin(self, other, place);
}

REPLACED("_ZNK5spinc4wcet9PathFactseqERKS1_", bool, Equal,
         const PathFacts *self, const PathFacts &other) {
  return breaks(Belief::OneForAnother) || realEqual(self, other);
}

REPLACED("_ZNK5spinc4wcet9PathFacts8progressEj", std::optional<ConstantRange>,
         Progress, const PathFacts *self, unsigned reg) {
  std::optional<ConstantRange> progress = realProgress(self, reg);
  if (progress && breaks(Belief::FartherRounds))
    return progress->multiply(ConstantRange(APInt(32, 2)));
  return progress;
}

REPLACED("_ZN5spinc4wcet13chooseSharingERKSt3mapIlNS_8LoopSpecESt4less"
         "IlESaISt4pairIKlS2_EEEN4llvm8ArrayRefINS_11SharedTotalEEERKS"
         "t8functionIFSt8optionalINS0_5TrialEERKNS0_7SharingEEE",
         wcet::Sharing, Sharing, const wcet::LoopTable &loops,
         ArrayRef<SharedTotal> totals, const wcet::TryOut &tryOut) {
  std::vector<SharedTotal> wrong = totals.vec();
  for (SharedTotal &total : wrong) {
    if (breaks(Belief::SmallerTotal))
      total.limit = total.limit.floorDiv(2).value();
    if (breaks(Belief::LessByOne))
      total.limit = total.limit.subtract(1).value();
    if (breaks(Belief::HeavierRounds))
      for (auto &[loop, weight] : total.weights)
        weight *= 2;
  }
  wcet::Sharing sharing = realSharing(loops, wrong, tryOut);
  if (breaks(Belief::NoCharge))
    sharing.charge = 0;
  return sharing;
}

std::vector<Mutant> spinc::makeArgumentMutants() {
  const std::pair<const char *, Belief> arguments[] = {
      {"a branch turned round", Belief::BranchTurned},
      {"a branch compares another register", Belief::OtherOperand},
      {"a comparison turned round", Belief::ComparisonTurned},
      {"a fact kept past a write", Belief::KeptPastWrite},
      {"a fact kept past a sum", Belief::KeptPastSum},
      {"a fact kept past a call", Belief::KeptPastCall},
      {"a fact kept past an inner loop", Belief::KeptPastLoop},
      {"a fact kept where ways are joined", Belief::KeptPastJoin},
      {"ways with other facts taken for one", Belief::OneForAnother},
      {"rounds that go farther", Belief::FartherRounds},
      {"a smaller total", Belief::SmallerTotal},
      {"a total that is one too small", Belief::LessByOne},
      {"rounds that use up more of a total", Belief::HeavierRounds},
      {"a total that costs nothing", Belief::NoCharge}};
  std::vector<Mutant> mutants;
  for (auto [name, argument] : arguments) {
    mutants.push_back({name, nullptr, nullptr});
    mutants.back().breaks = argument;
  }
  return mutants;
}
