// Statements. Structured control flow becomes scf; variables that it assigns
// become its results.
#include "compiler/IRGen/HandlerGenerator.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

bool HandlerGenerator::emit(const ast::Stmt &stmt) {
  switch (stmt.kind) {
  case ast::StmtKind::Block:
    return emitBlock(llvm::cast<ast::BlockStmt>(stmt));
  case ast::StmtKind::Declare:
    emitDeclare(llvm::cast<ast::DeclareStmt>(stmt));
    return false;
  case ast::StmtKind::Assign:
    emitAssign(llvm::cast<ast::AssignStmt>(stmt));
    return false;
  case ast::StmtKind::Expression: {
    const auto &expr = *llvm::cast<ast::ExprStmt>(stmt).expr;
    emitCall(llvm::cast<ast::CallExpr>(expr));
    return false;
  }
  case ast::StmtKind::If:
    return emitIf(llvm::cast<ast::IfStmt>(stmt), {});
  case ast::StmtKind::ForEach:
    emitForEach(llvm::cast<ast::ForEachStmt>(stmt));
    return false;
  case ast::StmtKind::ForRange:
    emitForRange(llvm::cast<ast::ForRangeStmt>(stmt));
    return false;
  case ast::StmtKind::While:
    emitWhile(llvm::cast<ast::WhileStmt>(stmt));
    return neverPasses(stmt);
  case ast::StmtKind::Switch:
    return emitSwitch(llvm::cast<ast::SwitchStmt>(stmt));
  case ast::StmtKind::Match:
    return emitMatch(llvm::cast<ast::MatchStmt>(stmt));
  case ast::StmtKind::Break:
  case ast::StmtKind::Continue: {
    bool breaks = stmt.kind == ast::StmtKind::Break;
    emitJump(loc(stmt.range), breaks, !breaks, /*returns=*/false);
    return true;
  }
  case ast::StmtKind::Require: {
    if (isInFunction())
      return emitRequireOrReturn(llvm::cast<ast::RequireStmt>(stmt), {});
    const auto &require = llvm::cast<ast::RequireStmt>(stmt);
    emitRequire(*require.condition, returnCode(*require.result));
    return false;
  }
  case ast::StmtKind::Return:
    if (isInFunction()) {
      emitFunctionReturn(loc(stmt.range),
                         llvm::cast<ast::ReturnStmt>(stmt).result.get());
      return true;
    }
    emitReturn(loc(stmt.range),
               returnCode(*llvm::cast<ast::ReturnStmt>(stmt).result));
    return true;
  case ast::StmtKind::Wrapping: {
    llvm::SaveAndRestore<bool> inside(wrapping, true);
    return emit(*llvm::cast<ast::WrappingStmt>(stmt).body);
  }
  case ast::StmtKind::With:
    return emitWith(llvm::cast<ast::WithStmt>(stmt));
  default:
    llvm_unreachable("Sema refuses statements that are not lowered");
  }
}

bool HandlerGenerator::emitBlock(const ast::BlockStmt &stmt) {
  SmallVector<const ast::Stmt *> statements;
  for (const ast::StmtPtr &child : stmt.statements)
    statements.push_back(child.get());
  return emitSequence(statements);
}

void HandlerGenerator::emitReturn(Location at, spin::ReturnCode code) {
  if (heldLock)
    emitRelease(at);
  spin::ExitOp::create(builder, at, code);
}

/// One requirement per conjunct: each may rely on those before it.
void HandlerGenerator::emitRequire(const ast::Expr &condition,
                                   spin::ReturnCode code) {
  const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&condition);
  if (binary && binary->op == ast::BinaryOp::And) {
    emitRequire(*binary->left, code);
    emitRequire(*binary->right, code);
    return;
  }
  Value holds = emitScalar(condition);
  markRelease(spin::RequireOp::create(
      builder, loc(condition.range, condition.range.text()), holds, code));
}

void HandlerGenerator::emitDeclare(const ast::DeclareStmt &stmt) {
  const ast::LocalDecl &local = *stmt.local;
  if (local.localKind == ast::LocalKind::Memory)
    return emitLocal(local);
  Value value;
  if (!local.init)
    value = constant(loc(stmt.range), 0,
                     scalarType(builder.getContext(), local.type).getWidth());
  else if (local.type->is(sema::TypeKind::Slice) ||
           local.type->is(sema::TypeKind::View))
    value = emitSlice(*local.init);
  else if (local.type->is(sema::TypeKind::Command))
    value = emitCall(llvm::cast<ast::CallExpr>(*local.init));
  else
    value = emitAs(*local.init, local.type);
  bindings[&local] = {name(local, value), {}};
}

void HandlerGenerator::emitAssign(const ast::AssignStmt &stmt) {
  if (stmt.target->type->is(sema::TypeKind::Struct)) {
    Element source = emitElement(*stmt.value);
    emitCopy(loc(stmt.range), emitElement(*stmt.target), source,
             stmt.target->type);
    return;
  }
  Place place = emitPlace(*stmt.target);
  const sema::Type *type = stmt.target->type;
  if (!stmt.op)
    return writePlace(place, emitAs(*stmt.value, type));
  if (const auto *simd = sema::dynAs<sema::SimdType>(type)) {
    Value lanes = readPlace(place);
    Value value = emitSimdRight(*stmt.op, *stmt.value, *simd);
    return writePlace(place, emitSimdOperator(loc(stmt.range), *stmt.op, lanes,
                                              value, *simd));
  }
  Value left = readPlace(place);
  Value right = emitAs(*stmt.value, type);
  writePlace(place, emitOperator(loc(stmt.range), *stmt.op, left, right, type));
}
