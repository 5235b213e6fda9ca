// See HoistRemarks.h.
#include "compiler/Backend/HoistRemarks.h"
#include "compiler/Backend/MachinePasses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::backend;

namespace {

constexpr StringLiteral passName = "licm";

/// The marker of the innermost loop around a block.
std::optional<int64_t> loopOf(const BasicBlock &block) {
  auto &function = const_cast<Function &>(*block.getParent());
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  const Loop *loop = loops.getLoopFor(&block);
  SmallVector<int64_t> markers;
  if (loop)
    markers = markersOf(*loop, loops);
  if (markers.empty())
    return std::nullopt;
  return markers.front();
}

class Listener : public DiagnosticHandler {
public:
  using Table = std::map<int64_t, HoistRemarks::Counts>;
  explicit Listener(Table &table) : table(table) {}

  bool isAnalysisRemarkEnabled(StringRef) const override { return false; }
  bool isMissedOptRemarkEnabled(StringRef pass) const override {
    return pass == passName;
  }
  bool isPassedOptRemarkEnabled(StringRef pass) const override {
    return pass == passName;
  }
  bool isAnyRemarkEnabled() const override { return true; }

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    const auto *remark = dyn_cast<DiagnosticInfoIROptimization>(&info);
    if (!remark)
      return false;
    const auto *block =
        dyn_cast_if_present<BasicBlock>(remark->getCodeRegion());
    std::optional<int64_t> loop = block ? loopOf(*block) : std::nullopt;
    if (!loop)
      return true;
    if (remark->isPassed() && remark->getRemarkName() == "Hoisted")
      ++table[*loop].moved;
    else if (!remark->isPassed() &&
             remark->getRemarkName().starts_with("LoadWithLoopInvariant"))
      ++table[*loop].keptLoads;
    return true;
  }

private:
  Table &table;
};

std::string countOf(unsigned number, StringRef what) {
  return std::to_string(number) + " " + what.str() + (number == 1 ? "" : "s");
}

} // namespace

SmallVector<int64_t> spinc::backend::markersOf(const Loop &loop,
                                               const LoopInfo &loops) {
  SmallVector<int64_t> markers;
  for (const BasicBlock *block : loop.blocks())
    if (loops.getLoopFor(block) == &loop)
      for (const Instruction &instruction : *block)
        if (const auto *call = dyn_cast<CallInst>(&instruction))
          if (const auto *text = dyn_cast<InlineAsm>(call->getCalledOperand()))
            if (std::optional<int64_t> id = markerId(text->getAsmString()))
              markers.push_back(*id);
  return markers;
}

HoistRemarks::HoistRemarks(LLVMContext &context)
    : context(context), before(context.getDiagnosticHandler()) {
  context.setDiagnosticHandler(std::make_unique<Listener>(byMarker));
}

HoistRemarks::~HoistRemarks() {
  context.setDiagnosticHandler(std::move(before));
}

LoopAttempts HoistRemarks::attempts() const {
  LoopAttempts list;
  for (const auto &[id, counts] : byMarker)
    if (counts.moved != 0)
      list.push_back({id,
                      {"hoist", true,
                       countOf(counts.moved, "instruction") + " moved out"}});
    else
      list.push_back({id,
                      {"hoist", false,
                       countOf(counts.keptLoads, "load") +
                           " of what the loop may write"}});
  return list;
}
