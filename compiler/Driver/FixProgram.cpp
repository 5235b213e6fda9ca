// The loop of --fix. The repaired text stays in memory until it is final; the
// file is then written whole or not at all.
#include "compiler/Driver/FixProgram.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::driver;

namespace {

class Fixer {
public:
  Fixer(const Options &options, RunCompilation compile)
      : options(options), compile(compile) {}

  ExitStatus run();

private:
  /// Compiles the text so far and repairs it; false if nothing was repaired.
  bool repair(Session &session);
  ExitStatus write(Compilation &last);
  ExitStatus show();

  const Options &options;
  RunCompilation compile;

  /// The repaired text; nothing while it is as in the file.
  std::optional<std::string> text;
  unsigned count = 0;
  /// What was repaired before, and the errors that were left when it was: a
  /// repair that does not help is not made again.
  StringSet<> repairedCodes;
  unsigned errorsBefore = ~0u;
};

bool Fixer::repair(Session &session) {
  unsigned errors = session.diagnostics.errorCount();
  bool helped = errors < errorsBefore;
  errorsBefore = errors;
  FixResult result = session.repairs([&](const spinc::Diagnostic &diagnostic) {
    return helped || !repairedCodes.contains(diagnostic.code);
  });
  if (result.files.empty() || options.verifyDiagnostics)
    return false;
  for (const spinc::Diagnostic &diagnostic : session.diagnostics.diagnostics())
    if (!diagnostic.fixIts.empty())
      repairedCodes.insert(diagnostic.code);
  count += result.applied;
  text = std::move(result.files.front().text);
  return true;
}

ExitStatus Fixer::write(Compilation &last) {
  Session &session = last.getSession();
  bool written = text && session.writeSource(*text);
  ExitStatus status = last.finish();
  if (written && options.messageForm == MessageForm::Text)
    errs() << "spinc: repaired " << count
           << (count == 1 ? " mistake in " : " mistakes in ") << options.input
           << '\n';
  return status;
}

ExitStatus Fixer::show() {
  std::unique_ptr<Compilation> original = compile(std::nullopt);
  ExitStatus status = original->finish();
  std::error_code error;
  const SourceFile *file =
      original->getSession().sources.load(options.input, error);
  if (file && text)
    printDifference(outs(), {file, *text, count});
  return status;
}

ExitStatus Fixer::run() {
  // Each round repairs at least one mistake, and a file has few stages of them.
  constexpr unsigned mostRounds = 10;
  for (unsigned round = 0;; ++round) {
    std::unique_ptr<Compilation> compilation = compile(text);
    if (round < mostRounds && repair(compilation->getSession()))
      continue;
    return options.fix == FixMode::Dry ? show() : write(*compilation);
  }
}

} // namespace

ExitStatus driver::fixProgram(const Options &options, RunCompilation compile) {
  return Fixer(options, compile).run();
}
