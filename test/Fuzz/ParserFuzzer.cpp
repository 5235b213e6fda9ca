// Fuzz target: any bytes through lexer, parser and Sema. Messages are fine,
// crashes and hangs are not. With libFuzzer (preset fuzz) or Replay.cpp.
#include "compiler/Sema/Sema.h"
#include "compiler/Syntax/Parser.h"
#include "test/Fuzz/WorkLimit.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace spinc;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spinc::fuzz::WorkLimit limit;
  // The folder of stdlib, for imports.
  static const char *const stdlib = std::getenv("SPINC_FUZZ_STDLIB");
  SourceManager sources;
  // Keeps the imported files, which messages may name.
  TypeContext types;
  DiagnosticEngine diagnostics;
  const SourceFile &file = sources.add(
      "fuzz.spinc", std::string(reinterpret_cast<const char *>(data), size));
  std::unique_ptr<ast::Program> program = parseSource(file, diagnostics);
  if (program) {
    sema::SemaOptions options;
    options.stdlibDir = stdlib ? stdlib : "";
    if (!sema::analyze(*program, types, diagnostics, options) &&
        !diagnostics.hasErrors())
      std::abort(); // refused without a word
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  diagnostics.render(out);
  return 0;
}
