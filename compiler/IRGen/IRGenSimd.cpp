// Packed SIMD values (sim-1 … sim-5) as words: an i32 whose lowest bits are
// lane 0. Sums and differences of all lanes are computed at once, without
// carries from lane to lane; what has no such form goes lane by lane.
#include "compiler/IRGen/HandlerGenerator.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

namespace {

/// `bits`, the same in every lane.
uint32_t everyLane(const sema::SimdType &type, uint32_t bits) {
  uint32_t all = 0;
  for (unsigned lane = 0; lane < type.lanes; ++lane)
    all |= bits << (lane * type.element->width);
  return all;
}

uint32_t laneMask(const sema::SimdType &type) {
  return (uint32_t(1) << type.element->width) - 1;
}

} // namespace

/// A number of a lane's type in all lanes.
Value HandlerGenerator::emitSplat(Location at, Value number,
                                  const sema::SimdType &type) {
  Value word = extend(at, number, /*isSigned=*/false, 32);
  return arith::MulIOp::create(builder, at, word,
                               constant(at, everyLane(type, 1)));
}

/// An operand of a lane-wise operator.
Value HandlerGenerator::emitLanes(const ast::Expr &expr,
                                  const sema::SimdType &type) {
  Value value = emitScalar(expr);
  return expr.type->is(sema::TypeKind::Simd)
             ? value
             : emitSplat(loc(expr.range), value, type);
}

/// The distance of a lane from the word's end; that there is such a lane is an
/// obligation of this and of the shift by it.
Value HandlerGenerator::emitLaneShift(Location at, Value lane,
                                      const sema::SimdType &type) {
  return arith::MulIOp::create(builder, at, lane,
                               constant(at, type.element->width),
                               arith::IntegerOverflowFlags::nuw);
}

Value HandlerGenerator::emitLane(Location at, Value word, Value lane,
                                 const sema::SimdType &type) {
  Value moved =
      arith::ShRUIOp::create(builder, at, word, emitLaneShift(at, lane, type));
  return arith::TruncIOp::create(
      builder, at, builder.getIntegerType(type.element->width), moved);
}

Value HandlerGenerator::emitWithLane(Location at, Value word, Value lane,
                                     Value number, const sema::SimdType &type) {
  Value shift = emitLaneShift(at, lane, type);
  Value mask =
      arith::ShLIOp::create(builder, at, constant(at, laneMask(type)), shift);
  Value others =
      arith::XOrIOp::create(builder, at, mask, constant(at, ~uint32_t(0)));
  Value put = arith::ShLIOp::create(
      builder, at, extend(at, number, /*isSigned=*/false, 32), shift);
  return arith::OrIOp::create(
      builder, at, arith::AndIOp::create(builder, at, word, others), put);
}

/// Lane `lane` of a word as a number of 32 bits.
Value HandlerGenerator::emitWideLane(Location at, Value word, unsigned lane,
                                     const sema::SimdType &type) {
  Value number = emitLane(at, word, constant(at, lane), type);
  return extend(at, number, type.element->isSigned, 32);
}

/// The word whose lanes are the lowest bits of what `lane` gives for each.
Value HandlerGenerator::emitEachLane(Location at, const sema::SimdType &type,
                                     llvm::function_ref<Value(unsigned)> lane) {
  Value word;
  for (unsigned i = 0; i < type.lanes; ++i) {
    Value bits = arith::AndIOp::create(builder, at, lane(i),
                                       constant(at, laneMask(type)));
    bits = arith::ShLIOp::create(builder, at, bits,
                                 constant(at, i * type.element->width));
    word = word ? Value(arith::OrIOp::create(builder, at, word, bits)) : bits;
  }
  return word;
}

/// The highest bit of each lane is computed apart, so that no carry crosses.
Value HandlerGenerator::emitLaneSum(Location at, bool subtracts, Value left,
                                    Value right, const sema::SimdType &type) {
  uint32_t top = everyLane(type, uint32_t(1) << (type.element->width - 1));
  Value highest = constant(at, top), rest = constant(at, ~top);
  auto both = [&](Value a, Value b) -> Value {
    return arith::AndIOp::create(builder, at, a, b);
  };
  Value differ = arith::XOrIOp::create(builder, at, left, right);
  Value low;
  if (subtracts) {
    low = arith::SubIOp::create(
        builder, at, arith::OrIOp::create(builder, at, left, highest),
        both(right, rest));
    differ =
        arith::XOrIOp::create(builder, at, differ, constant(at, ~uint32_t(0)));
  } else {
    low =
        arith::AddIOp::create(builder, at, both(left, rest), both(right, rest));
  }
  return arith::XOrIOp::create(builder, at, low, both(differ, highest));
}

/// sim-2: `amount` has the lanes' width, and is below it (bnd-5).
Value HandlerGenerator::emitLaneShifts(Location at, bool toLeft, Value word,
                                       Value amount,
                                       const sema::SimdType &type) {
  unsigned width = type.element->width;
  if (!toLeft && type.element->isSigned)
    return emitEachLane(at, type, [&](unsigned i) -> Value {
      Value lane = emitLane(at, word, constant(at, i), type);
      lane = arith::ShRSIOp::create(builder, at, lane, amount);
      return extend(at, lane, /*isSigned=*/false, 32);
    });
  Value ones = constant(at, laneMask(type), width);
  Value wide = extend(at, amount, /*isSigned=*/false, 32);
  Value kept, moved;
  if (toLeft) {
    kept = arith::ShLIOp::create(builder, at, ones, amount);
    moved = arith::ShLIOp::create(builder, at, word, wide);
  } else {
    kept = arith::ShRUIOp::create(builder, at, ones, amount);
    moved = arith::ShRUIOp::create(builder, at, word, wide);
  }
  return arith::AndIOp::create(builder, at, moved, emitSplat(at, kept, type));
}

Value HandlerGenerator::emitSimdOperator(Location at, ast::BinaryOp op,
                                         Value left, Value right,
                                         const sema::SimdType &type) {
  using Op = ast::BinaryOp;
  switch (op) {
  case Op::WrapAdd:
  case Op::WrapSub:
    return emitLaneSum(at, op == Op::WrapSub, left, right, type);
  case Op::BitAnd:
    return arith::AndIOp::create(builder, at, left, right);
  case Op::BitOr:
    return arith::OrIOp::create(builder, at, left, right);
  case Op::BitXor:
    return arith::XOrIOp::create(builder, at, left, right);
  case Op::WrapShl:
  case Op::Shr:
    return emitLaneShifts(at, op == Op::WrapShl, left, right, type);
  default:
    break;
  }
  assert(op == Op::SatAdd || op == Op::SatSub);
  return emitEachLane(at, type, [&](unsigned i) -> Value {
    Value a = emitLane(at, left, constant(at, i), type);
    Value b = emitLane(at, right, constant(at, i), type);
    Value sum = emitSaturating(at, op, a, b,
                               {type.element->width, type.element->isSigned});
    return extend(at, sum, /*isSigned=*/false, 32);
  });
}

/// The right operand of `op`: lanes, or the amount of a shift.
Value HandlerGenerator::emitSimdRight(ast::BinaryOp op, const ast::Expr &expr,
                                      const sema::SimdType &type) {
  bool isShift = op == ast::BinaryOp::WrapShl || op == ast::BinaryOp::Shr;
  return isShift ? emitScalar(expr) : emitLanes(expr, type);
}

Value HandlerGenerator::emitSimdBinary(const ast::BinaryExpr &expr) {
  Location at = loc(expr.range);
  const auto *type = sema::dynAs<sema::SimdType>(expr.left->type);
  if (!type)
    type = sema::as<sema::SimdType>(expr.right->type);
  Value left = emitLanes(*expr.left, *type);
  Value right = emitSimdRight(expr.op, *expr.right, *type);
  if (expr.op < ast::BinaryOp::Less || expr.op > ast::BinaryOp::NotEqual)
    return emitSimdOperator(at, expr.op, left, right, *type);
  // sim-3
  return emitEachLane(at, *type, [&](unsigned i) -> Value {
    Value holds = arith::CmpIOp::create(
        builder, at, predicate(expr.op, type->element->isSigned),
        emitWideLane(at, left, i, *type), emitWideLane(at, right, i, *type));
    return extend(at, holds, /*isSigned=*/true, 32);
  });
}

/// sim-4
Value HandlerGenerator::emitSimdMethod(const ast::CallExpr &expr) {
  Location at = loc(expr.range);
  const auto &callee = llvm::cast<ast::FieldExpr>(*expr.callee);
  const auto &type = *sema::as<sema::SimdType>(callee.base->type);
  bool isSigned = type.element->isSigned;
  Value left = emitScalar(*callee.base);
  if (expr.builtin == Builtin::SimdAbs && !isSigned)
    return left;
  Value right = expr.builtin == Builtin::SimdAbs
                    ? constant(at, 0)
                    : emitLanes(argument(expr, 0), type);
  auto number = [&](Value word, unsigned i) {
    return emitWideLane(at, word, i, type);
  };
  if (expr.builtin == Builtin::SimdDot) {
    Value sum;
    for (unsigned i = 0; i < type.lanes; ++i) {
      Value product =
          arith::MulIOp::create(builder, at, number(left, i), number(right, i));
      sum = sum ? Value(arith::AddIOp::create(builder, at, sum, product))
                : product;
    }
    return sum;
  }
  return emitEachLane(at, type, [&](unsigned i) -> Value {
    Value a = number(left, i), b = number(right, i);
    auto choose = [&](arith::CmpIPredicate which) -> Value {
      Value first = arith::CmpIOp::create(builder, at, which, a, b);
      return arith::SelectOp::create(builder, at, first, a, b);
    };
    switch (expr.builtin) {
    case Builtin::SimdMin:
      return choose(predicate(ast::BinaryOp::Less, isSigned));
    case Builtin::SimdMax:
      return choose(predicate(ast::BinaryOp::Greater, isSigned));
    case Builtin::SimdAvg: {
      Value sum = arith::AddIOp::create(builder, at, a, b);
      return arith::ShRSIOp::create(builder, at, sum, constant(at, 1));
    }
    default: // abs: b is 0
      b = arith::SubIOp::create(builder, at, b, a);
      return choose(predicate(ast::BinaryOp::Greater, isSigned));
    }
  });
}

/// `{ 1, 2, 3, 4 }`
Value HandlerGenerator::emitSimdList(const ast::InitListExpr &list) {
  Location at = loc(list.range);
  const auto &type = *sema::as<sema::SimdType>(list.type);
  return emitEachLane(at, type, [&](unsigned i) -> Value {
    if (i >= list.elements.size())
      return constant(at, 0);
    return extend(at, emitAs(*list.elements[i].value, type.element),
                  /*isSigned=*/false, 32);
  });
}
