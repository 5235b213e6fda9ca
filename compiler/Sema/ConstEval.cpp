// Constant arithmetic (typ-9).
#include "compiler/Sema/ConstEval.h"

#include "llvm/ADT/SmallString.h"

namespace spinc::sema {

using ast::BinaryOp;

static constexpr unsigned numberBits = 128;

static Number signedNumber(llvm::APInt bits) {
  return Number(std::move(bits), /*isUnsigned=*/false);
}

Number number(int64_t value) {
  return signedNumber(llvm::APInt(numberBits, static_cast<uint64_t>(value),
                                  /*isSigned=*/true));
}

Number unsignedNumber(uint64_t value) {
  return signedNumber(llvm::APInt(numberBits, value));
}

Number widen(const llvm::APSInt &value) {
  Number wide = value.extend(numberBits);
  wide.setIsSigned(true);
  return wide;
}

llvm::APSInt narrow(const Number &value, const IntType *type) {
  return llvm::APSInt(value.trunc(type->width), !type->isSigned);
}

Number minimumOf(const IntType *type) {
  if (!type->isSigned)
    return number(0);
  return signedNumber(
      llvm::APInt::getSignedMinValue(type->width).sext(numberBits));
}

Number maximumOf(const IntType *type) {
  if (type->width >= numberBits)
    return signedNumber(llvm::APInt::getSignedMaxValue(numberBits));
  llvm::APInt most = type->isSigned
                         ? llvm::APInt::getSignedMaxValue(type->width)
                         : llvm::APInt::getMaxValue(type->width);
  return signedNumber(most.zext(numberBits));
}

bool fits(const Number &value, const IntType *type) {
  return minimumOf(type) <= value && value <= maximumOf(type);
}

std::string toString(const Number &value) {
  llvm::SmallString<40> text;
  value.toString(text, 10);
  return text.str().str();
}

static Number truth(bool value) { return number(value ? 1 : 0); }

/// `exact` modulo the width of `type`.
static Number wrapped(const Number &exact, const IntType *type) {
  return type ? widen(narrow(exact, type)) : exact;
}

std::optional<Number> fold(BinaryOp op, const Number &l, const Number &r,
                           const IntType *type, FoldProblem &problem) {
  problem = FoldProblem::None;
  bool overflow = false;
  llvm::APInt result;
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::WrapAdd:
  case BinaryOp::SatAdd:
    result = l.sadd_ov(r, overflow);
    break;
  case BinaryOp::Sub:
  case BinaryOp::WrapSub:
  case BinaryOp::SatSub:
    result = l.ssub_ov(r, overflow);
    break;
  case BinaryOp::Mul:
  case BinaryOp::WrapMul:
    result = l.smul_ov(r, overflow);
    break;
  case BinaryOp::Div:
  case BinaryOp::Rem:
    if (r == 0) {
      problem = FoldProblem::DivisionByZero;
      return std::nullopt;
    }
    result = op == BinaryOp::Div ? l.sdiv_ov(r, overflow) : l.srem(r);
    break;
  case BinaryOp::Shl:
  case BinaryOp::WrapShl:
  case BinaryOp::Shr: {
    unsigned width = type ? type->width : 64;
    if (r < 0 || r >= number(width)) {
      problem = FoldProblem::ShiftAmount;
      return std::nullopt;
    }
    unsigned amount = static_cast<unsigned>(r.getZExtValue());
    if (op == BinaryOp::Shr)
      return signedNumber(l.ashr(amount));
    if (op == BinaryOp::WrapShl && type)
      return wrapped(signedNumber(l.shl(amount)), type);
    result = l.sshl_ov(llvm::APInt(numberBits, amount), overflow);
    break;
  }
  case BinaryOp::Less:
    return truth(l < r);
  case BinaryOp::LessEqual:
    return truth(l <= r);
  case BinaryOp::Greater:
    return truth(l > r);
  case BinaryOp::GreaterEqual:
    return truth(l >= r);
  case BinaryOp::Equal:
    return truth(l == r);
  case BinaryOp::NotEqual:
    return truth(l != r);
  case BinaryOp::BitAnd:
    return signedNumber(l & r);
  case BinaryOp::BitXor:
    return signedNumber(l ^ r);
  case BinaryOp::BitOr:
    return signedNumber(l | r);
  case BinaryOp::And:
    return truth(l != 0 && r != 0);
  case BinaryOp::Or:
    return truth(l != 0 || r != 0);
  }
  if (overflow) {
    problem = FoldProblem::Overflow;
    return std::nullopt;
  }
  bool wraps = op == BinaryOp::WrapAdd || op == BinaryOp::WrapSub ||
               op == BinaryOp::WrapMul;
  Number exact = signedNumber(std::move(result));
  return wraps ? wrapped(exact, type) : exact;
}

static std::optional<Number> evaluateUnary(const ast::UnaryExpr &unary,
                                           const Bindings &bindings) {
  std::optional<Number> operand = evaluate(*unary.operand, bindings);
  if (!operand)
    return std::nullopt;
  switch (unary.op) {
  case ast::UnaryOp::Negate:
    return signedNumber(-*operand);
  case ast::UnaryOp::Not:
    return truth(*operand == 0);
  case ast::UnaryOp::BitNot:
    return wrapped(signedNumber(~*operand), dynAs<IntType>(unary.type));
  }
  return std::nullopt;
}

std::optional<Number> evaluate(const ast::Expr &expr,
                               const Bindings &bindings) {
  if (expr.value)
    return widen(*expr.value);
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&expr)) {
    auto bound = bindings.find(name->decl);
    if (bound == bindings.end())
      return std::nullopt;
    return bound->second;
  }
  if (const auto *cast = llvm::dyn_cast<ast::CastExpr>(&expr))
    return evaluate(*cast->operand, bindings);
  if (const auto *unary = llvm::dyn_cast<ast::UnaryExpr>(&expr))
    return evaluateUnary(*unary, bindings);
  const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&expr);
  if (!binary)
    return std::nullopt;
  std::optional<Number> left = evaluate(*binary->left, bindings);
  std::optional<Number> right = evaluate(*binary->right, bindings);
  if (!left || !right)
    return std::nullopt;
  FoldProblem problem;
  return fold(binary->op, *left, *right, dynAs<IntType>(binary->type), problem);
}

} // namespace spinc::sema
