// f32 and f64. A float is kept as an integer of its bits, which is opaque to
// the prover; only the operations here see a number in it (typ-26, typ-27).
#include "compiler/IRGen/HandlerGenerator.h"

#include <cmath>

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

Value HandlerGenerator::asFloat(Location at, Value bits) {
  bool isSingle = bits.getType().getIntOrFloatBitWidth() == 32;
  mlir::Type type = isSingle ? mlir::Type(builder.getF32Type())
                             : mlir::Type(builder.getF64Type());
  return arith::BitcastOp::create(builder, at, type, bits);
}

Value HandlerGenerator::bitsOf(Location at, Value number) {
  return arith::BitcastOp::create(
      builder, at,
      builder.getIntegerType(number.getType().getIntOrFloatBitWidth()), number);
}

Value HandlerGenerator::emitFloatOperator(Location at, ast::BinaryOp op,
                                          Value left, Value right) {
  Value a = asFloat(at, left), b = asFloat(at, right);
  switch (op) {
  case ast::BinaryOp::Add:
    return bitsOf(at, arith::AddFOp::create(builder, at, a, b));
  case ast::BinaryOp::Sub:
    return bitsOf(at, arith::SubFOp::create(builder, at, a, b));
  case ast::BinaryOp::Mul:
    return bitsOf(at, arith::MulFOp::create(builder, at, a, b));
  default:
    assert(op == ast::BinaryOp::Div && "Sema refuses other operators");
    return bitsOf(at, arith::DivFOp::create(builder, at, a, b));
  }
}

/// With a NaN every comparison but `!=` is false.
Value HandlerGenerator::emitFloatComparison(const ast::BinaryExpr &expr) {
  using Predicate = arith::CmpFPredicate;
  Predicate predicate = Predicate::UNE;
  switch (expr.op) {
  case ast::BinaryOp::Less:
    predicate = Predicate::OLT;
    break;
  case ast::BinaryOp::LessEqual:
    predicate = Predicate::OLE;
    break;
  case ast::BinaryOp::Greater:
    predicate = Predicate::OGT;
    break;
  case ast::BinaryOp::GreaterEqual:
    predicate = Predicate::OGE;
    break;
  case ast::BinaryOp::Equal:
    predicate = Predicate::OEQ;
    break;
  default:
    assert(expr.op == ast::BinaryOp::NotEqual);
    break;
  }
  Location at = loc(expr.range);
  Value left = emitScalar(*expr.left), right = emitScalar(*expr.right);
  return arith::CmpFOp::create(builder, at, predicate, asFloat(at, left),
                               asFloat(at, right));
}

Value HandlerGenerator::emitFloatNegation(Location at, Value bits) {
  unsigned width = bits.getType().getIntOrFloatBitWidth();
  Value sign = constant(at, uint64_t(1) << (width - 1), width);
  return arith::XOrIOp::create(builder, at, bits, sign);
}

Value HandlerGenerator::emitFloatCast(Location at, Value value,
                                      const sema::Type *from,
                                      const sema::Type *to) {
  const auto *real = sema::dynAs<sema::FloatType>(to);
  if (!real)
    return emitFloatToInteger(at, asFloat(at, value), shapeOf(to));
  mlir::Type type = real->width == 32 ? mlir::Type(builder.getF32Type())
                                      : mlir::Type(builder.getF64Type());
  if (const auto *source = sema::dynAs<sema::FloatType>(from)) {
    if (source->width == real->width)
      return value;
    Value number = asFloat(at, value);
    if (source->width < real->width)
      return bitsOf(at, arith::ExtFOp::create(builder, at, type, number));
    return bitsOf(at, arith::TruncFOp::create(builder, at, type, number));
  }
  Shape shape = shapeOf(from);
  unsigned has = value.getType().getIntOrFloatBitWidth();
  Value wide = extend(at, value, shape.isSigned, std::max(has, 32u));
  if (shape.isSigned)
    return bitsOf(at, arith::SIToFPOp::create(builder, at, type, wide));
  return bitsOf(at, arith::UIToFPOp::create(builder, at, type, wide));
}

/// Towards zero; what is beyond the ends of the integer is its end, and a NaN
/// is 0. The conversion alone says nothing about those.
Value HandlerGenerator::emitFloatToInteger(Location at, Value number,
                                           Shape to) {
  unsigned bits = to.bits <= 32 ? 32 : 64;
  IntegerType type = builder.getIntegerType(bits);
  auto limit = [&](double value) -> Value {
    return arith::ConstantOp::create(
        builder, at, builder.getFloatAttr(number.getType(), value));
  };
  auto whole = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(
        builder, at,
        builder.getIntegerAttr(type, to.isSigned ? value.sext(bits)
                                                 : value.zext(bits)));
  };
  auto is = [&](arith::CmpFPredicate predicate, Value a, Value b) -> Value {
    return arith::CmpFOp::create(builder, at, predicate, a, b);
  };
  // Both ends are powers of two, which a float holds.
  unsigned magnitude = to.bits - to.isSigned;
  Value end = limit(std::ldexp(1.0, magnitude));
  Value begin = limit(to.isSigned ? -std::ldexp(1.0, magnitude) : 0.0);
  APInt low = to.isSigned ? APInt::getSignedMinValue(to.bits)
                          : APInt::getMinValue(to.bits);
  APInt high = to.isSigned ? APInt::getSignedMaxValue(to.bits)
                           : APInt::getMaxValue(to.bits);
  Value inside =
      to.isSigned ? Value(arith::FPToSIOp::create(builder, at, type, number))
                  : Value(arith::FPToUIOp::create(builder, at, type, number));
  using Predicate = arith::CmpFPredicate;
  Value below = whole(low);
  if (to.isSigned)
    below =
        arith::SelectOp::create(builder, at, is(Predicate::UNO, number, number),
                                whole(APInt::getZero(to.bits)), below);
  Value result = arith::SelectOp::create(
      builder, at, is(Predicate::OGE, number, begin), inside, below);
  result = arith::SelectOp::create(builder, at, is(Predicate::OGE, number, end),
                                   whole(high), result);
  IntegerType kept = builder.getIntegerType(storageBits(std::max(to.bits, 2u)));
  if (kept == type)
    return result;
  return arith::TruncIOp::create(builder, at, kept, result);
}
