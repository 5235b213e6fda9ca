// f32 and f64, as the bits of the host's float and double (typ-24 … typ-27).
#include "test/Reference/Interpreter.h"
#include <cmath>
#include <cstring>

using namespace spinc;
using namespace spinc::reference;
using ast::BinaryOp;

template <class Float, class Bits> static Float fromBits(Number number) {
  Bits bits = static_cast<Bits>(number);
  Float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

template <class Float, class Bits> static Number toBits(Float value) {
  Bits bits;
  std::memcpy(&bits, &value, sizeof bits);
  return Number(bits);
}

static bool isSingle(const Type *type) {
  return as<FloatType>(type)->width == 32;
}

template <class Float>
static Float computeAs(BinaryOp op, Float left, Float right) {
  switch (op) {
  case BinaryOp::Add:
    return left + right;
  case BinaryOp::Sub:
    return left - right;
  case BinaryOp::Mul:
    return left * right;
  default:
    return left / right;
  }
}

template <class Float>
static bool compareAs(BinaryOp op, Float left, Float right) {
  switch (op) {
  case BinaryOp::Less:
    return left < right;
  case BinaryOp::LessEqual:
    return left <= right;
  case BinaryOp::Greater:
    return left > right;
  case BinaryOp::GreaterEqual:
    return left >= right;
  case BinaryOp::Equal:
    return left == right;
  default:
    return left != right;
  }
}

Number reference::computeFloat(BinaryOp op, Number left, Number right,
                               const Type *type) {
  bool isComparison = op >= BinaryOp::Less && op <= BinaryOp::NotEqual;
  if (isSingle(type)) {
    auto a = fromBits<float, uint32_t>(left);
    auto b = fromBits<float, uint32_t>(right);
    return isComparison ? Number(compareAs(op, a, b))
                        : toBits<float, uint32_t>(computeAs(op, a, b));
  }
  auto a = fromBits<double, uint64_t>(left);
  auto b = fromBits<double, uint64_t>(right);
  return isComparison ? Number(compareAs(op, a, b))
                      : toBits<double, uint64_t>(computeAs(op, a, b));
}

Number reference::negateFloat(Number value, const Type *type) {
  return value ^ Number(1) << (as<FloatType>(type)->width - 1);
}

/// typ-27: towards zero, the ends of the type, and 0 for a NaN.
static Number truncateTo(double value, const IntType &type) {
  if (std::isnan(value))
    return 0;
  if (value >= std::ldexp(1.0, type.width - type.isSigned))
    return highest(type);
  if (value <= (type.isSigned ? -std::ldexp(1.0, type.width - 1) : 0.0))
    return lowest(type);
  return value < 0 ? -Number(static_cast<uint64_t>(-value))
                   : Number(static_cast<uint64_t>(value));
}

Number reference::castFloat(Number value, const Type *from, const Type *to) {
  if (!from->is(TypeKind::Float)) {
    bool isNegative = value < 0;
    auto magnitude = static_cast<uint64_t>(isNegative ? -value : value);
    if (isSingle(to)) {
      auto result = static_cast<float>(magnitude);
      return toBits<float, uint32_t>(isNegative ? -result : result);
    }
    auto result = static_cast<double>(magnitude);
    return toBits<double, uint64_t>(isNegative ? -result : result);
  }
  double number = isSingle(from) ? fromBits<float, uint32_t>(value)
                                 : fromBits<double, uint64_t>(value);
  if (!to->is(TypeKind::Float))
    return truncateTo(number, *as<IntType>(to));
  return isSingle(to) ? toBits<float, uint32_t>(static_cast<float>(number))
                      : toBits<double, uint64_t>(number);
}
