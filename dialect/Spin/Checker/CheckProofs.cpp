// spin-check-proofs: reads the certificates and believes none of them. The
// format is described in docs/certificates.md.
#include "dialect/Spin/Checker/CheckProofs.h"
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
    if (failed(checkProofs(getOperation(), after)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace

static LogicalResult check(Operation *op, Induction &scope, StringRef after) {
  auto refuse = [&](const Twine &reason) -> LogicalResult {
    return op->emitOpError()
           << reason << (after.empty() ? "" : " after ") << after;
  };
  auto attribute = llvm::dyn_cast_or_null<StringAttr>(
      op->getDiscardableAttr("spin.certificate"));
  Proof proof(scope, attribute ? attribute.getValue() : "");
  for (auto [index, obligation] : llvm::enumerate(scope.obligations()))
    if (!proof.proves(obligation))
      return refuse("has no valid certificate for its obligation " +
                    Twine(index));
  return proof.isAtEnd()
             ? success()
             : refuse("has a certificate with something behind its end");
}

LogicalResult checker::checkProofs(ModuleOp module, StringRef after) {
  bool holds = true;
  module.walk([&](HandlerOp handler) {
    Induction scope(handler);
    scope.walk(
        [&](Operation *op) { holds &= succeeded(check(op, scope, after)); });
  });
  return success(holds);
}
