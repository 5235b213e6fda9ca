// Statements: their types, the locals they declare, and whether control can
// reach what follows (hdl-4, hdl-5).
#include "compiler/Sema/Analyzer.h"

namespace spinc::sema {

/// True if control never reaches the end of the block. Statements that are
/// never reached are reported and taken out, so that later stages see none.
bool Analyzer::checkBlock(ast::BlockStmt &block) {
  scopes.push();
  bool ends = false;
  for (size_t i = 0; i < block.statements.size() && !ends; ++i) {
    ends = checkStmt(block.statements[i]);
    if (ends && i + 1 < block.statements.size()) {
      diagnostics.report(diag::Unreachable, block.statements[i + 1]->range);
      block.statements.resize(i + 1); // hdl-5
    }
  }
  scopes.pop();
  return ends;
}

/// A statement that is the body of another one has a scope of its own.
bool Analyzer::checkBody(ast::StmtPtr &stmt) {
  if (!stmt)
    return false;
  if (auto *block = llvm::dyn_cast<ast::BlockStmt>(stmt.get()))
    return checkBlock(*block);
  scopes.push();
  bool ends = checkStmt(stmt);
  scopes.pop();
  return ends;
}

bool Analyzer::checkStmt(ast::StmtPtr &stmt) {
  switch (stmt->kind) {
  case ast::StmtKind::Block:
    return checkBlock(llvm::cast<ast::BlockStmt>(*stmt));
  case ast::StmtKind::Declare:
    checkDeclare(llvm::cast<ast::DeclareStmt>(*stmt));
    return false;
  case ast::StmtKind::Assign:
    checkAssign(llvm::cast<ast::AssignStmt>(*stmt));
    return false;
  case ast::StmtKind::Expression:
    checkExprStmt(llvm::cast<ast::ExprStmt>(*stmt));
    return false;
  case ast::StmtKind::If:
    return checkIf(llvm::cast<ast::IfStmt>(*stmt));
  case ast::StmtKind::ForEach:
    checkForEach(llvm::cast<ast::ForEachStmt>(*stmt));
    return false;
  case ast::StmtKind::ForRange:
    checkForRange(llvm::cast<ast::ForRangeStmt>(*stmt));
    return false;
  case ast::StmtKind::While:
    return checkWhile(llvm::cast<ast::WhileStmt>(*stmt));
  case ast::StmtKind::Switch:
    return checkSwitch(llvm::cast<ast::SwitchStmt>(*stmt));
  case ast::StmtKind::Match:
    return checkMatchStmt(llvm::cast<ast::MatchStmt>(*stmt));
  case ast::StmtKind::Break:
  case ast::StmtKind::Continue:
    checkJump(*stmt);
    return true;
  case ast::StmtKind::Require: {
    auto &require = llvm::cast<ast::RequireStmt>(*stmt);
    checkBool(require.condition);
    checkReturn(require.result, stmt->range);
    return false;
  }
  case ast::StmtKind::Return:
    checkReturn(llvm::cast<ast::ReturnStmt>(*stmt).result, stmt->range);
    return true;
  case ast::StmtKind::Wrapping: {
    // typ-10
    ++wrappingDepth;
    bool ends = checkBody(llvm::cast<ast::WrappingStmt>(*stmt).body);
    --wrappingDepth;
    return ends;
  }
  case ast::StmtKind::With:
    return checkWith(llvm::cast<ast::WithStmt>(*stmt));
  default:
    return false;
  }
}

bool Analyzer::checkIf(ast::IfStmt &stmt) {
  checkBool(stmt.condition);
  bool thenEnds = checkBody(stmt.thenBody);
  bool elseEnds = checkBody(stmt.elseBody);
  return thenEnds && elseEnds;
}

/// typ-14: reading a wire integer gives a plain number.
const Type *Analyzer::valueOf(const Type *type) {
  const auto *wire = dynAs<WireType>(type);
  return wire ? wire->value : type;
}

void Analyzer::declareLocal(ast::LocalDecl &local) {
  if (!local.type)
    local.type = poison();
  declare(scopes.innermost(), &local);
}

static bool canBeLocal(const Type *type) {
  switch (type->kind) {
  case TypeKind::Bool:
  case TypeKind::Int:
  case TypeKind::Float:
  case TypeKind::Simd:
  case TypeKind::Enum:
  case TypeKind::Process:
  case TypeKind::Command:
  case TypeKind::Slice:
  case TypeKind::View:
    return true;
  default:
    return false;
  }
}

void Analyzer::checkDeclare(ast::DeclareStmt &stmt) {
  ast::LocalDecl &local = *stmt.local;
  if (local.typeExpr) {
    const Type *type = resolveType(*local.typeExpr);
    if (local.localKind == ast::LocalKind::Memory ||
        (local.localKind == ast::LocalKind::Var &&
         (type->is(TypeKind::Array) || type->is(TypeKind::Struct)))) {
      declareMemory(local, type);
      declareLocal(local);
      return;
    }
  }
  const Type *written = nullptr;
  if (local.typeExpr) {
    written = valueOf(local.typeExpr->type);
    if (!written->isError() &&
        (!canBeLocal(written) || written->is(TypeKind::Slice))) {
      diagnostics
          .report(diag::TypeMismatch, local.typeExpr->range,
                  "the type of a variable", written->str())
          .fix("use 'let' for slices");
      written = poison();
    }
  }
  if (written && written->is(TypeKind::Simd)) {
    if (!local.init) // typ-11
      local.init = std::make_unique<ast::InitListExpr>(local.name.range);
    local.type = written;
    checkInitializer(local.init, written);
    declareLocal(local);
    return;
  }
  if (!local.init && written && !written->isError()) {
    // typ-11: a variable without initial value starts at zero.
    local.init = std::make_unique<ast::IntLiteral>(local.name.range, 0);
    if (written->is(TypeKind::Enum)) {
      // Zero, whether or not an enumerator has this value.
      setConstant(*local.init, written, number(0));
      local.type = written;
      declareLocal(local);
      return;
    }
    if (written->is(TypeKind::Bool))
      local.init = std::make_unique<ast::BoolLiteral>(local.name.range, false);
    if (written->is(TypeKind::Process) || written->is(TypeKind::Command)) {
      diagnostics.report(diag::TypeMismatch, local.range,
                         "an initial value of type " + written->str(), "none");
      local.init = nullptr;
      written = poison();
    }
  }
  const Type *found = local.init ? checkValue(local.init) : poison();
  // act-9: a command has one handle.
  if (found->is(TypeKind::Command) && !llvm::isa<ast::CallExpr>(*local.init)) {
    diagnostics.report(diag::TypeMismatch, local.init->range, "an action",
                       "the handle of a command");
    found = poison();
  }
  if (written) {
    local.type = written;
    if (!written->isError() && !found->isError() &&
        !convert(local.init, written))
      local.type = written; // the variable is known even if its value is not
  } else {
    if (found->is(TypeKind::Literal)) {
      defaultLiteral(*local.init);
      found = local.init->type;
    }
    bool isView = local.localKind == ast::LocalKind::View;
    if (!found->isError() &&
        (!canBeLocal(found) || isView != found->is(TypeKind::View))) {
      diagnostics.report(diag::TypeMismatch, local.init->range,
                         isView ? "strided(…)" : "a value", found->str());
      found = poison();
    }
    local.type = found;
  }
  declareLocal(local);
}

/// Whether a place lies in the user header of a message.
static bool isOfMessage(const ast::FieldExpr &field) {
  if (field.builtin == Builtin::MessageUser)
    return true;
  const ast::Expr *base = field.base.get();
  while (const auto *index = llvm::dyn_cast<ast::IndexExpr>(base))
    base = index->base.get();
  const auto *outer = llvm::dyn_cast<ast::FieldExpr>(base);
  return outer && isOfMessage(*outer);
}

/// typ-17: what may stand left of '=': variables, plain state, header fields
/// and elements of slices.
static bool isPlace(const ast::Expr &expr) {
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&expr)) {
    if (const auto *parameter =
            llvm::dyn_cast_or_null<ast::ParameterDecl>(name->decl))
      return parameter->mode == ast::PassMode::InOut;
    const auto *local = llvm::dyn_cast_or_null<ast::LocalDecl>(name->decl);
    return local && (local->localKind == ast::LocalKind::Var ||
                     (local->localKind == ast::LocalKind::Memory &&
                      local->type->is(TypeKind::Struct)));
  }
  if (const auto *field = llvm::dyn_cast<ast::FieldExpr>(&expr))
    return field->decl && !isOfMessage(*field) &&
           (llvm::isa<ast::StateFieldDecl>(field->decl) ||
            llvm::isa<ast::FieldDecl>(field->decl));
  const auto *index = llvm::dyn_cast<ast::IndexExpr>(&expr);
  const auto *of =
      index ? llvm::dyn_cast<ast::FieldExpr>(index->base.get()) : nullptr;
  return index && !(of && isOfMessage(*of));
}

/// Whether the handler may write `target`, which is checked.
bool Analyzer::checkPlace(const ast::Expr &target,
                          std::optional<ast::BinaryOp> op) {
  if (const auto *lane = llvm::dyn_cast<ast::IndexExpr>(&target))
    if (lane->base->type->is(TypeKind::Simd))
      return checkPlace(*lane->base, op); // sim-1
  if (!isPlace(target)) {
    DiagnosticBuilder report =
        diagnostics.report(diag::NotAssignable, target.range,
                           "'" + target.range.text().str() + "'");
    const auto *name = llvm::dyn_cast<ast::NameExpr>(&target);
    if (name && name->decl && llvm::isa<ast::LocalDecl>(name->decl))
      report.fix("declare it with its type instead of 'let': " +
                 name->decl->type->str() + " " + name->name + " = …;");
    return false;
  }
  if (!checkWrite(target, op))
    return false;
  bool isValue =
      target.type->is(TypeKind::Int) || target.type->is(TypeKind::Bool) ||
      target.type->is(TypeKind::Float) || target.type->is(TypeKind::Process) ||
      target.type->is(TypeKind::Enum) || target.type->is(TypeKind::Simd);
  if (!isValue && !(target.type->is(TypeKind::Struct) && !op)) {
    diagnostics.report(diag::NotAssignable, target.range, target.type->str());
    return false;
  }
  if (const auto *field = llvm::dyn_cast<ast::FieldExpr>(&target))
    if (const auto *base = llvm::dyn_cast<ast::FieldExpr>(field->base.get()))
      if (field->decl && base->decl)
        writtenFields.insert({base->decl, field->decl});
  return true;
}

void Analyzer::checkAssign(ast::AssignStmt &stmt) {
  const Type *target = checkThing(stmt.target);
  if (!target->isError() && !checkPlace(*stmt.target, stmt.op))
    target = poison();
  if (const auto *record = dynAs<StructType>(target)) {
    checkRecord(stmt.value, record);
    return;
  }
  if (stmt.op) {
    checkCompound(stmt, target);
    return;
  }
  const Type *found = checkValue(stmt.value);
  if (!target->isError() && !found->isError())
    convert(stmt.value, target);
}

/// typ-12: `x op= e` works in the type of x.
void Analyzer::checkCompound(ast::AssignStmt &stmt, const Type *target) {
  if (wrappingDepth)
    stmt.op = wrappingForm(*stmt.op);
  const Type *found = checkValue(stmt.value);
  if (target->isError() || found->isError())
    return;
  if (const auto *real = dynAs<FloatType>(target))
    return floatCompound(stmt, real);
  if (const auto *simd = dynAs<SimdType>(target))
    return simdCompound(stmt, simd);
  if (!target->is(TypeKind::Int)) {
    diagnostics.report(diag::BadOperand, stmt.opRange,
                       (ast::spelling(*stmt.op) + "=").str(), "an integer",
                       target->str());
    return;
  }
  convert(stmt.value, target);
}

void Analyzer::checkExprStmt(ast::ExprStmt &stmt) {
  const Type *type = checkThing(stmt.expr);
  if (type->isError() || llvm::isa<ast::CallExpr>(stmt.expr.get()))
    return;
  diagnostics.report(diag::NoEffect, stmt.range);
}

} // namespace spinc::sema
