// One switch for each kind of node; a child that is not written is left out.
#include "compiler/AST/Walk.h"

namespace spinc::ast {

template <typename Node, typename Visitor>
static void visitAll(Visitor visit,
                     std::initializer_list<const Node *> children) {
  for (const Node *child : children)
    if (child)
      visit(*child);
}

static void visitArguments(const std::vector<Argument> &arguments,
                           ExprVisitor visit) {
  for (const Argument &argument : arguments)
    visitAll<Expr>(visit, {argument.value.get()});
}

void forEachOperand(const Expr &expr, ExprVisitor visit) {
  auto all = [&](std::initializer_list<const Expr *> operands) {
    visitAll<Expr>(visit, operands);
  };
  if (const auto *field = llvm::dyn_cast<FieldExpr>(&expr))
    return all({field->base.get()});
  if (const auto *index = llvm::dyn_cast<IndexExpr>(&expr))
    return all({index->base.get(), index->index.get()});
  if (const auto *slice = llvm::dyn_cast<SliceExpr>(&expr))
    return all({slice->base.get(), slice->begin.get(), slice->extent.get()});
  if (const auto *unary = llvm::dyn_cast<UnaryExpr>(&expr))
    return all({unary->operand.get()});
  if (const auto *binary = llvm::dyn_cast<BinaryExpr>(&expr))
    return all({binary->left.get(), binary->right.get()});
  if (const auto *choice = llvm::dyn_cast<ConditionalExpr>(&expr))
    return all({choice->condition.get(), choice->whenTrue.get(),
                choice->whenFalse.get()});
  if (const auto *cast = llvm::dyn_cast<CastExpr>(&expr))
    return all({cast->operand.get()});
  if (const auto *list = llvm::dyn_cast<InitListExpr>(&expr))
    return visitArguments(list->elements, visit);
  if (const auto *call = llvm::dyn_cast<CallExpr>(&expr)) {
    all({call->callee.get()});
    visitArguments(call->arguments, visit);
  }
}

void forEachExpr(const Stmt &stmt, ExprVisitor visit) {
  auto all = [&](std::initializer_list<const Expr *> exprs) {
    visitAll<Expr>(visit, exprs);
  };
  if (const auto *declare = llvm::dyn_cast<DeclareStmt>(&stmt))
    return all({declare->local->init.get()});
  if (const auto *assign = llvm::dyn_cast<AssignStmt>(&stmt))
    return all({assign->target.get(), assign->value.get()});
  if (const auto *plain = llvm::dyn_cast<ExprStmt>(&stmt))
    return all({plain->expr.get()});
  if (const auto *branch = llvm::dyn_cast<IfStmt>(&stmt))
    return all({branch->condition.get()});
  if (const auto *loop = llvm::dyn_cast<ForEachStmt>(&stmt))
    return all({loop->iterable.get(), loop->bound.get()});
  if (const auto *loop = llvm::dyn_cast<ForRangeStmt>(&stmt))
    return all({loop->begin.get(), loop->extent.get(), loop->step.get(),
                loop->bound.get()});
  if (const auto *loop = llvm::dyn_cast<WhileStmt>(&stmt))
    return all({loop->condition.get(), loop->bound.get()});
  if (const auto *require = llvm::dyn_cast<RequireStmt>(&stmt))
    return all({require->condition.get(), require->result.get()});
  if (const auto *leave = llvm::dyn_cast<ReturnStmt>(&stmt))
    return all({leave->result.get()});
  if (const auto *with = llvm::dyn_cast<WithStmt>(&stmt))
    return all({with->lock.get()});
  if (const auto *match = llvm::dyn_cast<MatchStmt>(&stmt))
    return all({match->subject.get()});
  if (const auto *choice = llvm::dyn_cast<SwitchStmt>(&stmt)) {
    all({choice->subject.get()});
    for (const SwitchCase &entry : choice->cases)
      for (const ExprPtr &value : entry.values)
        all({value.get()});
  }
}

void forEachStmt(const Stmt &stmt, StmtVisitor visit) {
  auto all = [&](std::initializer_list<const Stmt *> stmts) {
    visitAll<Stmt>(visit, stmts);
  };
  if (const auto *block = llvm::dyn_cast<BlockStmt>(&stmt))
    for (const StmtPtr &inner : block->statements)
      all({inner.get()});
  else if (const auto *branch = llvm::dyn_cast<IfStmt>(&stmt))
    all({branch->thenBody.get(), branch->elseBody.get()});
  else if (const auto *loop = llvm::dyn_cast<ForEachStmt>(&stmt))
    all({loop->body.get(), loop->tailBody.get()});
  else if (const auto *loop = llvm::dyn_cast<ForRangeStmt>(&stmt))
    all({loop->body.get()});
  else if (const auto *loop = llvm::dyn_cast<WhileStmt>(&stmt))
    all({loop->body.get()});
  else if (const auto *with = llvm::dyn_cast<WithStmt>(&stmt))
    all({with->body.get()});
  else if (const auto *wrapping = llvm::dyn_cast<WrappingStmt>(&stmt))
    all({wrapping->body.get()});
  else if (const auto *choice = llvm::dyn_cast<SwitchStmt>(&stmt))
    for (const SwitchCase &entry : choice->cases)
      all({entry.body.get()});
  else if (const auto *match = llvm::dyn_cast<MatchStmt>(&stmt))
    for (const MatchCase &entry : match->cases)
      all({entry.body.get()});
}

} // namespace spinc::ast
