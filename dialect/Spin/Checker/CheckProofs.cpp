// spin-check-proofs: reads the certificates and believes none of them. The
// format is described in docs/certificates.md.
#include "dialect/Spin/Checker/Proof.h"
#include "dialect/Spin/Transforms/Passes.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINCHECKPROOFS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::checker;

namespace {

struct CheckProofs
    : public spinc::spin::impl::SpinCheckProofsBase<CheckProofs> {
  using SpinCheckProofsBase::SpinCheckProofsBase;

  void runOnOperation() override {
    getOperation().walk([&](HandlerOp handler) {
      Induction scope(handler);
      scope.walk([&](Operation *op) {
        if (failed(check(op, scope)))
          signalPassFailure();
      });
    });
  }

  LogicalResult refuse(Operation *op, const Twine &reason) {
    InFlightDiagnostic error = op->emitOpError() << reason;
    if (!after.empty())
      error << " after " << after.getValue();
    return error;
  }

  LogicalResult check(Operation *op, Induction &scope) {
    auto attribute = op->getAttrOfType<StringAttr>("spin.certificate");
    Proof proof(scope, attribute ? attribute.getValue() : "");
    for (auto [index, obligation] : llvm::enumerate(scope.obligations()))
      if (partial && !attribute)
        break;
      else if (!proof.proves(obligation))
        return refuse(op, "has no valid certificate for its obligation " +
                              Twine(index));
    if (!proof.isAtEnd())
      return refuse(op, "has a certificate with something behind its end");
    return checkMarker(op);
  }

  /// The bound in the table of the module is that of the loop.
  LogicalResult checkMarker(Operation *op) {
    auto marker = dyn_cast<LoopMarkerOp>(op);
    if (!marker)
      return success();
    auto table = getOperation()->getAttrOfType<ArrayAttr>("spin.loops");
    Attribute bound = marker->getParentOp()->getAttr("spin.bound");
    auto entry = table && marker.getId() < table.size()
                     ? dyn_cast<DictionaryAttr>(table[marker.getId()])
                     : DictionaryAttr();
    Operation *start = roundStart(marker->getParentOp());
    bool isEarly = start && start->getBlock() == marker->getBlock() &&
                   marker->isBeforeInBlock(start);
    if (bound && entry && entry.get("bound") == bound && !isEarly)
      return success();
    return refuse(op, "does not name a loop with this bound in 'spin.loops'");
  }
};

} // namespace
