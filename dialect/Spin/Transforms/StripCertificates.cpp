// spin-strip-certificates: a certificate speaks of the program around it, so
// it goes before that changes.
#include "dialect/Spin/Transforms/StripCertificates.h"
#include "dialect/Spin/Transforms/Passes.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINSTRIPCERTIFICATES
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

namespace {

struct StripCertificates
    : public spinc::spin::impl::SpinStripCertificatesBase<StripCertificates> {
  void runOnOperation() override {
    spinc::spin::stripCertificates(getOperation());
    // No analysis reads them, nor does the verifier.
    markAllAnalysesPreserved();
  }
};

} // namespace

void spinc::spin::stripCertificates(mlir::ModuleOp module) {
  // Looked up once, not at each operation.
  auto certificate =
           mlir::StringAttr::get(module.getContext(), "spin.certificate"),
       claims = mlir::StringAttr::get(module.getContext(), "spin.claims");
  module.walk([&](mlir::Operation *op) {
    op->removeDiscardableAttr(certificate);
    op->removeDiscardableAttr(claims);
  });
}
