// Binary operators: the type they work in (typ-4, typ-7) and their value when
// both sides are constants (typ-9). Comparisons are in Comparison.cpp.
#include "compiler/Sema/Analyzer.h"

namespace spinc::sema {

using ast::BinaryOp;

/// typ-10
BinaryOp wrappingForm(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
    return BinaryOp::WrapAdd;
  case BinaryOp::Sub:
    return BinaryOp::WrapSub;
  case BinaryOp::Mul:
    return BinaryOp::WrapMul;
  case BinaryOp::Shl:
    return BinaryOp::WrapShl;
  default:
    return op;
  }
}

const Type *Analyzer::checkBinary(ast::BinaryExpr &binary) {
  if (wrappingDepth)
    binary.op = wrappingForm(binary.op);
  switch (binary.op) {
  case BinaryOp::And:
  case BinaryOp::Or: {
    const Type *left = checkBool(binary.left);
    const Type *right = checkBool(binary.right);
    if (left->isError() || right->isError())
      return poison();
    return foldBinary(binary, types.boolean());
  }
  case BinaryOp::Less:
  case BinaryOp::LessEqual:
  case BinaryOp::Greater:
  case BinaryOp::GreaterEqual:
  case BinaryOp::Equal:
  case BinaryOp::NotEqual:
    return checkComparison(binary);
  case BinaryOp::Shl:
  case BinaryOp::WrapShl:
  case BinaryOp::Shr:
    return checkShift(binary);
  default:
    return checkArithmetic(binary);
  }
}

/// typ-7: integers narrower than 32 bits are added in 32 bits.
const Type *Analyzer::promoted(const Type *type) {
  const auto *integer = dynAs<IntType>(type);
  if (!integer || integer->width >= 32)
    return type;
  return types.integer(32, integer->isSigned);
}

const Type *Analyzer::checkArithmetic(ast::BinaryExpr &binary) {
  const Type *left = checkValue(binary.left);
  const Type *right = checkValue(binary.right);
  if (left->isError() || right->isError())
    return poison();
  if (left->is(TypeKind::Simd) || right->is(TypeKind::Simd))
    return simdArithmetic(binary);
  if (left->is(TypeKind::Float) || right->is(TypeKind::Float))
    return floatArithmetic(binary);
  bool isBitOp = binary.op == BinaryOp::BitAnd ||
                 binary.op == BinaryOp::BitOr || binary.op == BinaryOp::BitXor;
  if (isBitOp && left->is(TypeKind::Bool) && right->is(TypeKind::Bool))
    return foldBinary(binary, types.boolean());
  for (const Type *operand : {left, right})
    if (!isInteger(operand)) {
      DiagnosticBuilder report = diagnostics.report(
          diag::BadOperand, binary.opRange, ast::spelling(binary.op),
          "integers", operand->str());
      if (operand->is(TypeKind::Bool) && isBitOp)
        report.fix("use '&&' or '||'");
      return poison();
    }
  const Type *type = commonType(binary);
  return type->isError() ? type : foldBinary(binary, type);
}

const Type *Analyzer::unify(ast::ExprPtr &left, ast::ExprPtr &right,
                            bool promotes) {
  if (left->type->is(TypeKind::Literal) && right->type->is(TypeKind::Literal))
    return left->type;
  const Type *l = promotes ? promoted(left->type) : left->type;
  const Type *r = promotes ? promoted(right->type) : right->type;
  auto holds = [](const Type *type, const ast::Expr &constant) {
    return constant.value && fits(widen(*constant.value), as<IntType>(type));
  };
  const Type *type = nullptr;
  if (l->is(TypeKind::Literal))
    type = r;
  else if (r->is(TypeKind::Literal) || l == r || widens(r, l))
    type = l;
  else if (widens(l, r))
    type = r;
  else if (holds(l, *right))
    type = l;
  else if (holds(r, *left))
    type = r;
  if (!type)
    return nullptr;
  bool ok = convert(left, type);
  ok &= convert(right, type);
  return ok ? type : poison();
}

/// The type both operands are converted to (typ-4, typ-7).
const Type *Analyzer::commonType(ast::BinaryExpr &binary) {
  bool promotes = binary.op == BinaryOp::Add || binary.op == BinaryOp::Sub ||
                  binary.op == BinaryOp::Mul;
  const Type *left = binary.left->type;
  const Type *right = binary.right->type;
  if (const Type *type = unify(binary.left, binary.right, promotes))
    return type;
  bool leftIsSigned = as<IntType>(left)->isSigned;
  const ast::Expr &signedSide = leftIsSigned ? *binary.left : *binary.right;
  const Type *unsignedType = leftIsSigned ? right : left;
  diagnostics
      .report(diag::MixedSigns, binary.range, ast::spelling(binary.op),
              left->str(), right->str())
      .reason("neither type holds all values of the other")
      .fix("write '" + signedSide.range.text().str() + " as " +
           unsignedType->str() + "' if it is never negative")
      .fixIt(signedSide.range, "(" + signedSide.range.text().str() + ") as " +
                                   unsignedType->str());
  return poison();
}

/// typ-8: the amount is any unsigned integer; the result has the type of the
/// left side, at least 32 bits for `<<`, which keeps all bits.
const Type *Analyzer::checkShift(ast::BinaryExpr &binary) {
  const Type *left = checkValue(binary.left);
  const Type *right = checkValue(binary.right);
  if (left->isError() || right->isError())
    return poison();
  if (left->is(TypeKind::Simd) || right->is(TypeKind::Simd))
    return simdShift(binary);
  for (const Type *operand : {left, right})
    if (!isInteger(operand)) {
      diagnostics.report(diag::BadOperand, binary.opRange,
                         ast::spelling(binary.op), "integers", operand->str());
      return poison();
    }
  if (left->is(TypeKind::Literal) && right->is(TypeKind::Literal))
    return foldBinary(binary, left);
  if (left->is(TypeKind::Literal)) {
    defaultLiteral(*binary.left);
    left = binary.left->type;
  }
  if (left->isError())
    return left;
  const Type *type = binary.op == BinaryOp::Shl ? promoted(left) : left;
  const auto *integer = as<IntType>(type);
  if (binary.right->value) {
    Number amount = widen(*binary.right->value);
    if (amount < 0 || amount >= number(integer->width)) {
      diagnostics
          .report(diag::ConstantProblem, binary.right->range,
                  "a shift by " + toString(amount))
          .reason("the amount is below the width of " + type->str());
      return poison();
    }
  }
  convert(binary.left, type);
  // The amount is used in the type of the left side.
  const IntType *amountType = types.u(integer->width);
  if (!convert(binary.right, amountType))
    return poison();
  return foldBinary(binary, type);
}

/// typ-9
const Type *Analyzer::foldBinary(ast::BinaryExpr &binary, const Type *type) {
  if (!binary.left->value || !binary.right->value)
    return type;
  FoldProblem problem;
  const auto *integer = dynAs<IntType>(type);
  std::optional<Number> value =
      fold(binary.op, widen(*binary.left->value), widen(*binary.right->value),
           integer, problem);
  if (!value) {
    const char *why = problem == FoldProblem::DivisionByZero ? "division by 0"
                      : problem == FoldProblem::ShiftAmount
                          ? "the shift amount is out of range"
                          : "it needs more than 128 bits";
    diagnostics.report(diag::ConstantProblem, binary.range, why);
    return poison();
  }
  if (integer && !fits(*value, integer)) {
    diagnostics
        .report(diag::DoesNotFit, binary.range, toString(*value), type->str())
        .reason("the operands are " + type->str());
    return poison();
  }
  setConstant(binary, type, *value);
  return type;
}

} // namespace spinc::sema
