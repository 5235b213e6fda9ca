// Statements and expressions of the AST dump.
#include "compiler/AST/AstPrinterImpl.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"

namespace spinc::ast {

//===-- Statements --------------------------------------------------------===//

void Printer::stmt(const Stmt &node) {
  if (const auto *declare = llvm::dyn_cast<DeclareStmt>(&node))
    return decl(*declare->local);
  if (const auto *expression = llvm::dyn_cast<ExprStmt>(&node))
    return expr(*expression->expr);
  Line line(*this);
  switch (node.kind) {
  case StmtKind::Block:
    out << "Block\n";
    for (const StmtPtr &inner : llvm::cast<BlockStmt>(node).statements)
      stmt(*inner);
    return;
  case StmtKind::Assign:
    return assign(llvm::cast<AssignStmt>(node));
  case StmtKind::If:
    return ifStmt(llvm::cast<IfStmt>(node));
  case StmtKind::ForEach:
    return forEach(llvm::cast<ForEachStmt>(node));
  case StmtKind::ForRange:
    return forRange(llvm::cast<ForRangeStmt>(node));
  case StmtKind::While:
    return whileStmt(llvm::cast<WhileStmt>(node));
  case StmtKind::Require:
    return require(llvm::cast<RequireStmt>(node));
  case StmtKind::Return:
    out << "Return\n";
    if (const Expr *result = llvm::cast<ReturnStmt>(node).result.get())
      expr(*result);
    return;
  case StmtKind::With:
    out << "With\n";
    expr(*llvm::cast<WithStmt>(node).lock);
    return stmt(*llvm::cast<WithStmt>(node).body);
  case StmtKind::Wrapping:
    out << "Wrapping\n";
    return stmt(*llvm::cast<WrappingStmt>(node).body);
  case StmtKind::Switch:
    return switchStmt(llvm::cast<SwitchStmt>(node));
  case StmtKind::Match:
    return matchStmt(llvm::cast<MatchStmt>(node));
  case StmtKind::Break:
    out << "Break\n";
    return;
  case StmtKind::Continue:
    out << "Continue\n";
    return;
  case StmtKind::Declare:
  case StmtKind::Expression:
    llvm_unreachable("printed as what it holds");
  }
}

void Printer::assign(const AssignStmt &node) {
  out << "Assign '" << (node.op ? spelling(*node.op) : "") << "='\n";
  expr(*node.target);
  expr(*node.value);
}

void Printer::ifStmt(const IfStmt &node) {
  out << "If\n";
  expr(*node.condition);
  label("then", node.thenBody.get());
  label("else", node.elseBody.get());
}

void Printer::forEach(const ForEachStmt &node) {
  out << "ForEach\n";
  decl(*node.variable);
  label("in", node.iterable.get());
  label("bound", node.bound.get());
  stmt(*node.body);
  if (!node.tail)
    return;
  decl(*node.tail);
  stmt(*node.tailBody);
}

void Printer::forRange(const ForRangeStmt &node) {
  out << "ForRange\n";
  decl(*node.variable);
  label("from", node.begin.get());
  label(node.form == RangeForm::ToEnd ? "..<" : "..+", node.extent.get());
  label("step", node.step.get());
  label("bound", node.bound.get());
  stmt(*node.body);
}

void Printer::whileStmt(const WhileStmt &node) {
  out << "While\n";
  expr(*node.condition);
  label("bound", node.bound.get());
  stmt(*node.body);
}

void Printer::require(const RequireStmt &node) {
  out << "Require\n";
  expr(*node.condition);
  label("else return", node.result.get());
}

void Printer::switchStmt(const SwitchStmt &node) {
  out << "Switch\n";
  expr(*node.subject);
  for (const SwitchCase &arm : node.cases) {
    Line line(*this);
    out << (arm.values.empty() ? "default\n" : "case\n");
    for (const ExprPtr &value : arm.values)
      expr(*value);
    stmt(*arm.body);
  }
}

void Printer::matchStmt(const MatchStmt &node) {
  out << "Match\n";
  expr(*node.subject);
  for (const MatchCase &arm : node.cases) {
    Line line(*this);
    out << (arm.variable ? "case\n" : "default\n");
    if (arm.variable)
      decl(*arm.variable);
    stmt(*arm.body);
  }
}

//===-- Expressions -------------------------------------------------------===//

void Printer::expr(const Expr &node) {
  Line line(*this);
  switch (node.kind) {
  case ExprKind::IntLiteral:
    out << "Int " << llvm::cast<IntLiteral>(node).number;
    return finish(node);
  case ExprKind::FloatLiteral:
    out << "Float "
        << llvm::format("%.17g", llvm::cast<FloatLiteral>(node).number);
    return finish(node);
  case ExprKind::BoolLiteral:
    out << (llvm::cast<BoolLiteral>(node).truth ? "True" : "False");
    return finish(node);
  case ExprKind::NoneLiteral:
    out << "None";
    return finish(node);
  case ExprKind::Name:
    out << "Name " << llvm::cast<NameExpr>(node).name;
    return finish(node);
  case ExprKind::Field:
    out << "Field ." << llvm::cast<FieldExpr>(node).member.text;
    finish(node);
    return expr(*llvm::cast<FieldExpr>(node).base);
  case ExprKind::Index:
    out << "Index";
    finish(node);
    expr(*llvm::cast<IndexExpr>(node).base);
    return expr(*llvm::cast<IndexExpr>(node).index);
  case ExprKind::Slice:
    return slice(llvm::cast<SliceExpr>(node));
  case ExprKind::Unary:
    out << "Unary '" << spelling(llvm::cast<UnaryExpr>(node).op) << '\'';
    finish(node);
    return expr(*llvm::cast<UnaryExpr>(node).operand);
  case ExprKind::Binary:
    out << "Binary '" << spelling(llvm::cast<BinaryExpr>(node).op) << '\'';
    finish(node);
    expr(*llvm::cast<BinaryExpr>(node).left);
    return expr(*llvm::cast<BinaryExpr>(node).right);
  case ExprKind::Conditional:
    out << "Conditional";
    finish(node);
    expr(*llvm::cast<ConditionalExpr>(node).condition);
    expr(*llvm::cast<ConditionalExpr>(node).whenTrue);
    return expr(*llvm::cast<ConditionalExpr>(node).whenFalse);
  case ExprKind::Cast:
    return cast(llvm::cast<CastExpr>(node));
  case ExprKind::Call:
    return call(llvm::cast<CallExpr>(node));
  case ExprKind::InitList:
    out << "InitList";
    finish(node);
    return arguments(llvm::cast<InitListExpr>(node).elements);
  case ExprKind::Sizeof:
    out << "Sizeof";
    label("written", llvm::cast<SizeofExpr>(node).operand.get());
    return finish(node);
  }
}

void Printer::slice(const SliceExpr &node) {
  out << "Slice " << (node.form == RangeForm::ToEnd ? "..<" : "..+");
  finish(node);
  expr(*node.base);
  expr(*node.begin);
  expr(*node.extent);
}

void Printer::cast(const CastExpr &node) {
  out << (node.isImplicit() ? "ImplicitCast" : "Cast");
  label("as", node.target.get());
  finish(node);
  expr(*node.operand);
}

void Printer::call(const CallExpr &node) {
  out << (node.isAsync ? "Call async" : "Call");
  finish(node);
  expr(*node.callee);
  arguments(node.arguments);
}

} // namespace spinc::ast
