// f32 and f64 (typ-24 … typ-27): constants, the type that operands meet in, and
// conversions. The value of a constant is its bits.
#include "compiler/Sema/Analyzer.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"

namespace spinc::sema {

using ast::BinaryOp;
using llvm::APFloat;

static const llvm::fltSemantics &semanticsOf(const FloatType *type) {
  return type->width == 32 ? APFloat::IEEEsingle() : APFloat::IEEEdouble();
}

static APFloat floatOf(const ast::Expr &expr) {
  const auto *type = as<FloatType>(expr.type);
  return APFloat(semanticsOf(type), expr.value->extOrTrunc(type->width));
}

static void setFloat(ast::Expr &expr, const FloatType *type,
                     const APFloat &value) {
  expr.type = type;
  expr.value = llvm::APSInt(value.bitcastToAPInt(), /*isUnsigned=*/true);
}

/// `number` as a `type`; whether nothing was lost.
static bool round(APFloat &number, const FloatType *type) {
  bool loses = false;
  number.convert(semanticsOf(type), APFloat::rmNearestTiesToEven, &loses);
  return !loses;
}

/// A literal, or one behind a minus: it has the type that it meets.
static bool isFloatLiteral(const ast::Expr &expr) {
  if (const auto *unary = llvm::dyn_cast<ast::UnaryExpr>(&expr))
    return unary->op == ast::UnaryOp::Negate && isFloatLiteral(*unary->operand);
  return llvm::isa<ast::FloatLiteral>(expr);
}

/// typ-24: rounded once, from what is written.
static void settleFloat(ast::Expr &expr, const FloatType *type) {
  if (auto *unary = llvm::dyn_cast<ast::UnaryExpr>(&expr)) {
    settleFloat(*unary->operand, type);
    setFloat(expr, type, llvm::neg(floatOf(*unary->operand)));
    return;
  }
  llvm::SmallString<32> digits;
  for (char c : llvm::cast<ast::FloatLiteral>(expr).digits)
    if (c != '_')
      digits.push_back(c);
  APFloat number(semanticsOf(type));
  llvm::consumeError(
      number.convertFromString(digits, APFloat::rmNearestTiesToEven)
          .takeError());
  setFloat(expr, type, number);
}

const Type *Analyzer::checkFloatLiteral(ast::FloatLiteral &literal) {
  settleFloat(literal, types.floating(64));
  return literal.type;
}

/// typ-25: an f32 is an f64; an integer constant is the number that it is.
bool Analyzer::convertToFloat(ast::ExprPtr &expr, const FloatType *type) {
  if (expr->type == type)
    return true;
  if (isFloatLiteral(*expr)) {
    settleFloat(*expr, type);
    return true;
  }
  const auto *from = dynAs<FloatType>(expr->type);
  std::optional<APFloat> constant;
  bool isExact = true;
  if (from && expr->value) {
    constant = floatOf(*expr);
    isExact = round(*constant, type);
  } else if (!from && expr->value && isInteger(expr->type)) {
    Number value = widen(*expr->value);
    constant.emplace(semanticsOf(type));
    isExact = constant->convertFromAPInt(value, /*IsSigned=*/true,
                                         APFloat::rmNearestTiesToEven) ==
              APFloat::opOK;
    if (!isExact)
      diagnostics
          .report(diag::DoesNotFit, expr->range, toString(value), type->str())
          .reason(type->str() + " does not hold this number exactly")
          .fix("write it with a decimal point to have it rounded");
    else
      defaultLiteral(*expr);
    if (!isExact || expr->type->isError()) {
      expr->type = poison();
      return false;
    }
  }
  if (constant ? isExact : from && from->width < type->width) {
    SourceRange range = expr->range;
    auto cast =
        std::make_unique<ast::CastExpr>(range, std::move(expr), nullptr);
    cast->type = type;
    if (constant)
      setFloat(*cast, type, *constant);
    expr = std::move(cast);
    return true;
  }
  DiagnosticBuilder report =
      from
          ? diagnostics.report(diag::Narrowing, expr->range,
                               "'" + from->str() + "'", "'" + type->str() + "'")
          : diagnostics.report(diag::TypeMismatch, expr->range, type->str(),
                               expr->type->str());
  if (from || expr->type->is(TypeKind::Int))
    report.fix("write '(" + expr->range.text().str() + ") as " + type->str() +
               "', which rounds");
  expr->type = poison();
  return false;
}

/// The type that both sides of an operator or choice have, one of them a float.
/// Null, and reported, if there is none.
const FloatType *Analyzer::unifyFloats(ast::ExprPtr &left,
                                       ast::ExprPtr &right) {
  const auto *l = dynAs<FloatType>(left->type);
  const auto *r = dynAs<FloatType>(right->type);
  const FloatType *type = l ? l : r;
  if (l && r && l != r) {
    if (isFloatLiteral(*left))
      type = r;
    else if (isFloatLiteral(*right))
      type = l;
    else
      type = types.floating(64);
  }
  bool ok = convertToFloat(left, type);
  ok &= convertToFloat(right, type);
  return ok ? type : nullptr;
}

/// typ-26: what is written behind `wrapping` is still plain.
static BinaryOp plainForm(const ast::BinaryExpr &binary) {
  if (binary.opRange.text() == "+")
    return BinaryOp::Add;
  if (binary.opRange.text() == "-")
    return BinaryOp::Sub;
  if (binary.opRange.text() == "*")
    return BinaryOp::Mul;
  return binary.op;
}

static bool isFloatOperator(BinaryOp op) {
  return op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul ||
         op == BinaryOp::Div;
}

/// Rules are checked by the host and by the card, in integers.
bool Analyzer::mayComputeFloats(const ast::BinaryExpr &binary) {
  if (place == Place::Body || place == Place::Constant)
    return true;
  bool isLeft = binary.left->type->is(TypeKind::Float);
  diagnostics.report(diag::BadOperand, binary.opRange, ast::spelling(binary.op),
                     "integers",
                     (isLeft ? binary.left : binary.right)->type->str());
  return false;
}

/// typ-26: + - * / of operands that are checked, at least one of them a float.
const Type *Analyzer::floatArithmetic(ast::BinaryExpr &binary) {
  binary.op = plainForm(binary);
  if (!isFloatOperator(binary.op)) {
    bool isLeft = binary.left->type->is(TypeKind::Float);
    diagnostics.report(diag::BadOperand, binary.opRange,
                       ast::spelling(binary.op), "integers",
                       (isLeft ? binary.left : binary.right)->type->str());
    return poison();
  }
  if (!mayComputeFloats(binary))
    return poison();
  const FloatType *type = unifyFloats(binary.left, binary.right);
  if (!type)
    return poison();
  binary.type = type;
  if (!binary.left->value || !binary.right->value)
    return type;
  APFloat value = floatOf(*binary.left), right = floatOf(*binary.right);
  constexpr APFloat::roundingMode nearest = APFloat::rmNearestTiesToEven;
  switch (binary.op) {
  case BinaryOp::Add:
    value.add(right, nearest);
    break;
  case BinaryOp::Sub:
    value.subtract(right, nearest);
    break;
  case BinaryOp::Mul:
    value.multiply(right, nearest);
    break;
  default:
    value.divide(right, nearest);
    break;
  }
  setFloat(binary, type, value);
  return type;
}

const Type *Analyzer::floatComparison(ast::BinaryExpr &binary) {
  if (!mayComputeFloats(binary) || !unifyFloats(binary.left, binary.right))
    return poison();
  if (!binary.left->value || !binary.right->value)
    return types.boolean();
  APFloat::cmpResult order =
      floatOf(*binary.left).compare(floatOf(*binary.right));
  bool isLess = order == APFloat::cmpLessThan;
  bool isEqual = order == APFloat::cmpEqual;
  bool isGreater = order == APFloat::cmpGreaterThan;
  bool holds = binary.op == BinaryOp::Less           ? isLess
               : binary.op == BinaryOp::LessEqual    ? isLess || isEqual
               : binary.op == BinaryOp::Greater      ? isGreater
               : binary.op == BinaryOp::GreaterEqual ? isGreater || isEqual
               : binary.op == BinaryOp::Equal        ? isEqual
                                                     : !isEqual;
  setConstant(binary, types.boolean(), number(holds));
  return types.boolean();
}

const Type *Analyzer::floatNegation(ast::UnaryExpr &unary) {
  const auto *type = as<FloatType>(unary.operand->type);
  unary.type = type;
  if (unary.operand->value)
    setFloat(unary, type, llvm::neg(floatOf(*unary.operand)));
  return type;
}

/// typ-12, on floats.
void Analyzer::floatCompound(ast::AssignStmt &stmt, const FloatType *type) {
  llvm::StringRef written = stmt.opRange.text();
  if (written == "+=" || written == "++")
    stmt.op = BinaryOp::Add;
  else if (written == "-=" || written == "--")
    stmt.op = BinaryOp::Sub;
  else if (written == "*=")
    stmt.op = BinaryOp::Mul;
  if (!isFloatOperator(*stmt.op)) {
    diagnostics.report(diag::BadOperand, stmt.opRange,
                       (ast::spelling(*stmt.op) + "=").str(), "an integer",
                       type->str());
    return;
  }
  convert(stmt.value, type);
}

/// typ-27: `e as T` from or to a float.
const Type *Analyzer::floatCast(ast::CastExpr &cast, const Type *target) {
  const Type *found = cast.operand->type;
  const auto *from = dynAs<FloatType>(found);
  const auto *to = dynAs<FloatType>(target);
  const auto *integer = dynAs<IntType>(valueOf(target));
  if (!(from && (to || integer)) && !(to && isInteger(found))) {
    diagnostics.report(diag::BadCast, cast.range, found->str(), target->str());
    return poison();
  }
  if (!from)
    defaultLiteral(*cast.operand);
  if (cast.operand->type->isError())
    return poison();
  if (!cast.operand->value)
    return to ? target : integer;
  if (from && to) {
    if (isFloatLiteral(*cast.operand))
      settleFloat(*cast.operand, to);
    APFloat value = floatOf(*cast.operand);
    round(value, to);
    setFloat(cast, to, value);
  } else if (to) {
    APFloat value(semanticsOf(to));
    value.convertFromAPInt(widen(*cast.operand->value), /*IsSigned=*/true,
                           APFloat::rmNearestTiesToEven);
    setFloat(cast, to, value);
  } else {
    llvm::APSInt value(integer->width, !integer->isSigned);
    bool isExact;
    floatOf(*cast.operand)
        .convertToInteger(value, APFloat::rmTowardZero, &isExact);
    setConstant(cast, integer, widen(value));
  }
  return cast.type;
}

} // namespace spinc::sema
