// Attaches upper bounds on iterations to loops that have none. A loop whose
// bound cannot be derived stays without.
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
  void runOnOperation() override {
    getOperation().walk([&](HandlerOp handler) {
      HandlerFacts facts(handler);
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
        guard.erase();
      for (const SharedTotal &total : totals.take()) {
        total.loop->setAttr(totalAttrName, total.limit);
        for (auto [loop, weight] : total.weights)
          loop->setAttr(weightAttrName,
                        Builder(loop->getContext()).getI64IntegerAttr(weight));
      }
    });
  }
};

} // namespace
