// The stages over IR: the spin dialect, LLVM's dialect and LLVM IR.
#include "compiler/Backend/Pipelines.h"
#include "compiler/Backend/RejectedModule.h"
#include "compiler/Backend/TranslateToLLVM.h"
#include "compiler/Driver/Compilation.h"
#include "dialect/Spin/IR/SpinDialect.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::driver;

bool Compilation::startsAsIr() const {
  return source->path().ends_with(".mlir") || source->path().ends_with(".ll");
}

bool Compilation::parseIr() {
  return source->path().ends_with(".ll") ? parseLlvm() : parseMlir();
}

bool Compilation::parseMlir() {
  mlir::DialectRegistry registry;
  backend::registerDialects(registry);
  context.appendDialectRegistry(registry);
  module = mlir::parseSourceString<mlir::ModuleOp>(
      source->text(), mlir::ParserConfig(&context), source->path());
  if (!module && !session.failed())
    session.fail(diag::CannotReadIr, source->path(), "MLIR");
  return !endsAt(Stage::Spin, [&](raw_ostream &out) { module->print(out); });
}

bool Compilation::parseLlvm() {
  SMDiagnostic problem;
  llvmModule = parseIR(MemoryBufferRef(source->text(), source->path()), problem,
                       llvmContext);
  if (llvmModule)
    return true;
  session.fail(diag::CannotReadIr, source->path(),
               ("LLVM IR: " + problem.getMessage()).str());
  return false;
}

namespace {
/// Tells of passes that leave another program than they found.
class ChangeWatcher : public mlir::PassInstrumentation {
public:
  explicit ChangeWatcher(const std::function<void(StringRef pass)> &tell)
      : tell(tell) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    before.insert({pass, mlir::OperationFingerPrint(op)});
  }
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    auto found = before.find(pass);
    if (found->second != mlir::OperationFingerPrint(op))
      tell(pass->getArgument());
    before.erase(found);
  }

private:
  const std::function<void(StringRef pass)> &tell;
  std::map<mlir::Pass *, mlir::OperationFingerPrint> before;
};
} // namespace

bool Compilation::runPasses(function_ref<void(mlir::OpPassManager &)> build) {
  mlir::PassManager passes(&context);
  // Here, once, rather than behind each pass; CheckedPasses do so themselves
  // before they prove anything again.
  passes.enableVerifier(false);
  build(passes);
  // Prints when it is destroyed.
  mlir::DefaultTimingManager timing;
  timing.setEnabled(options.timeReport);
  timing.setDisplayMode(mlir::DefaultTimingManager::DisplayMode::List);
  mlir::TimingScope timed = timing.getRootScope();
  passes.enableTiming(timed);
  if (passWatcher)
    passes.addInstrumentation(std::make_unique<ChangeWatcher>(passWatcher));
  // Errors of earlier stages may have been told.
  unsigned before = session.diagnostics.errorCount();
  bool succeeded = mlir::succeeded(passes.run(*module));
  if (!succeeded && !session.failed())
    session.failInternally("a pass failed without saying why");
  if (succeeded && mlir::failed(mlir::verify(*module)))
    session.failInternally("a pass made a module that is not valid");
  return succeeded && session.diagnostics.errorCount() == before &&
         session.internalMessage().empty();
}

/// Tells spin-unroll-loops what is asked of it.
void Compilation::markUnrolling() {
  if (unrolling.empty())
    return;
  module->walk([&](spin::HandlerOp handler) {
    auto asked = unrolling.find(handler.getImageSymbol());
    if (asked != unrolling.end())
      handler->setAttr(
          spin::unrollAttrName,
          mlir::Builder(&context).getI32IntegerAttr(int32_t(asked->second)));
  });
}

bool Compilation::proveAccesses() {
  auto build = options.emitRejected ? backend::buildRejectedPipeline
                                    : backend::buildSpinOptimizePipeline;
  // What the prover finds is told beside broken rules.
  bool keepsRules = runPasses(backend::buildSpinCheckPipeline);
  return runPasses([&](mlir::OpPassManager &passes) {
           build(passes, options.disabled);
         }) &&
         keepsRules;
}

bool Compilation::checkBudgets() {
  // The report says more than that there is no hope.
  return options.emit == Stage::SpinOpt || options.emit == Stage::Report ||
         runPasses([&](mlir::OpPassManager &passes) {
           passes.addPass(
               spin::createSpinCheckBudgets({options.commandLatency}));
         });
}

bool Compilation::optimizeSpin() {
  if (!module)
    return true;
  markUnrolling();
  auto print = [&](raw_ostream &out) { module->print(out); };
  if (module->getOps<spin::ContextOp>().empty())
    return !endsAt(Stage::SpinOpt, print);
  if (!proveAccesses())
    return false;
  facts = backend::collectFacts(*module, types.program(),
                                {linkSpec(), options.lineRateGiven});
  if (options.emit == Stage::SpinBound)
    provedModule = module->clone();
  return !endsAt(Stage::SpinOpt, print) && checkBudgets();
}

bool Compilation::lowerToLlvmDialect() {
  if (!module)
    return true;
  if (!runPasses([&](mlir::OpPassManager &passes) {
        backend::buildSpinToLLVMPipeline(passes, options.disabled);
      }))
    return false;
  return !endsAt(Stage::LlvmMlir,
                 [&](raw_ostream &out) { module->print(out); });
}

bool Compilation::makeLlvmIr() {
  machine = backend::createTargetMachine(codegen);
  if (module)
    llvmModule = backend::translateToLLVM(
        *module, llvmContext, options.input,
        machine->createDataLayout().getStringRepresentation());
  if (!llvmModule) {
    session.failInternally("the module is not wholly in LLVM's dialect");
    return false;
  }
  // Source lines are needed for the cycle bound; who reads what comes before
  // the image sees them only with -g.
  bool boundFollows =
      options.emit == Stage::Elf || options.emit == Stage::Report ||
      options.emit == Stage::SpinBound || options.emit == Stage::Stubs;
  if (!options.debugInfo && !boundFollows)
    StripDebugInfo(*llvmModule);
  if (options.emitRejected)
    backend::prepareRejected(*llvmModule);
  backend::prepareModule(*llvmModule, *machine);
  noteAttempts(backend::optimizeModule(*llvmModule, *machine, codegen));
  return !endsAt(Stage::Llvm,
                 [&](raw_ostream &out) { llvmModule->print(out, nullptr); });
}
