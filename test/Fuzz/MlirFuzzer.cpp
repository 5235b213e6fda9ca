// Fuzz target: any text through the reader of .mlir files, the verifiers and
// the prover. With libFuzzer (preset fuzz) or Replay.cpp.
#include "compiler/Backend/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "test/Fuzz/WorkLimit.h"
#include <cstdlib>

using namespace mlir;

namespace {

/// A context is dear to make, and never forgets a type: one for some inputs.
class Reader {
public:
  Reader()
      : context(MLIRContext::Threading::DISABLED),
        silent(&context, [](Diagnostic &) { return success(); }) {
    DialectRegistry registry;
    spinc::backend::registerDialects(registry);
    context.appendDialectRegistry(registry);
  }

  void read(StringRef text) {
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text, ParserConfig(&context));
    if (!module)
      return;
    PassManager passes(&context);
    spinc::backend::buildSpinCheckPipeline(passes);
    spinc::backend::buildSpinOptimizePipeline(passes);
    bool accepted = succeeded(passes.run(*module));
    if (accepted && failed(verify(*module)))
      std::abort(); // a pass has made an invalid module
  }

private:
  MLIRContext context;
  ScopedDiagnosticHandler silent;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spinc::fuzz::WorkLimit limit;
  static std::unique_ptr<Reader> reader;
  static unsigned uses = 0;
  if (uses++ % 256 == 0)
    reader = std::make_unique<Reader>();
  reader->read(StringRef(reinterpret_cast<const char *>(data), size));
  return 0;
}
