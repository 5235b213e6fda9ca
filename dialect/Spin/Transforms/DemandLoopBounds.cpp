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

namespace {

/// The others end by themselves.
bool mayRunForEver(Operation *op) {
  return isa<scf::WhileOp>(op) && !op->hasAttr("spin.bound");
}

struct DemandLoopBoundsPass
    : public spinc::spin::impl::SpinDemandLoopBoundsBase<DemandLoopBoundsPass> {
  void runOnOperation() override {
    getOperation().walk([&](HandlerOp handler) {
      WalkResult found = handler.walk([](Operation *op) {
        return mayRunForEver(op) ? WalkResult::interrupt()
                                 : WalkResult::advance();
      });
      if (found.wasInterrupted() && failed(demandIn(handler)))
        signalPassFailure();
    });
  }

  static LogicalResult demandIn(HandlerOp handler) {
    HandlerFacts facts(handler);
    LoopCounts counts(facts);
    LogicalResult result = success();
    facts.walk([&](Operation *op) {
      if (mayRunForEver(op) && !counts.countOf(op))
        result = reportUnbounded(op);
    });
    return result;
  }
};

} // namespace
