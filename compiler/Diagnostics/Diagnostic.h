// What the compiler says to its user, as data: a code, a place, a sentence and
// its supporting lines. How it looks is Render.cpp's business; who says it is
// found by the code. Codes and texts live in Codes.def.
#ifndef SPINC_DIAGNOSTICS_DIAGNOSTIC_H
#define SPINC_DIAGNOSTICS_DIAGNOSTIC_H

#include "compiler/Source/SourceFile.h"

#include <optional>
#include <string>
#include <vector>

namespace spinc {

enum class Severity { Error, Warning, Note };

/// A remark that supports a diagnostic, at a place of its own or nowhere.
struct DiagnosticNote {
  SourceRange range;
  std::string message;
};

/// A replacement that would repair the program.
struct FixIt {
  SourceRange range;
  std::string replacement;
};

struct Diagnostic {
  llvm::StringRef code;
  Severity severity = Severity::Error;
  /// Invalid for what has no place in a source, such as a missing file.
  SourceRange range;
  std::string message;
  std::vector<DiagnosticNote> notes;
  std::vector<std::string> reasons;
  std::vector<std::string> witnesses;
  std::vector<std::string> fixes;
  std::vector<FixIt> fixIts;
  /// JSON of the packet that shows the mistake, for spinc-sim; usually empty.
  std::string replay;
};

/// One row of Codes.def. `Signature` is void(argument types…).
template <typename Signature> struct DiagnosticSpec {
  const char *code;
  Severity severity;
  const char *format;
};

namespace diag {
#define DIAG(CODE, NAME, SEVERITY, FORMAT, ARGUMENTS)                          \
  inline constexpr DiagnosticSpec<void ARGUMENTS> NAME{                        \
      #CODE, Severity::SEVERITY, FORMAT};
#include "compiler/Diagnostics/Codes.def"
} // namespace diag

} // namespace spinc

#endif // SPINC_DIAGNOSTICS_DIAGNOSTIC_H
