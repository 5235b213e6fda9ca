// Attaches upper bounds on iterations to loops that have none. A loop whose
// bound cannot be derived stays without.
#include "dialect/Spin/Analysis/NestedTotals.h"
#include "dialect/Spin/Analysis/SharedTotals.h"
#include "dialect/Spin/Transforms/Passes.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPININFERLOOPBOUNDS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

struct InferLoopBoundsPass
    : public spinc::spin::impl::SpinInferLoopBoundsBase<InferLoopBoundsPass> {
  /// The count that the guard compared goes on for nobody. Without the guard it
  /// is another question whether it wraps.
  static void remove(RequireOp guard) {
    auto cmp = guard.getCondition().getDefiningOp<arith::CmpIOp>();
    guard.erase();
    for (Operation *user : cmp.getLhs().getUsers())
      if (auto next = dyn_cast<arith::AddIOp>(user))
        if (llvm::all_of(next->getUsers(), llvm::IsaPred<scf::YieldOp>))
          next.setOverflowFlags(arith::IntegerOverflowFlags::none);
  }

  static void setWeight(Operation *loop, int64_t weight) {
    loop->setAttr(weightAttrName,
                  Builder(loop->getContext()).getI64IntegerAttr(weight));
  }

  void runOnOperation() override {
    getOperation().walk([&](HandlerOp handler) {
      // Right behind spin-prove-bounds: of that pass.
      auto &facts = getAnalysisManager()
                        .nest(handler)
                        .getAnalysis<HandlerFacts, HandlerOp>();
      LoopCounts counts(facts);
      SharedTotals totals(facts, counts);
      facts.walk([&](Operation *op) {
        totals.visit(op);
        if (!isa<scf::ForOp, scf::WhileOp, ForPiecesOp>(op) ||
            op->hasAttr("spin.bound"))
          return;
        if (std::optional<BoundAttr> bound = counts.countOf(op))
          op->setAttr("spin.bound", *bound);
      });
      for (RequireOp guard : counts.getNeedlessGuards())
        remove(guard);
      for (const SharedTotal &total : totals.take()) {
        total.loop->setAttr(totalAttrName, total.limit);
        for (auto [loop, weight] : total.weights)
          setWeight(loop, weight);
      }
      handler.walk([&](scf::ForOp loop) {
        std::optional<int64_t> sum = sumRounds(loop);
        if (!sum)
          return;
        loop->setAttr(totalAttrName, constantBound(*sum, &getContext()));
        setWeight(loop, 1);
      });
    });
  }
};

} // namespace
