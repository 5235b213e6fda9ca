// Locations of operations lead back to bytes of the source: IRGen gives each
// the range it came from.
#include "compiler/Driver/MlirDiagnostics.h"
#include "compiler/Driver/Repairs.h"
#include "dialect/Spin/IR/SourcePlace.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace spinc;

namespace {

/// Where the functions are called that `location` lies in, innermost first.
SmallVector<mlir::Location> callsAround(mlir::Location location) {
  SmallVector<mlir::Location> calls;
  std::optional<mlir::Location> current = location;
  while (current) {
    if (auto name = dyn_cast<mlir::NameLoc>(*current)) {
      current = name.getChildLoc();
    } else if (auto call = dyn_cast<mlir::CallSiteLoc>(*current)) {
      calls.push_back(call.getCaller());
      current = call.getCaller();
    } else {
      current = std::nullopt;
    }
  }
  return calls;
}

/// Lines and columns count from 1; a column is a byte.
uint32_t offsetOf(StringRef text, unsigned line, unsigned column) {
  size_t start = 0;
  for (unsigned current = 1; current < line; ++current) {
    size_t newline = text.find('\n', start);
    if (newline == StringRef::npos)
      return static_cast<uint32_t>(text.size());
    start = newline + 1;
  }
  size_t offset = start + (column ? column - 1 : 0);
  return static_cast<uint32_t>(std::min(offset, text.size()));
}

bool isCode(StringRef word) {
  return word.size() == 5 && word[0] == 'E' &&
         llvm::all_of(word.drop_front(), llvm::isDigit);
}

/// Splits "E0401: text" into code and text. No code, no message of ours.
StringRef takeCode(StringRef &message) {
  auto [first, rest] = message.split(": ");
  if (!isCode(first))
    return "";
  message = rest;
  return first;
}

/// Sorts a note into the supporting lines of `result`.
void addNote(Diagnostic &result, mlir::Diagnostic &note,
             SourceManager &sources) {
  std::string message = note.str();
  StringRef text = message;
  if (text.consume_front("reason: "))
    result.reasons.push_back(text.str());
  else if (text.consume_front("witness: "))
    result.witnesses.push_back(text.str());
  else if (text.consume_front("fix: "))
    result.fixes.push_back(text.str());
  else if (text.consume_front("replay: "))
    result.replay = text.str();
  else
    result.notes.push_back(
        {driver::sourceRange(note.getLocation(), sources), message});
}

} // namespace

SourceRange driver::sourceRange(mlir::Location location,
                                SourceManager &sources) {
  mlir::FileLineColRange range = spin::sourcePlace(location);
  if (!range)
    return {};
  std::error_code error;
  const SourceFile *file = sources.load(range.getFilename().getValue(), error);
  if (!file)
    return {};
  uint32_t begin =
      offsetOf(file->text(), range.getStartLine(), range.getStartColumn());
  uint32_t end =
      offsetOf(file->text(), range.getEndLine(), range.getEndColumn());
  return file->range(begin, std::max(begin, end));
}

bool driver::reportMlirDiagnostic(mlir::Diagnostic &diagnostic,
                                  SourceManager &sources,
                                  DiagnosticEngine &engine, StringSaver &codes,
                                  const ast::Program *program,
                                  bool keepsRejected) {
  std::string text = diagnostic.str();
  StringRef message = text;
  StringRef code = takeCode(message);
  bool isError = diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
  if (code.empty())
    return !isError;
  Diagnostic result;
  result.code = codes.save(code);
  result.severity =
      isError ? Severity::Error
      : diagnostic.getSeverity() == mlir::DiagnosticSeverity::Warning
          ? Severity::Warning
          : Severity::Note;
  if (isError && keepsRejected && code.starts_with("E04"))
    result.severity = Severity::Warning;
  result.range = sourceRange(diagnostic.getLocation(), sources);
  result.message = message.str();
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    addNote(result, note, sources);
  for (mlir::Location call : callsAround(diagnostic.getLocation()))
    result.notes.push_back({sourceRange(call, sources), "in this call"});
  if (program)
    result.fixIts = findRepairs(result, *program);
  engine.add(std::move(result));
  return true;
}
