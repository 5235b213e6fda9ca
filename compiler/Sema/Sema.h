// Semantic analysis: from the AST to the same AST, typed. After analyze()
// returned true every expression has a type, every name its declaration, and
// TypeContext::program() describes each context; later stages may assert this
// and report nothing.
#pragma once

#include "compiler/Sema/Info.h"

namespace spinc {

class DiagnosticEngine;
class SourceManager;

namespace ast {
struct Program;
} // namespace ast

namespace sema {

struct SemaOptions {
  unsigned mtu = 1500; // largest packet as a handler sees it, headers included
  unsigned hpus = 32;  // of the whole card
  unsigned clusters = 4;               // value of cluster.count
  bool stateInL1 = true;               // where nothing else is said (sta-6)
  std::vector<std::string> importDirs; // -I, in order
  std::string stdlibDir;               // searched last
};

/// Loads the imports, resolves, types and checks `program` in place. False if
/// an error was reported.
bool analyze(ast::Program &program, TypeContext &types,
             DiagnosticEngine &diagnostics, const SemaOptions &options);

} // namespace sema
} // namespace spinc
