// Packed SIMD values (sim-1 … sim-5) as words: an i32 whose lowest bits are
// lane 0. Lanes that are read, and written at an index, are arithmetic on the
// word, which the prover follows; what works on all lanes is spin.lanes.
#include "compiler/IRGen/HandlerGenerator.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

namespace {

uint32_t laneMask(const sema::SimdType &type) {
  return (uint32_t(1) << type.element->width) - 1;
}

/// The comparison of lanes that `op` stands for (sim-3).
spin::LaneKind comparison(ast::BinaryOp op, bool isSigned) {
  using Kind = spin::LaneKind;
  switch (op) {
  case ast::BinaryOp::Equal:
    return Kind::Eq;
  case ast::BinaryOp::NotEqual:
    return Kind::Ne;
  case ast::BinaryOp::Less:
    return isSigned ? Kind::LtS : Kind::LtU;
  case ast::BinaryOp::LessEqual:
    return isSigned ? Kind::LeS : Kind::LeU;
  case ast::BinaryOp::Greater:
    return isSigned ? Kind::GtS : Kind::GtU;
  default:
    assert(op == ast::BinaryOp::GreaterEqual);
    return isSigned ? Kind::GeS : Kind::GeU;
  }
}

} // namespace

/// A number of a lane's type in all lanes.
Value HandlerGenerator::emitSplat(Location at, Value number,
                                  const sema::SimdType &type) {
  return spin::SplatOp::create(
      builder, at, extend(at, number, /*isSigned=*/false, 32), type.lanes);
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

Value HandlerGenerator::emitLanewise(Location at, spin::LaneKind kind,
                                     Value left, Value right,
                                     const sema::SimdType &type) {
  return spin::LanesOp::create(builder, at, kind, left, right, type.lanes);
}

/// The sum, or difference, of a and b without what of b would take it beyond
/// the limits of a lane.
Value HandlerGenerator::emitSaturatingLanes(Location at, bool subtracts,
                                            Value a, Value b,
                                            const sema::SimdType &type) {
  using Kind = spin::LaneKind;
  auto lanes = [&](Kind kind, Value left, Value right) {
    return emitLanewise(at, kind, left, right, type);
  };
  auto every = [&](uint32_t bits) {
    return emitSplat(at, constant(at, bits), type);
  };
  Kind last = subtracts ? Kind::Sub : Kind::Add;
  if (!type.element->isSigned) {
    Value room = subtracts ? a
                           : arith::XOrIOp::create(builder, at, a,
                                                   every(laneMask(type)));
    return lanes(last, a, lanes(Kind::MinU, b, room));
  }
  uint32_t least = uint32_t(1) << (type.element->width - 1);
  Value low, high;
  if (subtracts) {
    Value minusOne = every(laneMask(type));
    low = lanes(Kind::Sub, lanes(Kind::MaxS, a, minusOne), every(least - 1));
    high = lanes(Kind::Sub, lanes(Kind::MinS, a, minusOne), every(least));
  } else {
    Value zero = constant(at, 0);
    low = lanes(Kind::Sub, every(least), lanes(Kind::MinS, a, zero));
    high = lanes(Kind::Sub, every(least - 1), lanes(Kind::MaxS, a, zero));
  }
  return lanes(last, a, lanes(Kind::MaxS, low, lanes(Kind::MinS, b, high)));
}

Value HandlerGenerator::emitSimdOperator(Location at, ast::BinaryOp op,
                                         Value left, Value right,
                                         const sema::SimdType &type) {
  using Op = ast::BinaryOp;
  using Kind = spin::LaneKind;
  switch (op) {
  case Op::WrapAdd:
    return emitLanewise(at, Kind::Add, left, right, type);
  case Op::WrapSub:
    return emitLanewise(at, Kind::Sub, left, right, type);
  case Op::BitAnd:
    return arith::AndIOp::create(builder, at, left, right);
  case Op::BitOr:
    return arith::OrIOp::create(builder, at, left, right);
  case Op::BitXor:
    return arith::XOrIOp::create(builder, at, left, right);
  case Op::WrapShl:
  case Op::Shr: // sim-2: the amount is below the lanes' width (bnd-5)
    return emitLanewise(at,
                        op == Op::WrapShl        ? Kind::Shl
                        : type.element->isSigned ? Kind::ShrS
                                                 : Kind::ShrU,
                        left, extend(at, right, /*isSigned=*/false, 32), type);
  default:
    assert(op == Op::SatAdd || op == Op::SatSub);
    return emitSaturatingLanes(at, op == Op::SatSub, left, right, type);
  }
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
  return emitLanewise(at, comparison(expr.op, type->element->isSigned), left,
                      right, *type);
}

/// sim-4
Value HandlerGenerator::emitSimdMethod(const ast::CallExpr &expr) {
  using Kind = spin::LaneKind;
  Location at = loc(expr.range);
  const auto &callee = llvm::cast<ast::FieldExpr>(*expr.callee);
  const auto &type = *sema::as<sema::SimdType>(callee.base->type);
  bool isSigned = type.element->isSigned;
  Value left = emitScalar(*callee.base);
  auto lanes = [&](Kind kind, Value a, Value b) {
    return emitLanewise(at, kind, a, b, type);
  };
  if (expr.builtin == Builtin::SimdAbs)
    return isSigned ? lanes(Kind::MaxS, left,
                            lanes(Kind::Sub, constant(at, 0), left))
                    : left;
  Value right = emitLanes(argument(expr, 0), type);
  switch (expr.builtin) {
  case Builtin::SimdMin:
    return lanes(isSigned ? Kind::MinS : Kind::MinU, left, right);
  case Builtin::SimdMax:
    return lanes(isSigned ? Kind::MaxS : Kind::MaxU, left, right);
  case Builtin::SimdAvg: {
    // What both have, and half of what one has: no sum leaves its lane.
    Value both = arith::AndIOp::create(builder, at, left, right);
    Value one = arith::XOrIOp::create(builder, at, left, right);
    return lanes(
        Kind::Add, both,
        lanes(isSigned ? Kind::ShrS : Kind::ShrU, one, constant(at, 1)));
  }
  default:
    return emitDot(at, left, right, type);
  }
}

Value HandlerGenerator::emitDot(Location at, Value left, Value right,
                                const sema::SimdType &type) {
  Value sum;
  for (unsigned i = 0; i < type.lanes; ++i) {
    Value product =
        arith::MulIOp::create(builder, at, emitWideLane(at, left, i, type),
                              emitWideLane(at, right, i, type));
    sum =
        sum ? Value(arith::AddIOp::create(builder, at, sum, product)) : product;
  }
  return sum;
}

/// `{ 1, 2, 3, 4 }`
Value HandlerGenerator::emitSimdList(const ast::InitListExpr &list) {
  Location at = loc(list.range);
  const auto &type = *sema::as<sema::SimdType>(list.type);
  Value word = constant(at, 0);
  for (auto [lane, element] : llvm::enumerate(list.elements)) {
    Value number = extend(at, emitAs(*element.value, type.element),
                          /*isSigned=*/false, 32);
    word = spin::InsertLaneOp::create(builder, at, number, word, unsigned(lane),
                                      type.lanes);
  }
  return word;
}
