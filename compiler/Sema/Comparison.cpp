// typ-6: comparisons are mathematical. The + - * / % inside an operand of a
// comparison are given a type that holds every value they can take, so that
// `a + b <= c` cannot go wrong by wrapping; IRGen just follows the types.
#include "compiler/Sema/Analyzer.h"

#include <algorithm>

namespace spinc::sema {

using ast::BinaryOp;

static bool isMathOp(BinaryOp op) {
  return op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul ||
         op == BinaryOp::Div || op == BinaryOp::Rem;
}

static bool overflows(BinaryOp op, const Number &l, const Number &r,
                      Number &result) {
  FoldProblem problem;
  std::optional<Number> value = fold(op, l, r, nullptr, problem);
  if (value)
    result = *value;
  return !value;
}

/// The values `l op r` can take. None if 128 bits do not hold them.
static std::optional<std::pair<Number, Number>>
rangeOf(BinaryOp op, const std::pair<Number, Number> &l,
        const std::pair<Number, Number> &r) {
  Number largest =
      std::max(Number(l.first.isNegative() ? -l.first : l.first, false),
               Number(l.second.isNegative() ? -l.second : l.second, false));
  if (op == BinaryOp::Div) // at most as far from zero as the dividend
    return std::make_pair(l.first < 0 || r.first < 0 ? Number(-largest, false)
                                                     : number(0),
                          largest);
  if (op == BinaryOp::Rem)
    return std::make_pair(l.first < 0 ? Number(-largest, false) : number(0),
                          largest);
  Number values[4] = {number(0), number(0), number(0), number(0)};
  const Number *lefts[] = {&l.first, &l.first, &l.second, &l.second};
  const Number *rights[] = {&r.first, &r.second, &r.first, &r.second};
  for (int i = 0; i < 4; ++i)
    if (overflows(op, *lefts[i], *rights[i], values[i]))
      return std::nullopt;
  return std::make_pair(*std::min_element(values, values + 4),
                        *std::max_element(values, values + 4));
}

/// Types an operand without deciding the width of its arithmetic yet, and
/// widens `all` to what its nodes can take.
Analyzer::Range Analyzer::checkMath(ast::ExprPtr &expr, Range &all,
                                    bool &hasArithmetic) {
  Range result;
  auto *binary = llvm::dyn_cast<ast::BinaryExpr>(expr.get());
  if (binary && isMathOp(binary->op) && wrappingDepth == 0) {
    result = mathBinary(*binary, all, hasArithmetic);
    if (dynAs<FloatType>(expr->type)) // typ-26
      return result;
    expr->type = result.isKnown ? types.literal() : poison();
  } else {
    const Type *type = checkValue(expr);
    if (const auto *enumeration = dynAs<EnumType>(type)) {
      insertCast(expr, enumeration->underlying);
      type = expr->type;
    }
    if (expr->value && isInteger(type)) {
      result.low = result.high = widen(*expr->value);
      result.isKnown = true;
    } else if (const auto *integer = dynAs<IntType>(type)) {
      result.low = minimumOf(integer);
      result.high = maximumOf(integer);
      result.isKnown = true;
    }
  }
  if (result.isKnown) {
    all.low = all.isKnown ? std::min(all.low, result.low) : result.low;
    all.high = all.isKnown ? std::max(all.high, result.high) : result.high;
    all.isKnown = true;
  }
  return result;
}

Analyzer::Range Analyzer::mathBinary(ast::BinaryExpr &binary, Range &all,
                                     bool &hasArithmetic) {
  Range left = checkMath(binary.left, all, hasArithmetic);
  Range right = checkMath(binary.right, all, hasArithmetic);
  const Type *l = binary.left->type, *r = binary.right->type;
  Range result;
  if (!l->isError() && !r->isError() &&
      (l->is(TypeKind::Float) || r->is(TypeKind::Float))) {
    binary.type = floatArithmetic(binary);
    return result;
  }
  for (ast::ExprPtr *operand : {&binary.left, &binary.right}) {
    const Type *type = (*operand)->type;
    if (type->isError())
      return result;
    if (!isInteger(type)) {
      diagnostics.report(diag::BadOperand, binary.opRange,
                         ast::spelling(binary.op), "integers", type->str());
      return result;
    }
  }
  std::optional<std::pair<Number, Number>> range =
      rangeOf(binary.op, {left.low, left.high}, {right.low, right.high});
  if (!range) {
    diagnostics.report(diag::ComparisonTooWide, binary.range);
    return result;
  }
  if (binary.left->value && binary.right->value) {
    if (foldBinary(binary, types.literal())->isError())
      return result;
    result.low = result.high = widen(*binary.value);
  } else {
    hasArithmetic = true;
    result.low = range->first;
    result.high = range->second;
  }
  result.isKnown = true;
  return result;
}

/// Gives the arithmetic of an operand its type, and converts its leaves.
void Analyzer::retype(ast::ExprPtr &expr, const IntType *type) {
  auto *binary = llvm::dyn_cast<ast::BinaryExpr>(expr.get());
  bool isOpen = expr->type->is(TypeKind::Literal) && !expr->value;
  if (binary && isOpen) {
    retype(binary->left, type);
    retype(binary->right, type);
    expr->type = type;
    return;
  }
  if (binary && expr->value && expr->type->is(TypeKind::Literal) &&
      (!binary->left->type->is(TypeKind::Literal) ||
       !binary->right->type->is(TypeKind::Literal))) {
    // A constant made of typed constants.
    retype(binary->left, type);
    retype(binary->right, type);
    setConstant(*expr, type, widen(*expr->value));
    return;
  }
  convert(expr, type);
}

const Type *Analyzer::checkComparison(ast::BinaryExpr &binary) {
  Range all;
  bool hasArithmetic = false;
  checkMath(binary.left, all, hasArithmetic);
  checkMath(binary.right, all, hasArithmetic);
  const Type *left = binary.left->type;
  const Type *right = binary.right->type;
  if (left->isError() || right->isError())
    return poison();
  if (left->is(TypeKind::Simd) || right->is(TypeKind::Simd))
    return simdComparison(binary);
  if (left->is(TypeKind::Float) || right->is(TypeKind::Float))
    return floatComparison(binary);
  bool isEquality =
      binary.op == BinaryOp::Equal || binary.op == BinaryOp::NotEqual;
  bool areSame = left == right && isEquality &&
                 (left->is(TypeKind::Bool) || left->is(TypeKind::Process));
  if (areSame)
    return foldBinary(binary, types.boolean());
  if (!isInteger(left) || !isInteger(right)) {
    diagnostics.report(
        diag::BadOperand, binary.opRange, ast::spelling(binary.op),
        isInteger(left) || isInteger(right) ? "integers on both sides"
                                            : "integers",
        (isInteger(left) ? right : left)->str());
    return poison();
  }
  // Without arithmetic a common type of the operands is enough.
  const IntType *type = nullptr;
  for (const Type *side : {left, right})
    if (const auto *integer = dynAs<IntType>(side))
      if (!hasArithmetic && fits(all.low, integer) && fits(all.high, integer))
        type = integer;
  for (const IntType *candidate :
       {types.u(32), types.i(32), types.u(64), types.i(64), types.i(128)})
    if (!type && fits(all.low, candidate) && fits(all.high, candidate))
      type = candidate;
  if (!type) {
    diagnostics.report(diag::ComparisonTooWide, binary.range);
    return poison();
  }
  retype(binary.left, type);
  retype(binary.right, type);
  return foldBinary(binary, types.boolean());
}

} // namespace spinc::sema
