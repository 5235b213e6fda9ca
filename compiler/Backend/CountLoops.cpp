// See LoopCount.h. Runs behind the optimiser and before loop strength
// reduction, which gives the other variables of a counted loop the steps of
// post-increment accesses.
#include "compiler/Backend/HoistRemarks.h"
#include "compiler/Backend/LoopCount.h"
#include "compiler/Backend/ProgramCalls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace spinc::backend;

namespace {

constexpr unsigned counterBits = 32;
/// In simple instructions. A division is never worth it.
constexpr unsigned expansionBudget = 4;

class Counter {
public:
  Counter(Function &function, FunctionAnalysisManager &analyses,
          const HwLoopRules &rules, HwLoopNotes &notes)
      : function(function), rules(rules), notes(notes),
        loops(analyses.getResult<LoopAnalysis>(function)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        costs(analyses.getResult<TargetIRAnalysis>(function)) {}

  bool run() {
    bool changed = false;
    // Loops within others first: they turn most often.
    SmallVector<Loop *> fromWithout = loops.getLoopsInPreorder();
    for (Loop *loop : reverse(fromWithout)) {
      unsigned depth = depthWithin(*loop);
      std::optional<StringRef> obstacle =
          depth < rules.levels ? count(*loop) : StringRef(tooDeep);
      if (obstacle)
        notes.failed(markersOf(*loop, loops), *obstacle);
      depths[loop] = depth + !obstacle;
      changed |= !obstacle;
    }
    return changed;
  }

private:
  /// Levels of counted loops inside `loop`.
  unsigned depthWithin(const Loop &loop) const {
    unsigned depth = 0;
    for (const Loop *inner : loop)
      depth = std::max(depth, depths.lookup(inner));
    return depth;
  }

  /// Why the loop does not count down from now on; nothing if it does.
  std::optional<StringRef> count(Loop &loop) {
    BasicBlock *latch = loop.getLoopLatch();
    if (!loop.getLoopPreheader() || !latch)
      return "it is entered or continued in several places";
    if (mayUseLoopsItself(loop))
      return StringRef(callsFunction);
    if (!rules.isFree && !isStraight(loop))
      return StringRef(isNotStraight);
    auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
    if (!branch || !loop.isLoopExiting(latch))
      return "it is not left at its bottom";
    const SCEV *back = evolution.getExitCount(&loop, latch);
    if (isa<SCEVCouldNotCompute>(back))
      return "how often it turns shows only while it runs";
    if (back->isZero())
      return "it turns once";
    if (evolution.getTypeSizeInBits(back->getType()) > counterBits ||
        mayTurnTooOften(loop, *latch, *back))
      return "it may turn more often than a counter holds";
    Value *turns = turnsBefore(loop, *back);
    if (!turns)
      return "how often it turns is dear to compute";
    rewrite(loop, *branch, *turns);
    return std::nullopt;
  }

  /// A callee of this module may have hardware loops of its own; routines of
  /// the device runtime have none.
  static bool mayUseLoopsItself(const Loop &loop) {
    return any_of(loop.blocks(), [](const BasicBlock *block) {
      return any_of(*block, mayCallProgram);
    });
  }

  /// Whether its instructions run one after the other but for counted loops
  /// within it.
  bool isStraight(const Loop &loop) const {
    return all_of(loop.blocks(), [&](const BasicBlock *block) {
      const Loop *inner = loops.getLoopFor(block);
      bool isLatch = inner->getLoopLatch() == block;
      bool isCounted = inner == &loop || depths.lookup(inner) > 0;
      return isLatch ? isCounted : block->getSingleSuccessor() != nullptr;
    });
  }

  /// Turns of the loop, which goes `back` so often, computed in front of it: at
  /// least 1, at most 2^32 - 1. Null if that is dear.
  Value *turnsBefore(Loop &loop, const SCEV &back) {
    Instruction *place = loop.getLoopPreheader()->getTerminator();
    Type *word = Type::getInt32Ty(function.getContext());
    const SCEV *turns = simplify(
        loop, *evolution.getAddExpr(evolution.getNoopOrZeroExtend(&back, word),
                                    evolution.getOne(word)));
    SCEVExpander expander(evolution, "turns");
    if (!expander.isSafeToExpandAt(turns, place) ||
        expander.isHighCostExpansion(turns, &loop, expansionBudget, &costs,
                                     place))
      return nullptr;
    return expander.expandCodeFor(turns, word, place);
  }

  /// Whether the turns may be 2^32, one more than the counter holds.
  bool mayTurnTooOften(Loop &loop, BasicBlock &latch, const SCEV &back) {
    if (evolution.getTypeSizeInBits(back.getType()) < counterBits ||
        !evolution.getUnsignedRangeMax(&back).isMaxValue())
      return false;
    const SCEV *most =
        evolution.getExitCount(&loop, &latch, ScalarEvolution::ConstantMaximum);
    return isa<SCEVCouldNotCompute>(most) ||
           evolution.getUnsignedRangeMax(most).isMaxValue();
  }

  /// max(n, m + 1) - m is n - m if m is less than n: the way to the rest of n
  /// behind groups excludes that there is none. Such loops turn a few times, so
  /// it is worth it only for bodies that need no nops.
  const SCEV *restOf(Loop &loop, const SCEVAddExpr &turns) {
    if (loop.getNumBlocks() > 1)
      return &turns;
    for (const SCEV *operand : turns.operands()) {
      const auto *larger = dyn_cast<SCEVUMaxExpr>(operand);
      if (!larger || larger->getNumOperands() != 2)
        continue;
      for (unsigned which : {0, 1}) {
        const SCEV *end = larger->getOperand(which);
        const SCEV *start = evolution.getMinusSCEV(
            larger->getOperand(1 - which), evolution.getOne(end->getType()));
        if (evolution.getMinusSCEV(larger, start) == &turns &&
            isMostGroups(start, end) &&
            evolution.isLoopEntryGuardedByCond(&loop, ICmpInst::ICMP_NE, start,
                                               end))
          return evolution.getMinusSCEV(end, start);
      }
    }
    return &turns;
  }

  /// Whether `part` is `whole / c * c`; of `k * n`, that is `n / (c / k) * c`.
  bool isMostGroups(const SCEV *part, const SCEV *whole) {
    const auto *product = dyn_cast<SCEVMulExpr>(part);
    const auto *size =
        product ? dyn_cast<SCEVConstant>(product->getOperand(0)) : nullptr;
    if (!size)
      return false;
    const SCEV *divisor = size;
    const auto *multiple = dyn_cast<SCEVMulExpr>(whole);
    const auto *factor = multiple && multiple->getNumOperands() == 2 &&
                                 multiple->hasNoUnsignedWrap()
                             ? dyn_cast<SCEVConstant>(multiple->getOperand(0))
                             : nullptr;
    if (factor && size->getAPInt().urem(factor->getAPInt()) == 0) {
      divisor = evolution.getUDivExpr(size, factor);
      whole = multiple->getOperand(1);
    }
    return evolution.getMulExpr(evolution.getUDivExpr(whole, divisor), size) ==
           part;
  }

  /// (n - 1) / 4 + 1 is n / 4 if n is a multiple of 4 and not 0.
  const SCEV *simplify(Loop &loop, const SCEV &turns) {
    const auto *sum = dyn_cast<SCEVAddExpr>(&turns);
    if (!sum || sum->getNumOperands() != 2 || !sum->getOperand(0)->isOne())
      return sum ? restOf(loop, *sum) : &turns;
    const auto *quotient = dyn_cast<SCEVUDivExpr>(sum->getOperand(1));
    const auto *divisor =
        quotient ? dyn_cast<SCEVConstant>(quotient->getRHS()) : nullptr;
    if (!divisor || !divisor->getAPInt().isPowerOf2())
      return &turns;
    const SCEV *whole = evolution.getAddExpr(quotient->getLHS(),
                                             evolution.getOne(turns.getType()));
    bool isMultiple =
        evolution.getMinTrailingZeros(whole) >= divisor->getAPInt().logBase2();
    bool isPositive =
        evolution.isKnownNonZero(whole) ||
        evolution.isLoopEntryGuardedByCond(&loop, ICmpInst::ICMP_NE, whole,
                                           evolution.getZero(turns.getType()));
    return isMultiple && isPositive ? evolution.getUDivExpr(whole, divisor)
                                    : &turns;
  }

  void rewrite(Loop &loop, BranchInst &branch, Value &turns) {
    BasicBlock *header = loop.getHeader();
    Type *word = turns.getType();
    evolution.forgetLoop(&loop);
    PHINode *left = PHINode::Create(word, 2, "left", header->begin());
    left->addIncoming(&turns, loop.getLoopPreheader());

    IRBuilder<> builder(&branch);
    auto *type = FunctionType::get(word, {word}, /*isVarArg=*/false);
    CallInst *next = builder.CreateCall(
        type, InlineAsm::get(type, countStep, "=r,0", /*sideeffects=*/false),
        {left}, "left.next");
    // No copies of the latch: a loop has one way back.
    next->setConvergent();
    next->setDoesNotThrow();
    left->addIncoming(next, branch.getParent());

    Value *old = branch.getCondition();
    bool onTrue = branch.getSuccessor(0) == header;
    branch.setCondition(
        builder.CreateICmp(onTrue ? ICmpInst::ICMP_NE : ICmpInst::ICMP_EQ, next,
                           ConstantInt::get(word, 0)));
    RecursivelyDeleteTriviallyDeadInstructions(old);
    DeleteDeadPHIs(header);
  }

  Function &function;
  const HwLoopRules &rules;
  HwLoopNotes &notes;
  LoopInfo &loops;
  ScalarEvolution &evolution;
  TargetTransformInfo &costs;
  DenseMap<const Loop *, unsigned> depths;
};

} // namespace

PreservedAnalyses CountLoops::run(Function &function,
                                  FunctionAnalysisManager &analyses) {
  if (!Counter(function, analyses, rules, notes).run())
    return PreservedAnalyses::all();
  if (!rules.isFree) {
    constexpr const char *features = "target-features";
    std::string shorter =
        function.getFnAttribute(features).getValueAsString().str() + ",-zca";
    function.addFnAttr(features, shorter);
  }
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}
