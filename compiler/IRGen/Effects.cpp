// One walk over the statements that collects all effects.
#include "compiler/IRGen/Effects.h"

#include "compiler/Sema/Builtins.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace spinc;
using namespace spinc::irgen;

namespace {

class EffectsCollector {
public:
  void visit(const ast::Stmt *stmt);
  void visit(const ast::Expr *expr);
  Effects take();

private:
  void visitCall(const ast::CallExpr &call);
  void visitPlace(const ast::Expr &place);
  void visitJump(const ast::Stmt &stmt);
  void visitAssign(const ast::AssignStmt &assign);
  /// The body of a loop, which catches the jumps of its own.
  void visitLoop(const ast::Stmt *body);

  Effects effects;
  llvm::DenseSet<const ast::Decl *> declared;
  unsigned loops = 0;
  /// Loops and switches.
  unsigned breakable = 0;
};

} // namespace

/// Whether an assigned place lies in the packet.
static bool isInPacket(const ast::Expr &place) {
  if (const auto *slice = dynAs<SliceType>(place.type))
    return slice->space == sema::MemorySpace::Packet ||
           slice->space == sema::MemorySpace::Any;
  if (const auto *index = llvm::dyn_cast<ast::IndexExpr>(&place))
    return isInPacket(*index->base);
  if (const auto *part = llvm::dyn_cast<ast::SliceExpr>(&place))
    return isInPacket(*part->base);
  const auto *field = llvm::dyn_cast<ast::FieldExpr>(&place);
  if (!field || !field->base->type)
    return false;
  return field->builtin == Builtin::MessageUser ||
         field->base->type->is(sema::TypeKind::Header) ||
         (field->base->type->is(sema::TypeKind::Struct) &&
          isInPacket(*field->base));
}

/// A place that is written.
void EffectsCollector::visitPlace(const ast::Expr &place) {
  const auto *lane = llvm::dyn_cast<ast::IndexExpr>(&place);
  if (lane && lane->base->type->is(sema::TypeKind::Simd))
    return visitPlace(*lane->base);
  if (const auto *target = llvm::dyn_cast<ast::NameExpr>(&place))
    effects.assigned.insert(target->decl);
  else
    effects.storesPacket |= isInPacket(place);
}

void EffectsCollector::visitAssign(const ast::AssignStmt &assign) {
  visit(assign.target.get());
  visit(assign.value.get());
  visitPlace(*assign.target);
}

/// What a function does to variables of its own stays inside.
void EffectsCollector::visitCall(const ast::CallExpr &call) {
  visit(call.callee.get());
  for (const ast::Argument &argument : call.arguments)
    visit(argument.value.get());
  if (call.builtin == Builtin::DmaFromHost)
    effects.storesPacket |= isInPacket(*call.arguments.front().value);
  const auto *function = llvm::dyn_cast_or_null<ast::FunctionDecl>(call.decl);
  if (!function)
    return;
  for (auto [argument, parameter] :
       llvm::zip_equal(call.arguments, function->parameters)) {
    effects.storesPacket |= parameter->isWritten;
    if (parameter->mode == ast::PassMode::InOut)
      visitPlace(*argument.value);
  }
}

void EffectsCollector::visit(const ast::Expr *expr) {
  if (!expr)
    return;
  switch (expr->kind) {
  case ast::ExprKind::Field:
    return visit(llvm::cast<ast::FieldExpr>(expr)->base.get());
  case ast::ExprKind::Index:
    visit(llvm::cast<ast::IndexExpr>(expr)->base.get());
    return visit(llvm::cast<ast::IndexExpr>(expr)->index.get());
  case ast::ExprKind::Slice:
    visit(llvm::cast<ast::SliceExpr>(expr)->base.get());
    visit(llvm::cast<ast::SliceExpr>(expr)->begin.get());
    return visit(llvm::cast<ast::SliceExpr>(expr)->extent.get());
  case ast::ExprKind::Unary:
    return visit(llvm::cast<ast::UnaryExpr>(expr)->operand.get());
  case ast::ExprKind::Binary:
    visit(llvm::cast<ast::BinaryExpr>(expr)->left.get());
    return visit(llvm::cast<ast::BinaryExpr>(expr)->right.get());
  case ast::ExprKind::Conditional:
    visit(llvm::cast<ast::ConditionalExpr>(expr)->condition.get());
    visit(llvm::cast<ast::ConditionalExpr>(expr)->whenTrue.get());
    return visit(llvm::cast<ast::ConditionalExpr>(expr)->whenFalse.get());
  case ast::ExprKind::Cast:
    return visit(llvm::cast<ast::CastExpr>(expr)->operand.get());
  case ast::ExprKind::Call:
    return visitCall(llvm::cast<ast::CallExpr>(*expr));
  case ast::ExprKind::InitList:
    for (const auto &element : llvm::cast<ast::InitListExpr>(expr)->elements)
      visit(element.value.get());
    return;
  default:
    return;
  }
}

void EffectsCollector::visitJump(const ast::Stmt &stmt) {
  if (llvm::isa<ast::BreakStmt>(&stmt))
    effects.breaks |= breakable == 0;
  else
    effects.continues |= loops == 0;
}

void EffectsCollector::visitLoop(const ast::Stmt *body) {
  llvm::SaveAndRestore<unsigned> oneLoop(loops, loops + 1);
  llvm::SaveAndRestore<unsigned> oneMore(breakable, breakable + 1);
  visit(body);
}

void EffectsCollector::visit(const ast::Stmt *stmt) {
  if (!stmt)
    return;
  switch (stmt->kind) {
  case ast::StmtKind::Block:
    for (const auto &child : llvm::cast<ast::BlockStmt>(stmt)->statements)
      visit(child.get());
    break;
  case ast::StmtKind::Declare:
    declared.insert(llvm::cast<ast::DeclareStmt>(stmt)->local.get());
    visit(llvm::cast<ast::DeclareStmt>(stmt)->local->init.get());
    break;
  case ast::StmtKind::Assign:
    visitAssign(*llvm::cast<ast::AssignStmt>(stmt));
    break;
  case ast::StmtKind::If:
    visit(llvm::cast<ast::IfStmt>(stmt)->condition.get());
    visit(llvm::cast<ast::IfStmt>(stmt)->thenBody.get());
    visit(llvm::cast<ast::IfStmt>(stmt)->elseBody.get());
    break;
  case ast::StmtKind::ForEach:
    visit(llvm::cast<ast::ForEachStmt>(stmt)->iterable.get());
    visit(llvm::cast<ast::ForEachStmt>(stmt)->bound.get());
    visitLoop(llvm::cast<ast::ForEachStmt>(stmt)->body.get());
    visit(llvm::cast<ast::ForEachStmt>(stmt)->tailBody.get());
    break;
  case ast::StmtKind::ForRange:
    visit(llvm::cast<ast::ForRangeStmt>(stmt)->begin.get());
    visit(llvm::cast<ast::ForRangeStmt>(stmt)->extent.get());
    visit(llvm::cast<ast::ForRangeStmt>(stmt)->bound.get());
    visitLoop(llvm::cast<ast::ForRangeStmt>(stmt)->body.get());
    break;
  case ast::StmtKind::While:
    visit(llvm::cast<ast::WhileStmt>(stmt)->condition.get());
    visit(llvm::cast<ast::WhileStmt>(stmt)->bound.get());
    visitLoop(llvm::cast<ast::WhileStmt>(stmt)->body.get());
    break;
  case ast::StmtKind::Wrapping:
    visit(llvm::cast<ast::WrappingStmt>(stmt)->body.get());
    break;
  case ast::StmtKind::With:
    visit(llvm::cast<ast::WithStmt>(stmt)->body.get());
    break;
  case ast::StmtKind::Switch: {
    visit(llvm::cast<ast::SwitchStmt>(stmt)->subject.get());
    llvm::SaveAndRestore<unsigned> oneMore(breakable, breakable + 1);
    for (const ast::SwitchCase &arm : llvm::cast<ast::SwitchStmt>(stmt)->cases)
      visit(arm.body.get());
    break;
  }
  case ast::StmtKind::Match: {
    llvm::SaveAndRestore<unsigned> oneMore(breakable, breakable + 1);
    for (const ast::MatchCase &arm : llvm::cast<ast::MatchStmt>(stmt)->cases)
      visit(arm.body.get());
    break;
  }
  case ast::StmtKind::Require:
    visit(llvm::cast<ast::RequireStmt>(stmt)->condition.get());
    visit(llvm::cast<ast::RequireStmt>(stmt)->result.get());
    effects.returns = true;
    break;
  case ast::StmtKind::Return:
    visit(llvm::cast<ast::ReturnStmt>(stmt)->result.get());
    effects.returns = true;
    break;
  case ast::StmtKind::Break:
  case ast::StmtKind::Continue:
    visitJump(*stmt);
    break;
  case ast::StmtKind::Expression:
    visit(llvm::cast<ast::ExprStmt>(stmt)->expr.get());
    break;
  }
}

Effects EffectsCollector::take() {
  effects.assigned.remove_if(
      [&](const ast::Decl *local) { return declared.contains(local); });
  return std::move(effects);
}

Effects irgen::effectsOf(llvm::ArrayRef<const ast::Stmt *> statements,
                         llvm::ArrayRef<const ast::Expr *> expressions) {
  EffectsCollector collector;
  for (const ast::Stmt *stmt : statements)
    collector.visit(stmt);
  for (const ast::Expr *expr : expressions)
    collector.visit(expr);
  return collector.take();
}

/// Whether every arm ends, one is taken, and none breaks out of the switch.
static bool switchNeverPasses(const ast::SwitchStmt &stmt) {
  bool hasDefault = false;
  for (const ast::SwitchCase &arm : stmt.cases) {
    hasDefault |= arm.values.empty();
    if (!neverPasses(*arm.body) || effectsOf(arm.body.get()).breaks)
      return false;
  }
  return hasDefault;
}

static bool matchNeverPasses(const ast::MatchStmt &stmt) {
  bool hasDefault = false;
  for (const ast::MatchCase &arm : stmt.cases) {
    hasDefault |= !arm.variable;
    if (!neverPasses(*arm.body) || effectsOf(arm.body.get()).breaks)
      return false;
  }
  return hasDefault;
}

bool irgen::neverPasses(const ast::Stmt &stmt) {
  switch (stmt.kind) {
  case ast::StmtKind::Block:
    return llvm::any_of(
        llvm::cast<ast::BlockStmt>(stmt).statements,
        [](const ast::StmtPtr &child) { return neverPasses(*child); });
  case ast::StmtKind::If: {
    const auto &branch = llvm::cast<ast::IfStmt>(stmt);
    return branch.elseBody && neverPasses(*branch.thenBody) &&
           neverPasses(*branch.elseBody);
  }
  case ast::StmtKind::While: {
    const auto &loop = llvm::cast<ast::WhileStmt>(stmt);
    return loop.condition->value && !loop.condition->value->isZero() &&
           !effectsOf(loop.body.get()).breaks;
  }
  case ast::StmtKind::Wrapping:
    return neverPasses(*llvm::cast<ast::WrappingStmt>(stmt).body);
  case ast::StmtKind::With:
    return neverPasses(*llvm::cast<ast::WithStmt>(stmt).body);
  case ast::StmtKind::Switch:
    return switchNeverPasses(llvm::cast<ast::SwitchStmt>(stmt));
  case ast::StmtKind::Match:
    return matchNeverPasses(llvm::cast<ast::MatchStmt>(stmt));
  case ast::StmtKind::Return:
  case ast::StmtKind::Break:
  case ast::StmtKind::Continue:
    return true;
  default:
    return false;
  }
}
