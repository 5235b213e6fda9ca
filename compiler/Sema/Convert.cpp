// Conversions that happen by themselves: only to a type that holds every value
// (typ-3), and constants to any integer that holds this value (typ-5).
#include "compiler/Sema/Analyzer.h"

namespace spinc::sema {

/// typ-3: every value of `from` is one of `to`.
bool Analyzer::widens(const Type *from, const Type *to) const {
  const auto *enumeration = dynAs<EnumType>(from);
  const auto *source =
      enumeration ? enumeration->underlying : dynAs<IntType>(from);
  const auto *target = dynAs<IntType>(to);
  return source && target && fits(minimumOf(source), target) &&
         fits(maximumOf(source), target);
}

void Analyzer::setConstant(ast::Expr &expr, const Type *type,
                           const Number &value) {
  expr.type = type;
  if (const auto *integer = dynAs<IntType>(type))
    expr.value = narrow(value, integer);
  else if (const auto *enumeration = dynAs<EnumType>(type))
    expr.value = narrow(value, enumeration->underlying);
  else if (type->is(TypeKind::Bool))
    expr.value = llvm::APSInt(value.trunc(1), /*isUnsigned=*/true);
  else
    expr.value = value;
}

void Analyzer::insertCast(ast::ExprPtr &expr, const Type *type) {
  SourceRange range = expr->range;
  std::optional<llvm::APSInt> value = expr->value;
  auto cast = std::make_unique<ast::CastExpr>(range, std::move(expr), nullptr);
  cast->type = type;
  if (value)
    setConstant(*cast, type, widen(*value));
  expr = std::move(cast);
}

/// Types the nodes of an untyped constant; inner values may need more bits
/// than the result.
void Analyzer::settle(ast::Expr &expr, const IntType *type) {
  if (!expr.type->is(TypeKind::Literal))
    return;
  Number value = widen(*expr.value);
  setConstant(expr, fits(value, type) ? type : types.i(128), value);
  if (auto *unary = llvm::dyn_cast<ast::UnaryExpr>(&expr))
    settle(*unary->operand, type);
  if (auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&expr)) {
    settle(*binary->left, type);
    settle(*binary->right, type);
  }
}

bool Analyzer::adapt(ast::Expr &expr, const IntType *type) {
  Number value = widen(*expr.value);
  if (!fits(value, type)) {
    diagnostics
        .report(diag::DoesNotFit, expr.range, toString(value), type->str())
        .reason(type->str() + " holds " + toString(minimumOf(type)) + " to " +
                toString(maximumOf(type)));
    expr.type = poison();
    return false;
  }
  settle(expr, type);
  return true;
}

/// typ-5: without a type to adapt to, a constant is the first of u32, u64,
/// i32, i64 that holds it.
void Analyzer::defaultLiteral(ast::Expr &expr) {
  if (!expr.type->is(TypeKind::Literal))
    return;
  Number value = widen(*expr.value);
  for (const IntType *type :
       {types.u(32), types.u(64), types.i(32), types.i(64)})
    if (fits(value, type)) {
      adapt(expr, type);
      return;
    }
  adapt(expr, types.i(64));
}

/// `expr as type`, in parentheses where `as` would bind too tightly.
static std::string castText(const ast::Expr &expr, const Type *type) {
  std::string text = expr.range.text().str();
  bool isAtom =
      llvm::isa<ast::NameExpr, ast::FieldExpr, ast::IndexExpr, ast::CallExpr>(
          expr);
  return (isAtom ? text : "(" + text + ")") + " as " + type->str();
}

/// typ-16: `c ? 1 : 2` adapts as its constants do.
bool Analyzer::convertChoice(ast::Expr &expr, const IntType *type) {
  auto *choice = llvm::dyn_cast<ast::ConditionalExpr>(&expr);
  if (!choice)
    return false;
  for (const ast::ExprPtr *result : {&choice->whenTrue, &choice->whenFalse})
    if (!(*result)->value || !isInteger((*result)->type) ||
        !fits(widen(*(*result)->value), type))
      return false;
  convert(choice->whenTrue, type);
  convert(choice->whenFalse, type);
  choice->type = type;
  return true;
}

bool Analyzer::convert(ast::ExprPtr &expr, const Type *type) {
  const Type *from = expr->type;
  if (from->isError() || type->isError())
    return false;
  if (from == type)
    return true;
  if (const auto *real = dynAs<FloatType>(type))
    return convertToFloat(expr, real);
  const auto *target = dynAs<IntType>(type);
  if (target && expr->value && isInteger(from)) {
    if (!adapt(*expr, target))
      return false;
    if (from->is(TypeKind::Int))
      insertCast(expr, type);
    return true;
  }
  if (target && widens(from, type)) {
    insertCast(expr, type);
    return true;
  }
  if (target && convertChoice(*expr, target))
    return true;
  std::string text = expr->range.text().str();
  if (target && from->is(TypeKind::Int)) {
    diagnostics
        .report(diag::Narrowing, expr->range, "'" + from->str() + "'",
                "'" + type->str() + "'")
        .fix("write '(" + text + ") as " + type->str() +
             "' where the value is proved to fit")
        .fixIt(expr->range, castText(*expr, type));
  } else {
    diagnostics.report(diag::TypeMismatch, expr->range, type->str(),
                       from->str());
  }
  expr->type = poison();
  return false;
}

} // namespace spinc::sema
