// The children of statements and expressions, in source order, for whoever
// looks for something anywhere in a body.
#ifndef SPINC_AST_WALK_H
#define SPINC_AST_WALK_H

#include "compiler/AST/Ast.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace spinc::ast {

using ExprVisitor = llvm::function_ref<void(const Expr &)>;
using StmtVisitor = llvm::function_ref<void(const Stmt &)>;

/// The operands of an expression.
void forEachOperand(const Expr &expr, ExprVisitor visit);

/// The expressions of a statement itself, not those of statements in it.
void forEachExpr(const Stmt &stmt, ExprVisitor visit);

/// The statements in a statement, not those in these.
void forEachStmt(const Stmt &stmt, StmtVisitor visit);

} // namespace spinc::ast

#endif // SPINC_AST_WALK_H
