// Prints diagnostics through llvm::SourceMgr: place, sentence, source line with
// the range underlined, then reason, witness, fix and notes. A diagnostic
// without a place prints as "spinc: error: …".
#include "compiler/Diagnostics/Engine.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

#include <algorithm>

namespace spinc {

namespace {

/// Renders one engine's diagnostics; knows which files SourceMgr has seen.
class Renderer {
public:
  Renderer(llvm::raw_ostream &out, bool color) : out(out), color(color) {}

  void render(const Diagnostic &diagnostic);

private:
  void head(SourceRange range, llvm::SourceMgr::DiagKind kind,
            const std::string &message, llvm::ArrayRef<FixIt> fixIts);
  void lines(llvm::StringRef label, const std::vector<std::string> &texts);
  /// Start of the file's text as SourceMgr sees it.
  const char *textOf(const SourceFile &file);

  llvm::raw_ostream &out;
  bool color;
  llvm::SourceMgr manager;
  llvm::DenseMap<const SourceFile *, const char *> known;
};

const char *Renderer::textOf(const SourceFile &file) {
  const char *&start = known[&file];
  if (start)
    return start;
  auto buffer = llvm::MemoryBuffer::getMemBuffer(file.text(), file.path());
  start = buffer->getBufferStart();
  manager.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return start;
}

/// Whether the line of `offset` is fit to be shown: not blank, not longer than
/// a screen can show, and text without control characters.
static bool isShowable(llvm::StringRef text, uint32_t offset) {
  constexpr size_t longest = 400;
  size_t begin = text.take_front(offset).rfind('\n') + 1;
  llvm::StringRef line =
      text.drop_front(begin).take_until([](char c) { return c == '\n'; });
  auto isControl = [](unsigned char c) {
    return (c < ' ' && c != '\t' && c != '\r') || c == 0x7f;
  };
  if (line.trim().empty() || line.size() > longest ||
      llvm::any_of(line, isControl))
    return false;
  const auto *at = reinterpret_cast<const llvm::UTF8 *>(line.data());
  return llvm::isLegalUTF8String(&at, at + line.size());
}

void Renderer::head(SourceRange range, llvm::SourceMgr::DiagKind kind,
                    const std::string &message, llvm::ArrayRef<FixIt> fixIts) {
  std::string place = "spinc";
  if (range.isValid()) {
    LineColumn at = range.file->lineColumn(range.begin);
    place = range.file->path().str() + ":" + std::to_string(at.line) + ":" +
            std::to_string(at.column);
  }
  if (!range.isValid() || !isShowable(range.file->text(), range.begin)) {
    llvm::SMDiagnostic(place, kind, message).print(nullptr, out, color);
    return;
  }
  const char *text = textOf(*range.file);
  auto location = [&](uint32_t offset) {
    return llvm::SMLoc::getFromPointer(text +
                                       std::min(offset, range.file->size()));
  };
  llvm::SMRange underlined(location(range.begin), location(range.end));
  std::vector<llvm::SMFixIt> repairs;
  for (const FixIt &fixIt : fixIts)
    if (fixIt.range.file == range.file)
      repairs.emplace_back(
          llvm::SMRange(location(fixIt.range.begin), location(fixIt.range.end)),
          fixIt.replacement);
  manager.PrintMessage(out, location(range.begin), kind, message, underlined,
                       repairs, color);
}

void Renderer::lines(llvm::StringRef label,
                     const std::vector<std::string> &texts) {
  for (const std::string &text : texts) {
    out << "  ";
    llvm::WithColor(out, llvm::HighlightColor::Remark,
                    color ? llvm::ColorMode::Enable : llvm::ColorMode::Disable)
        << label << ": ";
    out << text << '\n';
  }
}

void Renderer::render(const Diagnostic &diagnostic) {
  llvm::SourceMgr::DiagKind kind =
      diagnostic.severity == Severity::Error     ? llvm::SourceMgr::DK_Error
      : diagnostic.severity == Severity::Warning ? llvm::SourceMgr::DK_Warning
                                                 : llvm::SourceMgr::DK_Note;
  head(diagnostic.range, kind,
       diagnostic.message + " [" + diagnostic.code.str() + "]",
       diagnostic.fixIts);
  lines("reason", diagnostic.reasons);
  lines("witness", diagnostic.witnesses);
  lines("fix", diagnostic.fixes);
  for (const DiagnosticNote &note : diagnostic.notes)
    head(note.range, llvm::SourceMgr::DK_Note, note.message, {});
}

} // namespace

void DiagnosticEngine::render(llvm::raw_ostream &out, bool color) const {
  Renderer renderer(out, color);
  for (const Diagnostic *diagnostic : inOrderOfText())
    renderer.render(*diagnostic);
  if (unsigned hidden = hiddenErrorCount())
    out << "spinc: " << hidden << " more errors not shown\n";
}

} // namespace spinc
