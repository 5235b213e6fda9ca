// The stages of the driver, called one by one.
#include "test/Fuzz/Program.h"
#include "dialect/Spin/IR/SpinDialect.h"
#include "llvm/Support/raw_ostream.h"

using namespace spinc;
using namespace spinc::fuzz;

std::string Way::name() const {
  std::string text = forSize ? "-Os" : "-O" + std::to_string(level);
  if (target == isa::InstructionSet::Corev)
    text += " --target=corev";
  return text;
}

static driver::Options optionsFor(std::vector<std::string> importDirs,
                                  bool forSize,
                                  const backend::Ablations &disabled) {
  driver::Options options;
  options.input = "program.spinc";
  options.importDirs = std::move(importDirs);
  options.forSize = forSize;
  options.disabled = disabled;
  driver::disableForLevel(options);
  return options;
}

Program::Program(std::string text, llvm::StringRef executable,
                 std::vector<std::string> importDirs, bool forSize,
                 const backend::Ablations &disabled)
    : source(text),
      options(optionsFor(std::move(importDirs), forSize, disabled)),
      compilation(options, executable) {
  compilation.readText(std::move(text));
}

Verdict Program::verdictOf(Verdict rejection) const {
  const driver::Session &session = compilation.state();
  if (!session.failed())
    return Verdict::Accepted;
  return session.diagnostics.hasErrors() ? rejection : Verdict::Internal;
}

Verdict Program::prove() {
  if (!compilation.parse() || !compilation.analyze())
    return verdictOf(Verdict::RejectedBySema);
  hasTypes = true;
  if (!compilation.generate())
    return verdictOf(Verdict::RejectedByProver);
  driver::Unrolling asked;
  if (unrolled != 0)
    compilation.spinModule().walk([&](spin::HandlerOp handler) {
      asked[handler.getImageSymbol()] = unrolled;
    });
  compilation.setUnrolling(std::move(asked));
  if (!compilation.optimizeSpin())
    return verdictOf(Verdict::RejectedByProver);
  compilation.lowerToLlvmDialect();
  return verdictOf(Verdict::RejectedByProver);
}

Verdict Program::makeObject(const Way &way) {
  options.target = way.target;
  compilation.setOptLevel(way.level);
  if (compilation.makeLlvmIr())
    compilation.emitCode();
  return verdictOf(Verdict::RejectedByBackEnd);
}

Verdict Program::makeImage() {
  if (compilation.link() && compilation.boundCycles() &&
      compilation.enforceBudgets())
    compilation.completeImage();
  return verdictOf(Verdict::RejectedByBackEnd);
}

std::string Program::errorCode() const {
  for (const Diagnostic &diagnostic :
       compilation.state().diagnostics.diagnostics())
    if (diagnostic.severity == Severity::Error)
      return diagnostic.code.str();
  return "";
}

std::string Program::messages() const {
  std::string text = compilation.state().internalMessage().str();
  llvm::raw_string_ostream out(text);
  compilation.state().diagnostics.render(out);
  return text;
}
