// spin-certify: certificates for all obligations of all handlers.
#include "dialect/Spin/Certify/Certify.h"
#include "dialect/Spin/Certify/HandlerCertifier.h"
#include "dialect/Spin/Certify/StateClaims.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINCERTIFY
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::certify;

namespace {

/// The handlers of a context: the later ones may rely on what the header
/// handler claims about plain fields, and those claims that they cite are kept.
class ContextCertifier {
public:
  ContextCertifier(ContextOp context, Memory *memory, bool believes) {
    for (HandlerOp handler : context.getBody().getOps<HandlerOp>()) {
      handler->removeAttr(claimsAttrName);
      auto certifier =
          std::make_unique<HandlerCertifier>(handler, memory, believes);
      if (handler.getKind() != HandlerKind::Header)
        later.push_back(std::move(certifier));
      else
        headers.emplace_back(handler, std::move(certifier));
    }
  }
  bool run();
  void write();
  void report(llvm::function_ref<void(Operation *)> tell) const;

private:
  bool certifyLater(bool guess);
  bool claim(bool relations);
  bool proveCited(bool guess);
  void writeClaims();

  std::vector<std::pair<HandlerOp, std::unique_ptr<HandlerCertifier>>> headers;
  std::vector<std::unique_ptr<HandlerCertifier>> later;
  /// As the header handler claims them; those that it does not keep are empty.
  std::vector<std::string> claims;
};

bool ContextCertifier::run() {
  for (auto &[header, certifier] : headers)
    if (!certifier->search(/*guess=*/true))
      return false;
  return proveCited(/*guess=*/false) ||
         (claim(/*relations=*/false) && proveCited(/*guess=*/false)) ||
         proveCited(/*guess=*/true) ||
         (claim(/*relations=*/true) && proveCited(/*guess=*/true));
}

bool ContextCertifier::certifyLater(bool guess) {
  bool holds = true;
  for (const auto &certifier : later)
    holds &= certifier->search(guess);
  return holds;
}

void ContextCertifier::writeClaims() {
  std::string text;
  for (const std::string &claim : claims)
    text += claim.empty() ? "inv 0 ; " : claim;
  for (auto &[header, certifier] : headers)
    if (text.empty())
      header->removeAttr(claimsAttrName);
    else
      header->setAttr(claimsAttrName,
                      StringAttr::get(header->getContext(), text));
}

/// Has the header handler claim more. False if there is no more.
bool ContextCertifier::claim(bool relations) {
  size_t before = claims.size();
  for (auto &[header, certifier] : headers) {
    certifier->write({});
    for (std::string &form : stateClaims(header, relations))
      if (!llvm::is_contained(claims, form))
        claims.push_back(std::move(form));
  }
  writeClaims();
  return claims.size() > before;
}

/// Whether the later handlers get by with what the header handler can prove of
/// its claims.
bool ContextCertifier::proveCited(bool guess) {
  while (certifyLater(guess)) {
    std::set<unsigned> cited;
    for (const auto &certifier : later)
      for (unsigned index : certifier->citedClaims())
        cited.insert(index);
    std::set<unsigned> failed;
    for (auto &[header, certifier] : headers) {
      certifier->demand(cited);
      if (!certifier->search(guess))
        failed = certifier->failedClaims();
    }
    if (failed.empty())
      return true;
    for (unsigned index : failed)
      claims[index].clear();
    writeClaims();
    for (const auto &certifier : later)
      certifier->forget(failed);
  }
  return false;
}

/// Writes all attributes, with those claims that are cited.
void ContextCertifier::write() {
  Places places;
  std::vector<std::string> kept;
  for (const auto &certifier : later)
    for (unsigned index : certifier->citedClaims())
      if (places.try_emplace(index, kept.size()).second)
        kept.push_back(claims[index]);
  claims = std::move(kept);
  writeClaims();
  for (auto &[header, certifier] : headers)
    certifier->write(places);
  for (const auto &certifier : later)
    certifier->write(places);
}

void ContextCertifier::report(
    llvm::function_ref<void(Operation *)> tell) const {
  for (const auto &[header, certifier] : headers)
    certifier->report(tell);
  for (const auto &certifier : later)
    certifier->report(tell);
}

struct CertifyPass : public spinc::spin::impl::SpinCertifyBase<CertifyPass> {
  using SpinCertifyBase::SpinCertifyBase;
  CertifyPass(const SpinCertifyOptions &options, std::shared_ptr<Memory> memory)
      : SpinCertifyBase(options), memory(std::move(memory)) {}

  void runOnOperation() override {
    if (!certifyModule(
            getOperation(), dropFlags, memory.get(),
            [&](Operation *op) { reportUncertified(op, after.getValue()); }))
      signalPassFailure();
    // Attributes came and went: nothing that needs to be verified.
    getAnalysisManager().clear();
    markAllAnalysesPreserved();
  }

  std::shared_ptr<Memory> memory;
};

} // namespace

std::unique_ptr<Pass>
spinc::spin::createCertifyPass(StringRef after, bool dropFlags,
                               std::shared_ptr<Memory> memory) {
  return std::make_unique<CertifyPass>(
      SpinCertifyOptions{after.str(), dropFlags}, std::move(memory));
}

/// Takes back what an operation promises about its result. True if it did.
static bool takeBack(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  if (!flags ||
      flags.getOverflowAttr().getValue() == arith::IntegerOverflowFlags::none)
    return false;
  op->setAttr(flags.getIntegerOverflowAttrName(),
              arith::IntegerOverflowFlagsAttr::get(
                  op->getContext(), arith::IntegerOverflowFlags::none));
  return true;
}

/// Certificates for one context, and what is short of one.
static SmallVector<Operation *> certifyContext(ContextOp context,
                                               Memory *memory, bool believes) {
  SmallVector<Operation *> missing;
  ContextCertifier certifier(context, memory, believes);
  if (!certifier.run())
    certifier.report([&](Operation *op) { missing.push_back(op); });
  certifier.write();
  return missing;
}

bool spinc::spin::certifyModule(ModuleOp module, bool dropFlags, Memory *memory,
                                llvm::function_ref<void(Operation *)> report,
                                bool believes) {
  bool holds = true;
  module.walk([&](ContextOp context) {
    SmallVector<Operation *> missing =
        certifyContext(context, memory, believes);
    while (dropFlags && llvm::count_if(missing, takeBack) != 0)
      missing = certifyContext(context, memory, believes);
    if (missing.empty())
      return;
    holds = false;
    report(missing.front());
  });
  return holds;
}

void spinc::spin::reportUncertified(Operation *op, StringRef after) {
  InFlightDiagnostic error = op->emitError(
      "E0420: what is proved here cannot be written down for the checker");
  error.attachNote() << "reason: no certificate is found within the limits of "
                        "the search"
                     << (after.empty() ? "" : " after ") << after;
  error.attachNote() << "fix: split the expression, or state the fact that "
                        "matters as a condition right before it";
}
