// Bookkeeping of diagnostics: de-duplication, the limit, supporting lines.
#include "compiler/Diagnostics/Engine.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace spinc {

DiagnosticBuilder &DiagnosticBuilder::note(SourceRange range,
                                           std::string message) {
  target.notes.push_back({range, std::move(message)});
  return *this;
}

DiagnosticBuilder &DiagnosticBuilder::reason(std::string text) {
  target.reasons.push_back(std::move(text));
  return *this;
}

DiagnosticBuilder &DiagnosticBuilder::witness(std::string text) {
  target.witnesses.push_back(std::move(text));
  return *this;
}

DiagnosticBuilder &DiagnosticBuilder::fix(std::string text) {
  target.fixes.push_back(std::move(text));
  return *this;
}

DiagnosticBuilder &DiagnosticBuilder::fixIt(SourceRange range,
                                            std::string replacement) {
  target.fixIts.push_back({range, std::move(replacement)});
  return *this;
}

DiagnosticBuilder DiagnosticEngine::add(llvm::StringRef code, Severity severity,
                                        SourceRange range,
                                        std::string message) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.severity = severity;
  diagnostic.range = range;
  diagnostic.message = std::move(message);
  return add(std::move(diagnostic));
}

DiagnosticBuilder DiagnosticEngine::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::Warning && warningsAreErrors)
    diagnostic.severity = Severity::Error;
  for (const Diagnostic &earlier : collected)
    if (earlier.code == diagnostic.code && earlier.range == diagnostic.range &&
        earlier.range.isValid())
      return DiagnosticBuilder(dropped);
  if (diagnostic.severity == Severity::Error && ++errors > maximumErrors)
    return DiagnosticBuilder(dropped);
  collected.push_back(std::move(diagnostic));
  return DiagnosticBuilder(collected.back());
}

std::vector<const Diagnostic *> DiagnosticEngine::inOrderOfText() const {
  llvm::DenseMap<const SourceFile *, unsigned> files;
  std::vector<const Diagnostic *> ordered;
  for (const Diagnostic &diagnostic : collected) {
    files.try_emplace(diagnostic.range.file, files.size());
    ordered.push_back(&diagnostic);
  }
  files[nullptr] = files.size();
  llvm::stable_sort(ordered, [&](const Diagnostic *a, const Diagnostic *b) {
    return std::pair(files.lookup(a->range.file), a->range.begin) <
           std::pair(files.lookup(b->range.file), b->range.begin);
  });
  return ordered;
}

} // namespace spinc
