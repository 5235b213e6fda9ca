// The stages from text to the spin dialect.
#include "compiler/AST/AstPrinter.h"
#include "compiler/Driver/Compilation.h"
#include "compiler/Syntax/Parser.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::driver;

bool Compilation::parse() {
  if (options.emit == Stage::Tokens) {
    std::string tokens;
    raw_string_ostream out(tokens);
    if (dumpTokens(*source, session.diagnostics, out))
      session.writeOutput(tokens);
    return false;
  }
  program = parseSource(*source, session.diagnostics);
  return !endsAt(Stage::Ast,
                 [&](raw_ostream &out) { dumpAst(*program, out); });
}
