// The matcher of expected-… comments. Errors and warnings must match one to
// one; supporting lines are only looked for when a comment names them.
#include "compiler/Driver/VerifyDiagnostics.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace spinc;

namespace {

enum class Kind { Error, Warning, Reason, Witness, Fix, Note };

struct Expectation {
  Kind kind;
  const SourceFile *file;
  unsigned commentLine;
  /// 0: the message has no place.
  unsigned line;
  StringRef text;
  bool met = false;
};

std::optional<Kind> kindOf(StringRef word) {
  return StringSwitch<std::optional<Kind>>(word)
      .Case("error", Kind::Error)
      .Case("warning", Kind::Warning)
      .Case("reason", Kind::Reason)
      .Case("witness", Kind::Witness)
      .Case("fix", Kind::Fix)
      .Case("note", Kind::Note)
      .Default(std::nullopt);
}

/// The line that "@+1", "@above", "@unknown" or nothing means.
unsigned lineOf(StringRef place, unsigned commentLine) {
  unsigned distance = 0;
  if (place.consume_front("@+"))
    return place.getAsInteger(10, distance) ? commentLine
                                            : commentLine + distance;
  if (place.consume_front("@-"))
    return place.getAsInteger(10, distance) ? commentLine
                                            : commentLine - distance;
  return StringSwitch<unsigned>(place)
      .Case("@above", commentLine - 1)
      .Case("@below", commentLine + 1)
      .Case("@unknown", 0)
      .Default(commentLine);
}

void findExpectations(const SourceFile &file, std::vector<Expectation> &found) {
  static constexpr const char *pattern =
      "expected-([a-z]+)(@[-+]?[a-z0-9]+)? *\\{\\{(([^}]|\\}[^}])*)\\}\\}";
  Regex regex(pattern);
  StringRef rest = file.text();
  SmallVector<StringRef> groups;
  while (regex.match(rest, &groups)) {
    uint32_t offset =
        static_cast<uint32_t>(groups[0].data() - file.text().data());
    unsigned line = file.lineColumn(offset).line;
    if (std::optional<Kind> kind = kindOf(groups[1]))
      found.push_back({*kind, &file, line, lineOf(groups[2], line), groups[3]});
    rest = file.text().drop_front(offset + groups[0].size());
  }
}

class Matcher {
public:
  Matcher(std::vector<Expectation> &expectations, raw_ostream &out)
      : expectations(expectations), out(out) {}

  void take(const Diagnostic &diagnostic) {
    unsigned line = 0;
    const SourceFile *file = diagnostic.range.file;
    if (file)
      line = file->lineColumn(diagnostic.range.begin).line;
    Kind kind =
        diagnostic.severity == Severity::Error ? Kind::Error : Kind::Warning;
    std::string message =
        diagnostic.message + " [" + diagnostic.code.str() + "]";
    if (diagnostic.severity != Severity::Note &&
        !meet(kind, file, line, message))
      complain(file, line, "unexpected message: " + message);
    for (const std::string &text : diagnostic.reasons)
      meet(Kind::Reason, file, line, text);
    for (const std::string &text : diagnostic.witnesses)
      meet(Kind::Witness, file, line, text);
    for (const std::string &text : diagnostic.fixes)
      meet(Kind::Fix, file, line, text);
    for (const DiagnosticNote &note : diagnostic.notes)
      meet(Kind::Note, file, line, note.message);
  }

  bool finish() {
    for (const Expectation &expectation : expectations)
      if (!expectation.met)
        complain(expectation.file, expectation.commentLine,
                 "no message as expected: " + expectation.text.str());
    return !failed;
  }

private:
  bool meet(Kind kind, const SourceFile *file, unsigned line,
            StringRef message) {
    for (Expectation &expectation : expectations) {
      bool samePlace =
          expectation.line == line && (!file || expectation.file == file);
      if (expectation.met || expectation.kind != kind || !samePlace ||
          !message.contains(expectation.text))
        continue;
      expectation.met = true;
      return true;
    }
    return false;
  }

  void complain(const SourceFile *file, unsigned line,
                const std::string &message) {
    if (file)
      out << file->path() << ':' << line << ": " << message << '\n';
    else
      out << "spinc: " << message << '\n';
    failed = true;
  }

  std::vector<Expectation> &expectations;
  raw_ostream &out;
  bool failed = false;
};

} // namespace

bool spinc::driver::verifyDiagnostics(const SourceManager &sources,
                                      const DiagnosticEngine &engine,
                                      raw_ostream &out) {
  std::vector<Expectation> expectations;
  for (const std::unique_ptr<SourceFile> &file : sources.all())
    findExpectations(*file, expectations);
  Matcher matcher(expectations, out);
  for (const Diagnostic &diagnostic : engine.diagnostics())
    matcher.take(diagnostic);
  return matcher.finish();
}
