// The front door of the front end's first stage: source text in, AST out. No
// ANTLR type and no exception leaves this folder.
#ifndef SPINC_SYNTAX_PARSER_H
#define SPINC_SYNTAX_PARSER_H

#include "compiler/AST/Ast.h"
#include "compiler/Diagnostics/Engine.h"

#include <memory>

namespace spinc {

/// Parses one file. Null if there was a syntax error; all that were found are
/// in the engine.
std::unique_ptr<ast::Program> parseSource(const SourceFile &file,
                                          DiagnosticEngine &diagnostics);

/// `--emit=tokens`: one token a line, `line:column kind 'text'`. False, with a
/// diagnostic, if the file cannot be read as tokens.
bool dumpTokens(const SourceFile &file, DiagnosticEngine &diagnostics,
                llvm::raw_ostream &out);

} // namespace spinc

#endif // SPINC_SYNTAX_PARSER_H
