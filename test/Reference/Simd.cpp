// Packed values, lane by lane (sim-1 … sim-5). A value is the number of its
// word.
#include "test/Reference/Interpreter.h"

using namespace spinc;
using namespace spinc::reference;
using llvm::cast;
using llvm::dyn_cast;

static Number maskOf(const SimdType &type) {
  return (Number(1) << type.element->width) - 1;
}

static Number laneOf(Number word, unsigned lane, const SimdType &type) {
  return wrap(word >> (lane * type.element->width) & maskOf(type),
              *type.element);
}

static Number withLane(Number word, unsigned lane, Number value,
                       const SimdType &type) {
  unsigned shift = lane * type.element->width;
  Number bits = value & maskOf(type);
  return (word & ~(maskOf(type) << shift)) | bits << shift;
}

static Number eachLane(const SimdType &type,
                       llvm::function_ref<Number(unsigned)> lane) {
  Number word = 0;
  for (unsigned i = 0; i < type.lanes; ++i)
    word = withLane(word, i, lane(i), type);
  return word;
}

/// An operand as lanes: a number stands for all of them.
Number Interpreter::evalLanes(const ast::Expr &expr, const SimdType &type) {
  Number value = evalNumber(expr);
  if (expr.type->is(TypeKind::Simd))
    return value;
  return eachLane(type, [&](unsigned) { return value; });
}

/// The lane that `expr` names, of `word`, or null if there is none.
std::optional<unsigned> Interpreter::evalLane(const ast::IndexExpr &expr) {
  const auto &type = *as<SimdType>(expr.base->type);
  Number at = evalNumber(*expr.index);
  if (!stopped() && (at < 0 || at >= type.lanes))
    fail("bnd-5", "lane " + toText(at) + " of " + type.str(), expr.range);
  if (stopped())
    return std::nullopt;
  return unsigned(at);
}

Value Interpreter::loadLane(const ast::IndexExpr &expr) {
  Number word = evalNumber(*expr.base);
  std::optional<unsigned> lane = evalLane(expr);
  return lane ? laneOf(word, *lane, *as<SimdType>(expr.base->type)) : Number(0);
}

void Interpreter::storeLane(const ast::IndexExpr &target, Number value) {
  Number word = evalNumber(*target.base);
  if (std::optional<unsigned> lane = evalLane(target))
    storeTo(*target.base,
            withLane(word, *lane, value, *as<SimdType>(target.base->type)));
}

Number Interpreter::evalSimdList(const ast::InitListExpr &list) {
  const auto &type = *as<SimdType>(list.type);
  return eachLane(type, [&](unsigned i) {
    return i < list.elements.size() ? evalNumber(*list.elements[i].value)
                                    : Number(0);
  });
}

/// `left op right` where `right` is the operand as it is written.
Number Interpreter::computeSimd(const ast::Expr &at, ast::BinaryOp op,
                                Number left, const ast::Expr &right,
                                const SimdType &type) {
  bool isShift = op == ast::BinaryOp::WrapShl || op == ast::BinaryOp::Shr;
  Number amount = isShift ? evalNumber(right) : Number(0);
  Number lanes = isShift ? Number(0) : evalLanes(right, type);
  return eachLane(type, [&](unsigned i) {
    Number a = laneOf(left, i, type);
    Number b = isShift ? amount : laneOf(lanes, i, type);
    switch (op) {
    case ast::BinaryOp::Less:
      return Number(a < b ? -1 : 0);
    case ast::BinaryOp::LessEqual:
      return Number(a <= b ? -1 : 0);
    case ast::BinaryOp::Greater:
      return Number(a > b ? -1 : 0);
    case ast::BinaryOp::GreaterEqual:
      return Number(a >= b ? -1 : 0);
    case ast::BinaryOp::Equal:
      return Number(a == b ? -1 : 0);
    case ast::BinaryOp::NotEqual:
      return Number(a != b ? -1 : 0);
    default:
      return compute(at, op, a, b, type.element);
    }
  });
}

Value Interpreter::evalSimdBinary(const ast::BinaryExpr &expr) {
  const auto *type = dynAs<SimdType>(expr.left->type);
  if (!type)
    type = as<SimdType>(expr.right->type);
  return computeSimd(expr, expr.op, evalLanes(*expr.left, *type), *expr.right,
                     *type);
}

Value Interpreter::evalSimdMethod(const ast::CallExpr &expr) {
  const auto &callee = *cast<ast::FieldExpr>(expr.callee.get());
  const auto &type = *as<SimdType>(callee.base->type);
  Number left = evalNumber(*callee.base);
  Number right = expr.builtin == Builtin::SimdAbs
                     ? Number(0)
                     : evalLanes(argument(expr, 0), type);
  if (expr.builtin == Builtin::SimdDot) {
    Number sum = 0;
    for (unsigned i = 0; i < type.lanes; ++i)
      sum += laneOf(left, i, type) * laneOf(right, i, type);
    return wrap(sum, *as<IntType>(expr.type));
  }
  return eachLane(type, [&](unsigned i) {
    Number a = laneOf(left, i, type), b = laneOf(right, i, type);
    switch (expr.builtin) {
    case Builtin::SimdMin:
      return a < b ? a : b;
    case Builtin::SimdMax:
      return a > b ? a : b;
    case Builtin::SimdAvg:
      return (a + b) >> 1;
    default:
      return a < 0 ? Number(-a) : a;
    }
  });
}
