// spin-demand-loop-bounds: refuses the loops for which no bound is found, while
// all of them are there.
#include "dialect/Spin/Analysis/LoopCounts.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "dialect/Spin/Transforms/UnboundedLoop.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINDEMANDLOOPBOUNDS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

/// The others end by themselves.
static bool mayRunForEver(Operation *op) {
  return isa<scf::WhileOp>(op) && !op->hasAttr("spin.bound");
}

LogicalResult
spinc::spin::demandLoopBounds(HandlerOp handler,
                              function_ref<bool(Operation *)> isExcused) {
  WalkResult found = handler.walk([](Operation *op) {
    return mayRunForEver(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!found.wasInterrupted())
    return success();
  HandlerFacts facts(handler);
  LoopCounts counts(facts);
  LogicalResult result = success();
  facts.walk([&](Operation *op) {
    if (mayRunForEver(op) && !isExcused(op) && !counts.countOf(op))
      result = reportUnbounded(op);
  });
  return result;
}

namespace {

struct DemandLoopBoundsPass
    : public spinc::spin::impl::SpinDemandLoopBoundsBase<DemandLoopBoundsPass> {
  void runOnOperation() override {
    getOperation().walk([&](HandlerOp handler) {
      if (failed(demandLoopBounds(handler, [](Operation *) { return false; })))
        signalPassFailure();
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
