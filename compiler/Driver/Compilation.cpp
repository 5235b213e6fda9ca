// What the stages have in common: how they end, and where things are.
#include "compiler/Driver/Compilation.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace spinc::driver;

Compilation::Compilation(const Options &options, StringRef executable)
    : options(options), executable(executable), session(options),
      context(mlir::MLIRContext::Threading::DISABLED),
      bridge(&context, [this](mlir::Diagnostic &diagnostic) {
        session.takeDiagnostic(diagnostic);
      }) {
  context.printOpOnDiagnostic(false);
  setOptLevel(options.optLevel);
  llvmContext.setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo *info, void *session) {
        if (info->getSeverity() != DS_Error)
          return;
        std::string text;
        raw_string_ostream stream(text);
        DiagnosticPrinterRawOStream printer(stream);
        info->print(printer);
        static_cast<Session *>(session)->failInternally(text);
      },
      &session);
}

bool Compilation::endsAt(Stage stage, function_ref<void(raw_ostream &)> print) {
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

bool Compilation::read() {
  source = session.readSource();
  return source != nullptr;
}

void Compilation::readText(std::string text) {
  source = &session.sources.add(options.input, std::move(text));
}

void Compilation::setOptLevel(unsigned level) {
  codegen.optLevel = level;
  codegen.forSize = options.forSize;
  codegen.disabled = options.disabled;
  codegen.target = options.target;
  llvmModule.reset();
  machine.reset();
  code = {};
  image.clear();
  bounds.clear();
  functionBounds.clear();
}

std::string Compilation::installed(StringRef name) const {
  SmallString<128> path(sys::path::parent_path(executable));
  sys::path::append(path, "..", "lib", "spinc", name);
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

std::string Compilation::programName() const {
  return sys::path::stem(options.input).str();
}

spinc::LinkSpec Compilation::linkSpec() const {
  return {options.lineRate, options.hpus, options.mtu};
}
