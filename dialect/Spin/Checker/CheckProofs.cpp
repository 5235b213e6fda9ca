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
      if (!proof.proves(obligation))
        return refuse(op, "has no valid certificate for its obligation " +
                              Twine(index));
    if (!proof.isAtEnd())
      return refuse(op, "has a certificate with something behind its end");
    return success();
  }
};

} // namespace
