// Calls of builtins: commands, atomics, views and the copies of a field.
#include "compiler/IRGen/HandlerGenerator.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

/// The positional argument `position`.
const ast::Expr &HandlerGenerator::argument(const ast::CallExpr &expr,
                                            unsigned position) {
  for (const ast::Argument &candidate : expr.arguments)
    if (!candidate.name && position-- == 0)
      return *candidate.value;
  llvm_unreachable("Sema checks the arguments of builtins");
}

const ast::Expr *HandlerGenerator::argument(const ast::CallExpr &expr,
                                            StringRef label) {
  for (const ast::Argument &candidate : expr.arguments)
    if (candidate.name && candidate.name->text == label)
      return candidate.value.get();
  return nullptr;
}

Value HandlerGenerator::emitCall(const ast::CallExpr &expr) {
  Location at = loc(expr.range);
  if (expr.decl)
    return emitFunctionCall(expr);
  switch (expr.builtin) {
  case Builtin::Copy: {
    const auto &callee = llvm::cast<ast::FieldExpr>(*expr.callee);
    const sema::StateField *field = stateField(*callee.base);
    return spin::StateCopyOp::create(builder, at, stateSlice(*field),
                                     field->name, emitU32(argument(expr, 0)),
                                     spin::ProofAttr());
  }
  case Builtin::Strided: {
    Value region = emitSlice(argument(expr, 0));
    Value count = emitU32(argument(expr, 1));
    Value block = emitU32(argument(expr, 2));
    Value stride = emitU32(argument(expr, 3));
    return spin::StridedViewOp::create(
        builder, at, spin::StridedType::get(builder.getContext()), region,
        count, block, stride, spin::ProofAttr());
  }
  case Builtin::FetchAdd:
  case Builtin::FetchAnd:
  case Builtin::FetchOr:
  case Builtin::FetchXor:
  case Builtin::FetchMax:
  case Builtin::FetchMin:
  case Builtin::Swap:
  case Builtin::Cas:
  case Builtin::Increment:
  case Builtin::CounterGet:
  case Builtin::CounterSet:
    return emitAtomic(expr);
  case Builtin::SimdMin:
  case Builtin::SimdMax:
  case Builtin::SimdAvg:
  case Builtin::SimdAbs:
  case Builtin::SimdDot:
    return emitSimdMethod(expr);
  default:
    return emitAction(expr);
  }
}

/// An action gives its command if it is `async`. DMA without `async` is
/// complete before the next statement; the other actions complete on their
/// own.
Value HandlerGenerator::emitAction(const ast::CallExpr &expr) {
  Location at = loc(expr.range);
  auto type = spin::CommandType::get(builder.getContext());
  spin::ProofAttr unproved;
  Value command;
  switch (expr.builtin) {
  case Builtin::DmaToHost: {
    Value dest = emitSlice(argument(expr, 0));
    Value source = emitSlice(argument(expr, 1));
    command =
        spin::DmaToHostOp::create(builder, at, type, dest, source, unproved);
    if (!expr.isAsync)
      spin::WaitOp::create(builder, at, command);
    return command;
  }
  case Builtin::DmaFromHost: {
    Value dest = emitSlice(argument(expr, 0));
    Value source = emitSlice(argument(expr, 1));
    command =
        spin::DmaFromHostOp::create(builder, at, type, dest, source, unproved);
    if (!expr.isAsync)
      spin::WaitOp::create(builder, at, command);
    return command;
  }
  case Builtin::Notify: {
    Value dest = emitSlice(argument(expr, 0));
    const ast::Expr &value = argument(expr, 1);
    Value wide =
        convert(at, emitScalar(value), shapeOf(value.type), u64Shape, true);
    return spin::NotifyOp::create(builder, at, type, dest, wide, unproved);
  }
  case Builtin::Send:
    return spin::SendOp::create(builder, at, type, emitSlice(argument(expr, 0)),
                                unproved);
  case Builtin::Put:
    return emitPut(expr);
  case Builtin::Wait:
    spin::WaitOp::create(builder, at, emitSlice(argument(expr, 0)));
    return {};
  default:
    llvm_unreachable("Sema refuses actions that are not lowered");
  }
}

Value HandlerGenerator::emitPut(const ast::CallExpr &expr) {
  Location at = loc(expr.range);
  const ast::Expr &payload = argument(expr, 0);
  Value data = payload.type->is(TypeKind::None) ? Value() : emitSlice(payload);
  Value to = emitU32(*argument(expr, "to"));
  const ast::Expr &bits = *argument(expr, "match");
  Value match =
      convert(at, emitScalar(bits), shapeOf(bits.type), u64Shape, true);
  const ast::Expr *header = argument(expr, "hdr_data");
  Value headerData = header ? emitU32(*header) : Value();
  return spin::PutOp::create(builder, at,
                             spin::CommandType::get(builder.getContext()), data,
                             to, match, headerData);
}

static spin::AtomicKind atomicKind(Builtin builtin, bool isSigned) {
  switch (builtin) {
  case Builtin::FetchAdd:
  case Builtin::Increment:
  case Builtin::CounterGet:
    return spin::AtomicKind::Add;
  case Builtin::FetchAnd:
    return spin::AtomicKind::And;
  case Builtin::FetchOr:
    return spin::AtomicKind::Or;
  case Builtin::FetchXor:
    return spin::AtomicKind::Xor;
  case Builtin::FetchMax:
    return isSigned ? spin::AtomicKind::MaxS : spin::AtomicKind::MaxU;
  case Builtin::FetchMin:
    return isSigned ? spin::AtomicKind::MinS : spin::AtomicKind::MinU;
  case Builtin::Cas:
    return spin::AtomicKind::Cas;
  default:
    assert(builtin == Builtin::Swap || builtin == Builtin::CounterSet);
    return spin::AtomicKind::Swap;
  }
}

/// `state.f.fetch_add(v)` or `state.f[i].fetch_add(v)`.
Value HandlerGenerator::emitAtomic(const ast::CallExpr &expr) {
  Location at = loc(expr.range);
  const auto &callee = llvm::cast<ast::FieldExpr>(*expr.callee);
  const auto *element = llvm::dyn_cast<ast::IndexExpr>(callee.base.get());
  const ast::Expr &field = element ? *element->base : *callee.base;
  Value slice = emitSlice(field);
  Value index = element ? emitU32(*element->index) : constant(at, 0);
  const sema::Type *type = stateField(field)->element;
  Value value, expected;
  if (expr.builtin == Builtin::Cas) {
    expected = emitAs(argument(expr, 0), type);
    value = emitAs(argument(expr, 1), type);
  } else if (expr.builtin == Builtin::CounterGet)
    value = constant(at, 0);
  else if (expr.builtin != Builtin::Increment)
    value = emitAs(argument(expr, 0), type);
  else if (const ast::Expr *by = argument(expr, "by"))
    value = emitAs(*by, type);
  else
    value = constant(at, 1);
  Value old =
      spin::AtomicRmwOp::create(builder, at, builder.getI32Type(),
                                atomicKind(expr.builtin, isSigned(type)), slice,
                                index, value, expected, spin::ProofAttr());
  if (expr.builtin != Builtin::Cas)
    return old;
  return arith::CmpIOp::create(builder, at, arith::CmpIPredicate::ne, old,
                               constant(at, 0));
}
