// The stages from IR to image.
#include "compiler/Driver/Compilation.h"
#include "compiler/Backend/Pipelines.h"
#include "compiler/Backend/TranslateToLLVM.h"
#include "dialect/Spin/IR/SpinDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "runtime/abi/pspin.h"
#include "runtime/device/Frame.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::driver;

namespace {

bool isHandler(StringRef symbol) {
  return symbol.ends_with("_hh") || symbol.ends_with("_ph") ||
         symbol.ends_with("_th");
}

} // namespace

Compilation::Compilation(const Options &options, StringRef executable)
    : options(options), executable(executable), session(options),
      context(mlir::MLIRContext::Threading::DISABLED),
      bridge(&context, [this](mlir::Diagnostic &diagnostic) {
        session.takeDiagnostic(diagnostic);
      }) {
  codegen.optLevel = options.optLevel;
  llvmContext.setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo *info, void *session) {
        std::string text;
        raw_string_ostream stream(text);
        DiagnosticPrinterRawOStream printer(stream);
        info->print(printer);
        if (info->getSeverity() == DS_Error)
          static_cast<Session *>(session)->failInternally(text);
      },
      &session);
}

bool Compilation::endsAt(Stage stage,
                         function_ref<void(raw_ostream &)> print) {
  if (session.failed())
    return true;
  if (options.emit != stage)
    return false;
  std::string text;
  raw_string_ostream stream(text);
  print(stream);
  session.writeOutput(text);
  return true;
}

std::string Compilation::installedDir(StringRef name) const {
  SmallString<128> path(sys::path::parent_path(executable));
  sys::path::append(path, "..", "lib", "spinc", name);
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

bool Compilation::read() {
  source = session.readSource();
  return source != nullptr;
}

bool Compilation::parseIr() {
  if (source->path().ends_with(".ll"))
    return parseLlvm();
  return parseMlir();
}

bool Compilation::parseMlir() {
  mlir::DialectRegistry registry;
  backend::registerDialects(registry);
  context.appendDialectRegistry(registry);
  module = mlir::parseSourceString<mlir::ModuleOp>(
      source->text(), mlir::ParserConfig(&context), source->path());
  if (!module) {
    if (!session.failed())
      session.fail(diag::CannotReadIr, source->path(), "MLIR");
    return false;
  }
  return !endsAt(Stage::Spin, [&](raw_ostream &out) { module->print(out); });
}

bool Compilation::parseLlvm() {
  SMDiagnostic problem;
  llvmModule = parseIR(MemoryBufferRef(source->text(), source->path()),
                       problem, llvmContext);
  if (llvmModule)
    return true;
  session.fail(diag::CannotReadIr, source->path(),
               ("LLVM IR: " + problem.getMessage()).str());
  return false;
}

bool Compilation::runPasses(function_ref<void(mlir::OpPassManager &)> build) {
  mlir::PassManager passes(&context);
  build(passes);
  if (mlir::failed(passes.run(*module)) && !session.failed())
    session.failInternally("a pass failed without saying why");
  return !session.failed();
}

bool Compilation::optimizeSpin() {
  if (!module || module->getOps<spin::ContextOp>().empty())
    return true;
  if (!runPasses(backend::buildSpinOptimizePipeline))
    return false;
  return !endsAt(Stage::SpinOpt, [&](raw_ostream &out) { module->print(out); });
}

bool Compilation::lowerToLlvmDialect() {
  if (!module)
    return true;
  if (!runPasses(backend::buildSpinToLLVMPipeline))
    return false;
  return !endsAt(Stage::LlvmMlir,
                 [&](raw_ostream &out) { module->print(out); });
}

bool Compilation::makeLlvmIr() {
  if (module)
    llvmModule =
        backend::translateToLLVM(*module, llvmContext, options.input);
  if (!llvmModule) {
    session.failInternally("the module is not wholly in LLVM's dialect");
    return false;
  }
  machine = backend::createTargetMachine(codegen);
  backend::prepareModule(*llvmModule, *machine);
  backend::optimizeModule(*llvmModule, *machine, codegen);
  return !endsAt(Stage::Llvm,
                 [&](raw_ostream &out) { llvmModule->print(out, nullptr); });
}

bool Compilation::emitCode() {
  backend::CodeForm form = options.emit == Stage::Asm
                               ? backend::CodeForm::Assembly
                               : backend::CodeForm::Object;
  Expected<backend::Code> made =
      backend::emitCode(*llvmModule, *machine, form);
  if (!made) {
    session.failInternally(toString(made.takeError()));
    return false;
  }
  code = std::move(*made);
  auto print = [&](raw_ostream &out) { out << backend::asText(code.bytes); };
  return !endsAt(Stage::Asm, print) && !endsAt(Stage::Obj, print);
}

bool Compilation::checkStack() {
  constexpr uint64_t available = PSPIN_STACK_SIZE - SPINC_RUNTIME_FRAME_BYTES;
  for (const Function &function : *llvmModule) {
    if (function.isDeclaration() || !isHandler(function.getName()))
      continue;
    auto depth = code.stack.find(function.getName());
    if (depth == code.stack.end())
      session.failInternally("no stack depth of '" + function.getName().str() +
                             "'");
    else if (depth->second > available)
      session.fail(diag::StackTooLarge, function.getName(), depth->second,
                   available);
  }
  return !session.failed();
}

bool Compilation::link() {
  if (options.target != TargetKind::Pspin) {
    session.fail(diag::TargetNotLowered, targetName(options.target));
    return false;
  }
  if (!checkStack())
    return false;
  Expected<backend::Bytes> linked =
      backend::linkImage(backend::asText(code.bytes), installedDir(""));
  if (!linked) {
    session.fail(diag::CannotLink, toString(linked.takeError()));
    return false;
  }
  image = std::move(*linked);
  return true;
}

void Compilation::writeImage() {
  Expected<backend::Bytes> finished =
      backend::finishImage(backend::asText(image), "{}", options.debugInfo);
  if (!finished)
    session.failInternally(toString(finished.takeError()));
  else
    session.writeOutput(backend::asText(*finished));
}
