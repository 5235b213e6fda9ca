#include "dialect/Spin/Transforms/CheckedPasses.h"
#include "dialect/Spin/Certify/Certify.h"
#include "dialect/Spin/Checker/CheckProofs.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "dialect/Spin/Transforms/StripCertificates.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace spinc::spin;

namespace {

/// What a module says, but for the places in the source: equal ones are the
/// same operations with the same attributes, operands and types.
class Snapshot {
public:
  explicit Snapshot(Operation *module, size_t expected = 0) {
    words.reserve(expected);
    module->walk<WalkOrder::PreOrder>([&](Operation *op) { take(op); });
  }
  bool operator==(const Snapshot &other) const { return words == other.words; }
  size_t size() const { return words.size(); }

private:
  void take(const void *thing) { words.push_back(uintptr_t(thing)); }
  void take(Type type) { take(type.getAsOpaquePointer()); }
  void take(Operation *op) {
    take(op->getName().getAsOpaquePointer());
    take(static_cast<const void *>(op));
    take(op->getBlock());
    take(op->getRawDictionaryAttrs().getAsOpaquePointer());
    words.push_back(size_t(op->hashProperties()));
    words.push_back(op->getNumOperands());
    for (Value operand : op->getOperands())
      take(operand.getAsOpaquePointer());
    words.push_back(op->getNumResults());
    for (Type type : op->getResultTypes())
      take(type);
    for (Block *next : op->getSuccessors())
      take(next);
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        take(&block);
        for (Type type : block.getArgumentTypes())
          take(type);
      }
  }

  std::vector<uintptr_t> words;
};

class CheckedPasses
    : public PassWrapper<CheckedPasses, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckedPasses)

  CheckedPasses(OpPassManager passes, StringRef culprit,
                std::shared_ptr<certify::Memory> memory)
      : passes(std::move(passes)), culprit(culprit), memory(std::move(memory)) {
  }

  StringRef getName() const override { return "CheckedPasses"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    passes.getDependentDialects(registry);
  }

  void runOnOperation() override {
    Snapshot before(getOperation());
    if (failed(runPipeline(passes, getOperation())))
      return signalPassFailure();
    // What stays as it is keeps its proofs.
    if (!(before == Snapshot(getOperation(), before.size()))) {
      // Whoever runs this may not have it done behind each pass.
      if (failed(verify(getOperation())) || failed(proveAnew()))
        return signalPassFailure();
      stripCertificates(getOperation());
    }
    // Since it was verified only attributes came and went.
    getAnalysisManager().clear();
    markAllAnalysesPreserved();
  }

private:
  bool certify(bool believes) {
    return certifyModule(
        getOperation(), /*dropFlags=*/false, memory.get(), [](Operation *) {},
        believes);
  }

  LogicalResult check() {
    return checker::checkProofs(getOperation(), culprit);
  }

  bool holdsQuietly() {
    ScopedDiagnosticHandler silence(&getContext(),
                                    [](Diagnostic &) { return success(); });
    return succeeded(check());
  }

  /// Most certificates outlive a pass: it saves time to leave them to the
  /// checker, and to look at them one by one only if it finds fault with some.
  LogicalResult proveAnew() {
    if (certify(/*believes=*/true)) {
      if (holdsQuietly())
        return success();
      if (certify(/*believes=*/false))
        return check();
    }
    return success(certifyWithProver() && succeeded(check()));
  }

  /// If templates for invariants do not do, those of the prover may.
  bool certifyWithProver() {
    // On its own: a pipeline within this one may not fail and go on.
    PassManager prove(&getContext());
    prove.addPass(createSpinProveBounds());
    {
      // What it says is meant for those who wrote the program.
      ScopedDiagnosticHandler silence(&getContext(),
                                      [](Diagnostic &) { return success(); });
      (void)prove.run(getOperation());
    }
    // Folding keeps flags that no longer hold.
    return certifyModule(
        getOperation(), /*dropFlags=*/true, memory.get(),
        [&](Operation *op) { reportUncertified(op, culprit); });
  }

  OpPassManager passes;
  std::string culprit;
  std::shared_ptr<certify::Memory> memory;
};

} // namespace

std::unique_ptr<Pass>
spinc::spin::createCheckedPasses(OpPassManager passes, StringRef culprit,
                                 std::shared_ptr<certify::Memory> memory) {
  return std::make_unique<CheckedPasses>(std::move(passes), culprit,
                                         std::move(memory));
}
