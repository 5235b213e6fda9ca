// Collects the diagnostics of one compilation. Stages report and go on; the
// driver renders everything once at the end. One cause gives one error: a
// second report of the same code at the same range is dropped.
#ifndef SPINC_DIAGNOSTICS_ENGINE_H
#define SPINC_DIAGNOSTICS_ENGINE_H

#include "compiler/Diagnostics/Diagnostic.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>

namespace spinc {

/// Adds supporting lines to a diagnostic that was just reported:
///   engine.report(diag::OutOfBounds, range, "bin", 1024)
///       .witness("word = 1024").fix("guard it with 'if (word < 1024)'");
class DiagnosticBuilder {
public:
  explicit DiagnosticBuilder(Diagnostic &target) : target(target) {}

  DiagnosticBuilder &note(SourceRange range, std::string message);
  DiagnosticBuilder &reason(std::string text);
  DiagnosticBuilder &witness(std::string text);
  DiagnosticBuilder &fix(std::string text);
  DiagnosticBuilder &fixIt(SourceRange range, std::string replacement);

private:
  Diagnostic &target;
};

class DiagnosticEngine {
public:
  /// Reports one row of Codes.def; the arguments are those of its signature.
  template <typename... Arguments>
  DiagnosticBuilder report(const DiagnosticSpec<void(Arguments...)> &spec,
                           SourceRange range,
                           std::common_type_t<Arguments>... arguments) {
    return add(spec.code, spec.severity, range,
               llvm::formatv(spec.format, arguments...).str());
  }

  /// Reports under a code whose text the caller has made.
  DiagnosticBuilder add(llvm::StringRef code, Severity severity,
                        SourceRange range, std::string message);

  /// Takes a diagnostic that is complete.
  DiagnosticBuilder add(Diagnostic diagnostic);

  bool hasErrors() const { return errors != 0; }
  unsigned errorCount() const { return errors; }
  /// Errors beyond the limit, which were not kept.
  unsigned hiddenErrorCount() const {
    return errors > maximumErrors ? errors - maximumErrors : 0;
  }
  const std::deque<Diagnostic> &diagnostics() const { return collected; }
  /// Those of one file by their places, whichever stage found them first; files
  /// as they came up, and last what has no place.
  std::vector<const Diagnostic *> inOrderOfText() const;

  void setWarningsAreErrors(bool enable) { warningsAreErrors = enable; }

  /// Prints everything in the order of the text; with `color` for terminals
  /// only.
  void render(llvm::raw_ostream &out, bool color = false) const;

  /// Errors beyond this number are counted, not kept.
  static constexpr unsigned maximumErrors = 20;

private:
  std::deque<Diagnostic> collected;
  /// Takes the supporting lines of dropped reports.
  Diagnostic dropped;
  unsigned errors = 0;
  bool warningsAreErrors = false;
};

} // namespace spinc

#endif // SPINC_DIAGNOSTICS_ENGINE_H
