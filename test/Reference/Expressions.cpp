// Expressions: exact values, and the rules that each operator has to keep.
#include "test/Reference/Interpreter.h"

using namespace spinc;
using namespace spinc::reference;
using ast::BinaryOp;
using llvm::cast;
using llvm::dyn_cast;

bool Interpreter::holds(const ast::Expr &condition) {
  Number value = evalNumber(condition);
  return !stopped() && value != 0;
}

Number Interpreter::evalNumber(const ast::Expr &expr) {
  return eval(expr).number;
}

Value Interpreter::eval(const ast::Expr &expr) {
  if (stopped())
    return {};
  if (expr.value)
    return fromConstant(*expr.value);
  switch (expr.kind) {
  case ast::ExprKind::Name:
    return evalName(cast<ast::NameExpr>(expr));
  case ast::ExprKind::Field:
    return evalField(cast<ast::FieldExpr>(expr));
  case ast::ExprKind::InitList:
    return evalSimdList(cast<ast::InitListExpr>(expr));
  case ast::ExprKind::Index: {
    const auto &index = cast<ast::IndexExpr>(expr);
    if (index.base->type->is(TypeKind::Simd))
      return loadLane(index);
    std::optional<Slice> place = memoryPlace(expr);
    return place && !stopped() ? load(*place, expr) : Value();
  }
  case ast::ExprKind::Slice:
    return evalSlice(expr);
  case ast::ExprKind::Unary:
    return evalUnary(cast<ast::UnaryExpr>(expr));
  case ast::ExprKind::Binary:
    return evalBinary(cast<ast::BinaryExpr>(expr));
  case ast::ExprKind::Conditional: {
    const auto &choice = cast<ast::ConditionalExpr>(expr);
    bool condition = evalNumber(*choice.condition) != 0;
    return eval(condition ? *choice.whenTrue : *choice.whenFalse);
  }
  case ast::ExprKind::Cast:
    return evalCast(cast<ast::CastExpr>(expr));
  case ast::ExprKind::Call:
    return evalCall(cast<ast::CallExpr>(expr));
  default:
    fail("reference", "an expression that is not in the reference", expr.range);
    return {};
  }
}

Value Interpreter::evalName(const ast::NameExpr &expr) {
  if (const auto *host = llvm::dyn_cast_or_null<ast::HostDecl>(expr.decl))
    return Slice{&machine.host, 0, machine.host.bytes.size(),
                 as<SliceType>(host->type)->element};
  // In a rule, a parameter has no `state.` before it.
  auto param = machine.params.find(expr.decl);
  if (param != machine.params.end())
    return param->second;
  auto found = values.find(expr.decl);
  if (found != values.end())
    return found->second;
  fail("reference", "'" + expr.name + "' has no value", expr.range);
  return {};
}

Value Interpreter::evalField(const ast::FieldExpr &expr) {
  if (const sema::StateField *field = stateField(expr)) {
    if (field->kind == sema::StateKind::Param)
      return machine.params.lookup(field->decl);
    Slice whole = wholeField(*field);
    return field->isArray ? Value(whole) : load(whole, expr);
  }
  switch (expr.builtin) {
  case Builtin::None:
    if (expr.type->is(TypeKind::Slice))
      return evalSlice(expr);
    if (std::optional<Slice> place = memoryPlace(expr))
      return stopped() ? Value() : load(*place, expr);
    return loadHeaderField(expr);
  case Builtin::PacketLength:
    return Number(packet.bytes.size()) - payloadStart;
  case Builtin::PacketOffset:
  case Builtin::MessageType:
  case Builtin::MessageLength:
  case Builtin::MessageSource:
  case Builtin::MessageMatchBits:
  case Builtin::MessageOffset:
  case Builtin::MessageHdrData:
    return message(expr.builtin, expr);
  case Builtin::PacketAll:
  case Builtin::PacketPayload:
  case Builtin::PieceHost:
  case Builtin::PieceData:
    return evalSlice(expr);
  case Builtin::SliceLength:
  case Builtin::HostSize:
    return Number(evalSlice(*expr.base).length);
  case Builtin::ViewLength: {
    Value value = eval(*expr.base);
    return value.view ? value.view->count * value.view->block : Number(0);
  }
  case Builtin::HpuId:
    return Number(place.hpu);
  case Builtin::HpuCount:
    return Number(machine.hpus);
  case Builtin::ClusterId:
    return Number(place.cluster);
  case Builtin::ClusterCount:
    return Number(machine.clusters);
  default:
    fail("reference", "a member that is not in the reference", expr.range);
    return {};
  }
}

Number Interpreter::convert(Number value, const Type *type,
                            const ast::Expr &at) {
  const auto *integer = dynAs<IntType>(type);
  if (const auto *wire = dynAs<WireType>(type))
    integer = wire->value;
  if (!integer || fits(value, *integer))
    return value;
  if (wrapping)
    return wrap(value, *integer);
  fail("bnd-6", toText(value) + " is no " + type->str(), at.range);
  return 0;
}

Value Interpreter::convert(Value value, const Type *type, const ast::Expr &at) {
  value.number = convert(value.number, type, at);
  return value;
}

Value Interpreter::evalCast(const ast::CastExpr &expr) {
  if (const auto *target = dynAs<SliceType>(expr.type)) {
    // typ-15: a rest that does not fill an element is left out.
    Slice slice = evalSlice(*expr.operand);
    if (stopped())
      return {};
    uint64_t bytes = slice.length * sizeInBytes(slice.element);
    slice.element = target->element;
    slice.length = bytes / sizeInBytes(target->element);
    return slice;
  }
  Value value = eval(*expr.operand);
  if (stopped())
    return {};
  const Type *from = expr.operand->type;
  if (from->is(TypeKind::Float) || expr.type->is(TypeKind::Float))
    return castFloat(value.number, from, expr.type);
  return convert(value, expr.type, expr);
}

Value Interpreter::evalUnary(const ast::UnaryExpr &expr) {
  Number value = evalNumber(*expr.operand);
  if (stopped())
    return {};
  if (expr.op == ast::UnaryOp::Not)
    return Number(value == 0);
  if (expr.type->is(TypeKind::Float))
    return negateFloat(value, expr.type);
  if (expr.type->is(TypeKind::Simd))
    return (Number(1) << 32) - 1 - value;
  const auto &type = *as<IntType>(expr.type);
  if (expr.op == ast::UnaryOp::BitNot)
    return wrap(~value, type);
  if (fits(-value, type))
    return -value;
  if (wrapping)
    return wrap(-value, type);
  fail("bnd-3", "-" + toText(value) + " is no " + type.str(), expr.range);
  return {};
}

Value Interpreter::evalBinary(const ast::BinaryExpr &expr) {
  if (expr.type->is(TypeKind::Simd))
    return evalSimdBinary(expr);
  Number left = evalNumber(*expr.left);
  if (stopped())
    return {};
  if (expr.op == BinaryOp::And || expr.op == BinaryOp::Or) {
    bool decides = (left != 0) == (expr.op == BinaryOp::Or);
    return decides ? Number(left != 0) : Number(evalNumber(*expr.right) != 0);
  }
  Number right = evalNumber(*expr.right);
  if (stopped())
    return {};
  if (expr.left->type->is(TypeKind::Float))
    return computeFloat(expr.op, left, right, expr.left->type);
  switch (expr.op) {
  case BinaryOp::Less:
    return Number(left < right);
  case BinaryOp::LessEqual:
    return Number(left <= right);
  case BinaryOp::Greater:
    return Number(left > right);
  case BinaryOp::GreaterEqual:
    return Number(left >= right);
  case BinaryOp::Equal:
    return Number(left == right);
  case BinaryOp::NotEqual:
    return Number(left != right);
  default:
    return compute(expr, expr.op, left, right, expr.type);
  }
}

/// typ-10: inside `wrapping` the plain operators wrap.
static BinaryOp wrappingForm(BinaryOp op) {
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

Number Interpreter::compute(const ast::Expr &at, BinaryOp op, Number left,
                            Number right, const Type *resultType) {
  if (resultType->is(TypeKind::Bool))
    return op == BinaryOp::BitAnd  ? left & right
           : op == BinaryOp::BitOr ? left | right
                                   : left ^ right;
  if (resultType->is(TypeKind::Float))
    return computeFloat(op, left, right, resultType);
  if (const auto *wire = dynAs<WireType>(resultType))
    resultType = wire->value;
  const auto &type = *as<IntType>(resultType);
  if (wrapping)
    op = wrappingForm(op);
  bool isShift =
      op == BinaryOp::Shl || op == BinaryOp::WrapShl || op == BinaryOp::Shr;
  if (isShift && (right < 0 || right >= type.width)) {
    fail("bnd-5", "shift of a " + type.str() + " by " + toText(right),
         at.range);
    return 0;
  }
  if ((op == BinaryOp::Div || op == BinaryOp::Rem) && right == 0) {
    fail("bnd-4", "division by 0", at.range);
    return 0;
  }
  Number exact = 0;
  switch (op) {
  case BinaryOp::WrapAdd:
    return wrap(left + right, type);
  case BinaryOp::WrapSub:
    return wrap(left - right, type);
  case BinaryOp::WrapMul:
    return wrap(left * right, type);
  case BinaryOp::WrapShl:
    return wrap(left << unsigned(right), type);
  case BinaryOp::SatAdd:
    return saturate(left + right, type);
  case BinaryOp::SatSub:
    return saturate(left - right, type);
  case BinaryOp::Add:
    exact = left + right;
    break;
  case BinaryOp::Sub:
    exact = left - right;
    break;
  case BinaryOp::Mul:
    exact = left * right;
    break;
  case BinaryOp::Div:
    exact = left / right;
    break;
  case BinaryOp::Rem:
    exact = left % right;
    break;
  case BinaryOp::Shl:
    exact = left << unsigned(right);
    break;
  case BinaryOp::Shr:
    exact = left >> unsigned(right);
    break;
  case BinaryOp::BitAnd:
    exact = left & right;
    break;
  case BinaryOp::BitOr:
    exact = left | right;
    break;
  default:
    exact = left ^ right;
    break;
  }
  if (!fits(exact, type))
    fail("bnd-3",
         toText(left) + " " + ast::spelling(op).str() + " " + toText(right) +
             " is no " + type.str(),
         at.range);
  return exact;
}
