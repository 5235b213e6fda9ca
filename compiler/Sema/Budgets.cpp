// The form of budgets: the clauses of this version (bud-1), expressions linear
// in the packet length and the parameters (bud-2), the names bound by `where`
// (bud-3), line_rate (bud-4). Whether a handler keeps its budget is decided on
// its machine code, in compiler/Wcet.
#include "compiler/AST/Walk.h"
#include "compiler/Sema/Analyzer.h"

#include <algorithm>

namespace spinc::sema {

void Analyzer::checkBudget(ast::HandlerDecl &decl, HandlerInfo &info) {
  if (!decl.budget)
    return;
  PlaceGuard guard(*this, Place::BudgetRule);
  scopes.push();
  for (const std::unique_ptr<ast::BudgetNameDecl> &name : decl.budget->names) {
    const Type *type = checkValue(name->init);
    if (!type->isError() && !convert(name->init, types.u(32)))
      type = poison();
    if (!type->isError() && !isLinear(*name->init, /*isNamedCount=*/true))
      type = poison();
    name->type = type->isError() ? type : types.u(32);
    declare(scopes.innermost(), name.get());
    info.counts.push_back({name->name.text, name.get(), name->init.get()});
  }
  std::set<BudgetKind> seen;
  for (ast::BudgetClause &clause : decl.budget->clauses) {
    if (!seen.insert(clause.kind).second)
      diagnostics.report(diag::BudgetForm, clause.range,
                         "limits the same thing twice"); // bud-1
    if (clause.kind == BudgetKind::Contention) {
      info.contention = checkContention(clause);
      continue;
    }
    std::string text = clause.range.text().str();
    if (clause.limit) {
      const Type *type = checkValue(clause.limit);
      if (type->isError() || !convert(clause.limit, types.u(32)) ||
          !isLinear(*clause.limit, /*isNamedCount=*/false))
        continue;
      // The frame of a handler is one number.
      if (clause.kind == BudgetKind::Stack && !clause.limit->value) {
        diagnostics.report(diag::NotConstant, clause.limit->range); // bud-10
        continue;
      }
    } else if (info.kind != HandlerKind::Payload) {
      diagnostics
          .report(diag::BudgetForm, clause.range,
                  "line_rate belongs to payload handlers") // bud-4
          .reason("other handlers run once a message, not once a packet");
      continue;
    }
    info.budgets.push_back({clause.kind, clause.limit.get(), text});
  }
  scopes.pop();
}

/// bud-12: how many others may be before a handler at a lock, a constant. No
/// more than there are other HPUs, for each of them runs one handler.
std::optional<unsigned> Analyzer::checkContention(ast::BudgetClause &clause) {
  if (checkValue(clause.limit)->isError() ||
      !convert(clause.limit, types.u(32)))
    return options.hpus - 1;
  if (!clause.limit->value) {
    diagnostics.report(diag::NotConstant, clause.limit->range);
    return options.hpus - 1;
  }
  uint64_t others = clause.limit->value->getZExtValue();
  return unsigned(std::min<uint64_t>(others, options.hpus - 1));
}

/// fun-7: a constant number of cycles; a function is bounded by itself, where
/// no packet and no parameter of the state is known.
void Analyzer::checkFunctionBudget(ast::FunctionDecl &function) {
  PlaceGuard guard(*this, Place::BudgetRule);
  scopes.push();
  for (const std::unique_ptr<ast::BudgetNameDecl> &name :
       function.budget->names) {
    name->type = types.u(32);
    if (!checkFunctionCount(function, name->init))
      name->type = poison();
    declare(scopes.innermost(), name.get());
  }
  std::set<BudgetKind> seen;
  for (ast::BudgetClause &clause : function.budget->clauses) {
    if (!seen.insert(clause.kind).second) {
      diagnostics.report(diag::BudgetForm, clause.range,
                         "limits the same thing twice");
      continue;
    }
    if (clause.kind != BudgetKind::Cycles || !clause.limit) {
      diagnostics
          .report(diag::BudgetForm, clause.range,
                  "of a function limits nothing but cycles")
          .fix("give the handler the budget: " + clause.range.text().str());
      continue;
    }
    checkFunctionCount(function, clause.limit);
  }
  scopes.pop();
}

/// A parameter of `function` that `expr` names, or null.
static const ast::ParameterDecl *
parameterIn(const ast::Expr &expr, const ast::FunctionDecl &function) {
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&expr))
    for (const ast::ParameterPtr &parameter : function.parameters)
      if (name->name == parameter->name.text)
        return parameter.get();
  const ast::ParameterDecl *found = nullptr;
  ast::forEachOperand(expr, [&](const ast::Expr &operand) {
    if (!found)
      found = parameterIn(operand, function);
  });
  return found;
}

/// fun-7: a number of cycles that each call costs, whatever is passed.
bool Analyzer::checkFunctionCount(const ast::FunctionDecl &function,
                                  ast::ExprPtr &count) {
  if (const ast::ParameterDecl *named = parameterIn(*count, function)) {
    std::string name = named->name.text;
    diagnostics
        .report(diag::BudgetForm, count->range,
                "of a function depends on its parameter '" + name + "'")
        .reason("it is one number, which each call costs")
        .fix("say what the longest call takes, and limit '" + name +
             "' by require in the function");
    return false;
  }
  if (checkValue(count)->isError() || !convert(count, types.u(32)))
    return false;
  if (!count->value)
    diagnostics.report(diag::NotConstant, count->range);
  return count->value.has_value();
}

/// p.length or a parameter by itself.
static bool isQuantity(const ast::Expr &expr) {
  if (const auto *cast = llvm::dyn_cast<ast::CastExpr>(&expr))
    return cast->isImplicit() && isQuantity(*cast->operand);
  return !expr.value && llvm::isa<ast::FieldExpr>(&expr);
}

bool Analyzer::isConstantOrParam(const ast::Expr &expr) const {
  if (expr.value)
    return true;
  if (const auto *cast = llvm::dyn_cast<ast::CastExpr>(&expr))
    return cast->isImplicit() && isConstantOrParam(*cast->operand);
  const StateField *field = stateFieldOf(expr);
  return field && field->kind == StateKind::Param;
}

/// bud-2; in a named count also a quotient by a parameter (bud-3).
bool Analyzer::isLinear(const ast::Expr &expr, bool isNamedCount) {
  using ast::BinaryOp;
  if (isConstantOrParam(expr))
    return true;
  if (const auto *cast = llvm::dyn_cast<ast::CastExpr>(&expr))
    if (cast->isImplicit())
      return isLinear(*cast->operand, isNamedCount);
  if (const auto *field = llvm::dyn_cast<ast::FieldExpr>(&expr))
    if (field->builtin == Builtin::PacketLength)
      return true;
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&expr))
    if (name->decl && llvm::isa<ast::BudgetNameDecl>(name->decl))
      return true;
  if (const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&expr)) {
    bool isSum = binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub;
    bool isScaled = binary->op == BinaryOp::Mul &&
                    (binary->left->value || binary->right->value);
    bool isQuotient = binary->op == BinaryOp::Div && binary->right->value &&
                      !binary->right->value->isZero();
    // bud-3: one quantity by a parameter, which stays a quantity of its own.
    if (binary->op == BinaryOp::Div && isNamedCount &&
        isQuantity(*binary->left) && isQuantity(*binary->right) &&
        isConstantOrParam(*binary->right))
      return true;
    if (isSum || isScaled || isQuotient)
      return isLinear(*binary->left, isNamedCount) &&
             isLinear(*binary->right, isNamedCount);
  }
  diagnostics
      .report(diag::BudgetForm, expr.range,
              "is not linear in p.length, parameters and named counts")
      .reason("found '" + expr.range.text().str() + "'")
      .fix("bind a quotient by a parameter to a name: "
           "budget(…) where n = p.length / state.block");
  return false;
}

} // namespace spinc::sema
