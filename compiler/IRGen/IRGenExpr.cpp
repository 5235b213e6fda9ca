// Scalar expressions. Plain + - * carry an overflow flag, which is an
// obligation: spin-prove-bounds proves it or rejects the program.
#include "compiler/IRGen/HandlerGenerator.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

Value HandlerGenerator::emitScalar(const ast::Expr &expr) {
  if (expr.value) {
    unsigned bits = scalarType(builder.getContext(), expr.type).getWidth();
    return arith::ConstantOp::create(
        builder, loc(expr.range),
        builder.getIntegerAttr(builder.getIntegerType(bits),
                               expr.value->extOrTrunc(bits)));
  }
  if (const auto *named = llvm::dyn_cast<ast::NameExpr>(&expr)) {
    assert(bindings.contains(named->decl) &&
           "a name without value is constant");
    return bindings.lookup(named->decl).value;
  }
  return nameByText(expr, emitComputed(expr));
}

/// What is neither a constant nor a variable.
Value HandlerGenerator::emitComputed(const ast::Expr &expr) {
  switch (expr.kind) {
  case ast::ExprKind::Field:
    return emitField(llvm::cast<ast::FieldExpr>(expr));
  case ast::ExprKind::Index: {
    const auto &index = llvm::cast<ast::IndexExpr>(expr);
    if (const auto *simd = sema::dynAs<sema::SimdType>(index.base->type)) {
      Value word = emitScalar(*index.base);
      return emitLane(loc(expr.range), word, emitU32(*index.index), *simd);
    }
    return emitElementLoad(expr);
  }
  case ast::ExprKind::InitList:
    return emitSimdList(llvm::cast<ast::InitListExpr>(expr));
  case ast::ExprKind::Unary:
    return emitUnary(llvm::cast<ast::UnaryExpr>(expr));
  case ast::ExprKind::Binary:
    return emitBinary(llvm::cast<ast::BinaryExpr>(expr));
  case ast::ExprKind::Conditional:
    return emitConditional(llvm::cast<ast::ConditionalExpr>(expr));
  case ast::ExprKind::Cast: {
    const auto &cast = llvm::cast<ast::CastExpr>(expr);
    if (cast.type->is(sema::TypeKind::Float) ||
        cast.operand->type->is(sema::TypeKind::Float))
      return emitFloatCast(loc(cast.range), emitScalar(*cast.operand),
                           cast.operand->type, cast.type);
    return emitAs(*cast.operand, cast.type);
  }
  case ast::ExprKind::Call:
    return emitCall(llvm::cast<ast::CallExpr>(expr));
  default:
    llvm_unreachable("Sema refuses expressions that are not lowered");
  }
}

/// The value of `expr` as a `type`; where not every value of the one is a value
/// of the other, that this one is an obligation.
Value HandlerGenerator::emitAs(const ast::Expr &expr, const sema::Type *type) {
  return convert(loc(expr.range), emitScalar(expr), shapeOf(expr.type),
                 shapeOf(type), /*exact=*/!wrapping);
}

Value HandlerGenerator::emitValue(const ast::Expr &expr,
                                  const sema::Type *type) {
  const auto *wire = sema::dynAs<sema::WireType>(type);
  return emitAs(expr, wire ? wire->value : type);
}

Value HandlerGenerator::emitU32(const ast::Expr &expr) {
  return convert(loc(expr.range), emitScalar(expr), shapeOf(expr.type),
                 u32Shape, /*exact=*/true);
}

Value HandlerGenerator::extend(Location at, Value value, bool isSigned,
                               unsigned bits) {
  IntegerType to = builder.getIntegerType(bits);
  if (value.getType() == to)
    return value;
  if (isSigned)
    return arith::ExtSIOp::create(builder, at, to, value);
  return arith::ExtUIOp::create(builder, at, to, value);
}

/// bnd-6: a conversion that is `exact` keeps the value. It goes through a type
/// that holds the values of both sides, and the flags of the truncation say
/// what has to be proved.
Value HandlerGenerator::convert(Location at, Value value, Shape from, Shape to,
                                bool exact) {
  unsigned has = value.getType().getIntOrFloatBitWidth();
  unsigned target = to.bits == 1 ? has == 1 ? 1 : 8 : storageBits(to.bits);
  bool holdsAll = from.isSigned ? to.isSigned && to.bits >= from.bits
                                : to.bits >= from.bits + to.isSigned;
  if (holdsAll && target >= has)
    return extend(at, value, from.isSigned, target);
  using Flags = arith::IntegerOverflowFlags;
  Flags flags = Flags::none;
  if (exact) {
    value = extend(at, value, from.isSigned,
                   std::max(has, storageBits(to.bits + 1)));
    if (!to.isSigned || !from.isSigned)
      flags = flags | Flags::nuw;
    if (to.isSigned)
      flags = flags | Flags::nsw;
  } else {
    // A negative number in a wider unsigned type: its sign fills the rest.
    value = extend(at, value, from.isSigned, std::max(has, to.bits));
  }
  IntegerType narrow = builder.getIntegerType(to.bits);
  if (narrow != value.getType())
    value = arith::TruncIOp::create(builder, at, narrow, value, flags);
  return extend(at, value, to.isSigned, target);
}

Value HandlerGenerator::emitUnary(const ast::UnaryExpr &expr) {
  Location at = loc(expr.range);
  Value value = emitAs(*expr.operand, expr.type);
  if (expr.type->is(sema::TypeKind::Float))
    return emitFloatNegation(at, value);
  unsigned bits = value.getType().getIntOrFloatBitWidth();
  if (expr.op == ast::UnaryOp::Negate)
    return emitOperator(at, ast::BinaryOp::Sub, constant(at, 0, bits), value,
                        expr.type);
  Value ones = arith::ConstantOp::create(
      builder, at,
      builder.getIntegerAttr(value.getType(), APInt::getAllOnes(bits)));
  Value flipped = arith::XOrIOp::create(builder, at, value, ones);
  // Of a u5, kept in eight bits, five are flipped.
  Shape shape = shapeOf(expr.type);
  return convert(at, flipped, {bits, shape.isSigned}, shape, /*exact=*/false);
}

Value HandlerGenerator::emitBinary(const ast::BinaryExpr &expr) {
  if (expr.op == ast::BinaryOp::And || expr.op == ast::BinaryOp::Or)
    return emitShortCircuit(expr);
  if (expr.type->is(sema::TypeKind::Simd))
    return emitSimdBinary(expr);
  if (expr.op >= ast::BinaryOp::Less && expr.op <= ast::BinaryOp::NotEqual)
    return emitComparison(expr);
  Value left = emitAs(*expr.left, expr.type);
  Value right = emitAs(*expr.right, expr.type);
  return emitOperator(loc(expr.range), expr.op, left, right, expr.type);
}

/// `left op right`, both of them and the result a `type`.
Value HandlerGenerator::emitOperator(Location at, ast::BinaryOp op, Value left,
                                     Value right, const sema::Type *type) {
  if (type->is(sema::TypeKind::Float))
    return emitFloatOperator(at, op, left, right);
  Shape shape = shapeOf(type);
  if (op == ast::BinaryOp::SatAdd || op == ast::BinaryOp::SatSub)
    return emitSaturating(at, op, left, right, shape);
  Value value = emitArithmetic(at, op, left, right, shape.isSigned);
  // A result of, say, four bits is kept in eight: it has to fit the four.
  Shape kept = {value.getType().getIntOrFloatBitWidth(), shape.isSigned};
  bool wraps = wrapping ||
               (op >= ast::BinaryOp::WrapAdd && op <= ast::BinaryOp::WrapShl);
  return convert(at, value, kept, shape, !wraps);
}

Value HandlerGenerator::emitArithmetic(Location at, ast::BinaryOp op,
                                       Value left, Value right, bool isSigned) {
  using Op = ast::BinaryOp;
  using Flags = arith::IntegerOverflowFlags;
  Flags exact = wrapping ? Flags::none : isSigned ? Flags::nsw : Flags::nuw;
  switch (op) {
  case Op::Add:
    return arith::AddIOp::create(builder, at, left, right, exact);
  case Op::Sub:
    return arith::SubIOp::create(builder, at, left, right, exact);
  case Op::Mul:
    return arith::MulIOp::create(builder, at, left, right, exact);
  case Op::WrapAdd:
    return arith::AddIOp::create(builder, at, left, right);
  case Op::WrapSub:
    return arith::SubIOp::create(builder, at, left, right);
  case Op::WrapMul:
    return arith::MulIOp::create(builder, at, left, right);
  case Op::Div:
    if (isSigned)
      return arith::DivSIOp::create(builder, at, left, right);
    return arith::DivUIOp::create(builder, at, left, right);
  case Op::Rem:
    if (isSigned)
      return arith::RemSIOp::create(builder, at, left, right);
    return arith::RemUIOp::create(builder, at, left, right);
  case Op::Shl:
  case Op::WrapShl:
    return arith::ShLIOp::create(builder, at, left, right,
                                 op == Op::Shl ? exact : Flags::none);
  case Op::Shr:
    if (isSigned)
      return arith::ShRSIOp::create(builder, at, left, right);
    return arith::ShRUIOp::create(builder, at, left, right);
  case Op::BitAnd:
    return arith::AndIOp::create(builder, at, left, right);
  case Op::BitOr:
    return arith::OrIOp::create(builder, at, left, right);
  case Op::BitXor:
    return arith::XOrIOp::create(builder, at, left, right);
  default:
    llvm_unreachable("comparisons and logic have their own paths");
  }
}

/// Computes where every sum and difference fits, and clamps to the values of
/// `shape`.
Value HandlerGenerator::emitSaturating(Location at, ast::BinaryOp op,
                                       Value left, Value right, Shape shape) {
  IntegerType kept = llvm::cast<IntegerType>(left.getType());
  // One more bit for a sum, and one for a sign.
  unsigned bits =
      shape.bits + 2 <= kept.getWidth() ? kept.getWidth() : 2 * kept.getWidth();
  IntegerType wide = builder.getIntegerType(bits);
  left = extend(at, left, shape.isSigned, bits);
  right = extend(at, right, shape.isSigned, bits);
  Value exact = op == ast::BinaryOp::SatAdd
                    ? Value(arith::AddIOp::create(builder, at, left, right))
                    : Value(arith::SubIOp::create(builder, at, left, right));
  auto limit = [&](const APInt &value) -> Value {
    APInt extended = shape.isSigned ? value.sext(bits) : value.zext(bits);
    return arith::ConstantOp::create(builder, at,
                                     builder.getIntegerAttr(wide, extended));
  };
  APInt low = shape.isSigned ? APInt::getSignedMinValue(shape.bits)
                             : APInt::getMinValue(shape.bits);
  APInt high = shape.isSigned ? APInt::getSignedMaxValue(shape.bits)
                              : APInt::getMaxValue(shape.bits);
  exact = arith::MaxSIOp::create(builder, at, exact, limit(low));
  exact = arith::MinSIOp::create(builder, at, exact, limit(high));
  if (wide == kept)
    return exact;
  return arith::TruncIOp::create(builder, at, kept, exact);
}

arith::CmpIPredicate irgen::predicate(ast::BinaryOp op, bool isSigned) {
  using Predicate = arith::CmpIPredicate;
  switch (op) {
  case ast::BinaryOp::Less:
    return isSigned ? Predicate::slt : Predicate::ult;
  case ast::BinaryOp::LessEqual:
    return isSigned ? Predicate::sle : Predicate::ule;
  case ast::BinaryOp::Greater:
    return isSigned ? Predicate::sgt : Predicate::ugt;
  case ast::BinaryOp::GreaterEqual:
    return isSigned ? Predicate::sge : Predicate::uge;
  case ast::BinaryOp::Equal:
    return Predicate::eq;
  default:
    assert(op == ast::BinaryOp::NotEqual);
    return Predicate::ne;
  }
}

/// typ-7: compares mathematical values. Sema has widened arithmetic that might
/// not fit; operands of mixed signedness meet in a wider signed type.
Value HandlerGenerator::emitComparison(const ast::BinaryExpr &expr) {
  if (expr.left->type->is(sema::TypeKind::Float))
    return emitFloatComparison(expr);
  Value left = emitScalar(*expr.left), right = emitScalar(*expr.right);
  bool leftSigned = isSigned(expr.left->type);
  bool rightSigned = isSigned(expr.right->type);
  unsigned leftBits = left.getType().getIntOrFloatBitWidth();
  unsigned rightBits = right.getType().getIntOrFloatBitWidth();
  unsigned bits = std::max(leftBits, rightBits);
  if (leftSigned != rightSigned)
    bits = std::max(leftSigned ? leftBits : 2 * leftBits,
                    rightSigned ? rightBits : 2 * rightBits);
  Location at = loc(expr.range);
  return arith::CmpIOp::create(
      builder, at, predicate(expr.op, leftSigned || rightSigned),
      extend(at, left, leftSigned, bits), extend(at, right, rightSigned, bits));
}

/// Whether evaluating `expr` needs no guard: it reads variables and header
/// fields and compares them, without an obligation of its own.
static bool isAlwaysDefined(const ast::Expr &expr) {
  if (expr.value || llvm::isa<ast::NameExpr>(expr))
    return true;
  if (const auto *field = llvm::dyn_cast<ast::FieldExpr>(&expr))
    return field->builtin != Builtin::PacketPayload;
  if (const auto *unary = llvm::dyn_cast<ast::UnaryExpr>(&expr))
    return unary->op != ast::UnaryOp::Negate &&
           isAlwaysDefined(*unary->operand);
  const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&expr);
  return binary && binary->op >= ast::BinaryOp::Less &&
         isAlwaysDefined(*binary->left) && isAlwaysDefined(*binary->right);
}

/// The right side runs only if the left does not decide. Where running it
/// always makes no difference the condition stays one value.
Value HandlerGenerator::emitShortCircuit(const ast::BinaryExpr &expr) {
  Location at = loc(expr.range);
  bool isAnd = expr.op == ast::BinaryOp::And;
  Value left = emitScalar(*expr.left);
  if (isAlwaysDefined(*expr.right)) {
    Value right = emitScalar(*expr.right);
    if (isAnd)
      return arith::AndIOp::create(builder, at, left, right);
    return arith::OrIOp::create(builder, at, left, right);
  }
  auto decided = [&] { return constant(at, !isAnd, 1); };
  auto right = [&] { return emitScalar(*expr.right); };
  Variables carried = assignedIn({}, expr.right.get());
  if (isAnd)
    return emitChoice(at, left, builder.getI1Type(), carried, right, decided);
  return emitChoice(at, left, builder.getI1Type(), carried, decided, right);
}

Value HandlerGenerator::emitConditional(const ast::ConditionalExpr &expr) {
  Value condition = emitScalar(*expr.condition);
  return emitChoice(
      loc(expr.range), condition, scalarType(builder.getContext(), expr.type),
      assignedIn({}, {expr.whenTrue.get(), expr.whenFalse.get()}),
      [&] { return emitAs(*expr.whenTrue, expr.type); },
      [&] { return emitAs(*expr.whenFalse, expr.type); });
}

Value HandlerGenerator::emitChoice(Location at, Value condition,
                                   mlir::Type type, const Variables &carried,
                                   llvm::function_ref<Value()> whenTrue,
                                   llvm::function_ref<Value()> whenFalse) {
  SmallVector<Value> before = valuesOf(carried);
  SmallVector<mlir::Type> types = {type};
  llvm::append_range(types, ValueRange(before).getTypes());
  auto op = scf::IfOp::create(builder, at, types, condition,
                              /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (auto [block, value] : {std::pair(op.thenBlock(), whenTrue),
                              std::pair(op.elseBlock(), whenFalse)}) {
    builder.setInsertionPointToEnd(block);
    bind(carried, before);
    SmallVector<Value> values = {value()};
    llvm::append_range(values, valuesOf(carried));
    scf::YieldOp::create(builder, at, values);
  }
  bind(carried, op.getResults().drop_front());
  return op.getResult(0);
}
