// Statements.
#include "compiler/Syntax/AstBuilder.h"

namespace spinc::syntax {

using namespace ast;

std::unique_ptr<BlockStmt> AstBuilder::block(P::BlockContext *node) {
  return caseBody(node, node->statements);
}

std::unique_ptr<BlockStmt>
AstBuilder::caseBody(antlr4::ParserRuleContext *node,
                     const std::vector<P::StatementContext *> &statements) {
  auto result = std::make_unique<BlockStmt>(range(node));
  for (P::StatementContext *inner : statements)
    result->statements.push_back(statement(inner));
  return result;
}

StmtPtr AstBuilder::statement(P::StatementContext *node) {
  if (auto *stmt = dynamic_cast<P::ExprStatementContext *>(node))
    return exprStmt(stmt);
  if (auto *stmt = dynamic_cast<P::LetStatementContext *>(node))
    return letStmt(stmt);
  if (auto *stmt = dynamic_cast<P::VariableStatementContext *>(node))
    return variableStmt(stmt);
  if (auto *stmt = dynamic_cast<P::IfStatementContext *>(node))
    return ifStmt(stmt);
  if (auto *stmt = dynamic_cast<P::BlockStatementContext *>(node))
    return block(stmt->block());
  if (auto *stmt = dynamic_cast<P::ForStatementContext *>(node))
    return forStmt(stmt);
  if (auto *stmt = dynamic_cast<P::RequireStatementContext *>(node))
    return requireStmt(stmt);
  if (auto *stmt = dynamic_cast<P::WhileStatementContext *>(node))
    return whileStmt(stmt);
  if (auto *stmt = dynamic_cast<P::MemoryStatementContext *>(node))
    return memoryStmt(stmt);
  if (auto *stmt = dynamic_cast<P::ViewStatementContext *>(node))
    return viewStmt(stmt);
  if (auto *stmt = dynamic_cast<P::SwitchStatementContext *>(node))
    return switchStmt(stmt);
  if (auto *stmt = dynamic_cast<P::MatchStatementContext *>(node))
    return matchStmt(stmt);
  if (auto *stmt = dynamic_cast<P::ReturnStatementContext *>(node)) {
    auto result = std::make_unique<ReturnStmt>(range(node));
    result->result = optionalExpr(stmt->result);
    return result;
  }
  if (auto *stmt = dynamic_cast<P::WithStatementContext *>(node)) {
    auto result = std::make_unique<WithStmt>(range(node));
    result->lock = expr(stmt->lock);
    result->body = statement(stmt->body);
    return result;
  }
  if (auto *stmt = dynamic_cast<P::WrappingStatementContext *>(node)) {
    auto result = std::make_unique<WrappingStmt>(range(node));
    result->body = block(stmt->body);
    return result;
  }
  if (dynamic_cast<P::BreakStatementContext *>(node))
    return std::make_unique<BreakStmt>(range(node));
  return std::make_unique<ContinueStmt>(range(node));
}

//===-- Declarations ------------------------------------------------------===//

LocalPtr AstBuilder::local(LocalKind kind, antlr4::ParserRuleContext *node,
                           P::IdentifierContext *name) {
  return std::make_unique<LocalDecl>(kind, range(node), identifier(name));
}

StmtPtr AstBuilder::letStmt(P::LetStatementContext *node) {
  LocalPtr result = local(LocalKind::Let, node, node->name);
  if (node->type)
    result->typeExpr = localType(node->type);
  result->init = initializer(node->init);
  return std::make_unique<DeclareStmt>(range(node), std::move(result));
}

StmtPtr AstBuilder::memoryStmt(P::MemoryStatementContext *node) {
  LocalPtr result = local(LocalKind::Memory, node, node->name);
  result->typeExpr = arrays(localType(node->type), node->sizes);
  if (node->init)
    result->init = initializer(node->init);
  return std::make_unique<DeclareStmt>(range(node), std::move(result));
}

StmtPtr AstBuilder::viewStmt(P::ViewStatementContext *node) {
  LocalPtr result = local(LocalKind::View, node, node->name);
  result->init = expr(node->init);
  return std::make_unique<DeclareStmt>(range(node), std::move(result));
}

StmtPtr AstBuilder::variableStmt(P::VariableStatementContext *node) {
  LocalPtr result = local(LocalKind::Var, node, node->name);
  result->typeExpr = arrays(localType(node->type), node->sizes);
  if (node->init)
    result->init = initializer(node->init);
  return std::make_unique<DeclareStmt>(range(node), std::move(result));
}

//===-- Assignment and expressions ----------------------------------------===//

static std::optional<BinaryOp> compoundOp(antlr4::Token *token) {
  using P = SpincParser;
  switch (token->getType()) {
  case P::ADD_ASSIGN:
  case P::INCREMENT:
    return BinaryOp::Add;
  case P::SUB_ASSIGN:
  case P::DECREMENT:
    return BinaryOp::Sub;
  case P::MUL_ASSIGN:
    return BinaryOp::Mul;
  case P::DIV_ASSIGN:
    return BinaryOp::Div;
  case P::REM_ASSIGN:
    return BinaryOp::Rem;
  case P::WRAP_ADD_ASSIGN:
    return BinaryOp::WrapAdd;
  case P::WRAP_SUB_ASSIGN:
    return BinaryOp::WrapSub;
  case P::WRAP_MUL_ASSIGN:
    return BinaryOp::WrapMul;
  case P::WRAP_SHL_ASSIGN:
    return BinaryOp::WrapShl;
  case P::SAT_ADD_ASSIGN:
    return BinaryOp::SatAdd;
  case P::SAT_SUB_ASSIGN:
    return BinaryOp::SatSub;
  case P::SHL_ASSIGN:
    return BinaryOp::Shl;
  case P::SHR_ASSIGN:
    return BinaryOp::Shr;
  case P::AND_ASSIGN:
    return BinaryOp::BitAnd;
  case P::XOR_ASSIGN:
    return BinaryOp::BitXor;
  case P::OR_ASSIGN:
    return BinaryOp::BitOr;
  default:
    return std::nullopt;
  }
}

static bool isPlace(const Expr &target) {
  return llvm::isa<NameExpr, FieldExpr, IndexExpr>(target);
}

StmtPtr AstBuilder::exprStmt(P::ExprStatementContext *node) {
  ExprPtr target = expr(node->target);
  antlr4::Token *op = node->op ? node->op->start : node->step;
  if (!op)
    return std::make_unique<ExprStmt>(range(node), std::move(target));
  if (!isPlace(*target))
    diagnostics.report(diag::AssignTarget, target->range, op->getText());
  ExprPtr value = node->value
                      ? expr(node->value)
                      : std::make_unique<IntLiteral>(range(op), uint64_t{1});
  return std::make_unique<AssignStmt>(range(node), std::move(target),
                                      compoundOp(op), range(op),
                                      std::move(value));
}

//===-- Control flow ------------------------------------------------------===//

StmtPtr AstBuilder::ifStmt(P::IfStatementContext *node) {
  auto result = std::make_unique<IfStmt>(range(node));
  result->condition = expr(node->condition);
  result->thenBody = statement(node->thenBody);
  if (node->elseBody)
    result->elseBody = statement(node->elseBody);
  return result;
}

StmtPtr AstBuilder::forStmt(P::ForStatementContext *node) {
  LocalPtr variable = local(LocalKind::Loop, node->name, node->name);
  if (node->type) {
    variable->typeExpr = localType(node->type);
    variable->range = join(variable->typeExpr->range, variable->range);
  }
  return node->range->form ? forRangeStmt(node, std::move(variable))
                           : forEachStmt(node, std::move(variable));
}

StmtPtr AstBuilder::forEachStmt(P::ForStatementContext *node,
                                LocalPtr variable) {
  auto result = std::make_unique<ForEachStmt>(range(node));
  result->variable = std::move(variable);
  result->iterable = expr(node->range->begin);
  if (node->bound)
    result->bound = expr(node->bound->count);
  result->body = statement(node->body);
  if (node->tail) {
    result->tail = local(LocalKind::Tail, node->tail, node->tail);
    result->tailBody = statement(node->tailBody);
  }
  return result;
}

StmtPtr AstBuilder::forRangeStmt(P::ForStatementContext *node,
                                 LocalPtr variable) {
  auto result = std::make_unique<ForRangeStmt>(range(node));
  result->variable = std::move(variable);
  result->begin = expr(node->range->begin);
  result->form = rangeForm(node->range->form);
  result->extent = expr(node->range->extent);
  result->step = optionalExpr(node->range->step);
  if (node->bound)
    result->bound = expr(node->bound->count);
  result->body = statement(node->body);
  if (node->tail)
    diagnostics.report(diag::TailNeedsChunks, range(node->tail));
  return result;
}

StmtPtr AstBuilder::whileStmt(P::WhileStatementContext *node) {
  auto result = std::make_unique<WhileStmt>(range(node));
  result->condition = expr(node->condition);
  if (node->bound)
    result->bound = expr(node->bound->count);
  result->body = statement(node->body);
  return result;
}

StmtPtr AstBuilder::requireStmt(P::RequireStatementContext *node) {
  auto result = std::make_unique<RequireStmt>(range(node));
  result->condition = expr(node->condition);
  result->result = optionalExpr(node->result);
  return result;
}

StmtPtr AstBuilder::switchStmt(P::SwitchStatementContext *node) {
  auto result = std::make_unique<SwitchStmt>(range(node));
  result->subject = expr(node->subject);
  for (P::SwitchCaseContext *arm : node->cases) {
    SwitchCase built;
    built.range = range(arm);
    for (P::ExprContext *value : arm->values)
      built.values.push_back(expr(value));
    built.body = caseBody(arm, arm->statements);
    result->cases.push_back(std::move(built));
  }
  return result;
}

StmtPtr AstBuilder::matchStmt(P::MatchStatementContext *node) {
  auto result = std::make_unique<MatchStmt>(range(node));
  result->subject = expr(node->subject);
  for (P::MatchCaseContext *arm : node->cases) {
    MatchCase built;
    built.range = range(arm);
    if (arm->name) {
      built.variable = local(LocalKind::Matched, arm->name, arm->name);
      built.variable->typeExpr = localType(arm->type);
    }
    built.body = caseBody(arm, arm->statements);
    result->cases.push_back(std::move(built));
  }
  return result;
}

} // namespace spinc::syntax
