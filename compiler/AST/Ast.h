// The abstract syntax tree of one file. The parser makes it, Sema annotates the
// same nodes (the typed AST), IRGen, the stub writer and the build report read
// it. A Program owns its nodes and refers to the SourceFile it was made from.
#ifndef SPINC_AST_AST_H
#define SPINC_AST_AST_H

#include "compiler/AST/Decl.h"
#include "compiler/AST/Expr.h"
#include "compiler/AST/Stmt.h"

namespace spinc::ast {

struct Program {
  const SourceFile *file = nullptr;
  /// In source order, imports among them.
  std::vector<std::unique_ptr<Decl>> decls;
};

} // namespace spinc::ast

#endif // SPINC_AST_AST_H
