// Packed SIMD values, four bytes as lanes of 8 or 16 bits (sim-1 … sim-5):
// their operators, which work lane by lane, their methods, and conversions.
#include "compiler/Sema/Analyzer.h"

namespace spinc::sema {

using ast::BinaryOp;

/// Operators that stay within each lane.
static bool isLaneOperator(BinaryOp op) {
  switch (op) {
  case BinaryOp::WrapAdd:
  case BinaryOp::WrapSub:
  case BinaryOp::SatAdd:
  case BinaryOp::SatSub:
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
    return true;
  default:
    return false;
  }
}

/// sim-2: lanes wrap, and say so.
bool Analyzer::checkLaneOperator(BinaryOp op, SourceRange range,
                                 const SimdType *type) {
  if (isLaneOperator(op))
    return true;
  DiagnosticBuilder report = diagnostics.report(
      diag::BadOperand, range, ast::spelling(op), "integers", type->str());
  BinaryOp wrapping = wrappingForm(op);
  if (wrapping != op && op != BinaryOp::Mul)
    report.fix("lanes wrap: write '" + ast::spelling(wrapping).str() + "'")
        .fixIt(range, ast::spelling(wrapping).str());
  return false;
}

/// The other operand: a value of the type, or one number for all lanes.
bool Analyzer::convertToLanes(ast::ExprPtr &expr, const SimdType *type) {
  return expr->type == type ||
         convert(expr, isInteger(expr->type) ? type->element
                                             : static_cast<const Type *>(type));
}

const Type *Analyzer::simdArithmetic(ast::BinaryExpr &binary) {
  const auto *type = dynAs<SimdType>(binary.left->type);
  if (!type)
    type = as<SimdType>(binary.right->type);
  if (!checkLaneOperator(binary.op, binary.opRange, type))
    return poison();
  bool ok = convertToLanes(binary.left, type);
  ok &= convertToLanes(binary.right, type);
  return ok ? type : poison();
}

/// sim-2: one amount for all lanes, below their width. `<<%` drops bits.
const Type *Analyzer::simdShift(ast::BinaryExpr &binary) {
  const auto *type = dynAs<SimdType>(binary.left->type);
  if (!type || binary.op == BinaryOp::Shl || !isInteger(binary.right->type)) {
    DiagnosticBuilder report = diagnostics.report(
        diag::BadOperand, binary.opRange, ast::spelling(binary.op),
        type && binary.op != BinaryOp::Shl ? "an integer amount" : "integers",
        (type && isInteger(binary.right->type) ? binary.left : binary.right)
            ->type->str());
    if (type && binary.op == BinaryOp::Shl)
      report.fix("bits leave the lanes: write '<<%'")
          .fixIt(binary.opRange, "<<%");
    return poison();
  }
  const IntType *element = type->element;
  if (binary.right->value) {
    Number amount = widen(*binary.right->value);
    if (amount < 0 || amount >= number(element->width)) {
      diagnostics
          .report(diag::ConstantProblem, binary.right->range,
                  "a shift by " + toString(amount))
          .reason("the amount is below the width of " + element->str());
      return poison();
    }
  }
  return convert(binary.right, types.u(element->width))
             ? static_cast<const Type *>(type)
             : poison();
}

/// sim-3: a lane of the result has all bits set where the comparison holds.
const Type *Analyzer::simdComparison(ast::BinaryExpr &binary) {
  const auto *type = dynAs<SimdType>(binary.left->type);
  if (!type)
    type = as<SimdType>(binary.right->type);
  bool ok = convertToLanes(binary.left, type);
  ok &= convertToLanes(binary.right, type);
  return ok ? types.simd(types.u(type->element->width), type->lanes) : poison();
}

void Analyzer::simdCompound(ast::AssignStmt &stmt, const SimdType *type) {
  if (*stmt.op == BinaryOp::WrapShl || *stmt.op == BinaryOp::Shr) {
    if (isInteger(stmt.value->type))
      convert(stmt.value, types.u(type->element->width));
    else
      diagnostics.report(diag::BadOperand, stmt.opRange,
                         (ast::spelling(*stmt.op) + "=").str(),
                         "an integer amount", stmt.value->type->str());
    return;
  }
  if (checkLaneOperator(*stmt.op, stmt.opRange, type))
    convertToLanes(stmt.value, type);
}

/// sim-5: the bits of a value are those of a u32, lane 0 the lowest ones.
const Type *Analyzer::simdCast(ast::CastExpr &cast, const Type *target) {
  const Type *found = cast.operand->type;
  bool isBits = target == types.u(32) || target->is(TypeKind::Simd);
  if (isBits && found->is(TypeKind::Simd))
    return target;
  if (isBits && isInteger(found))
    return convert(cast.operand, types.u(32)) ? target : poison();
  diagnostics.report(diag::BadCast, cast.range, found->str(), target->str())
      .reason("the bits of lanes are those of a u32");
  return poison();
}

/// sim-1: `v[i]`.
const Type *Analyzer::checkLane(ast::IndexExpr &index, const SimdType &type) {
  if (index.index->value && widen(*index.index->value) >= number(type.lanes)) {
    diagnostics.report(diag::DoesNotFit, index.index->range,
                       "lane " + toString(widen(*index.index->value)),
                       type.str());
    return poison();
  }
  return type.element;
}

/// sim-4: min, max, avg, abs, dot.
const Type *Analyzer::checkSimdMethod(ast::CallExpr &call,
                                      ast::FieldExpr &callee, Builtin id) {
  const auto *type = dynAs<SimdType>(callee.base->type);
  const std::string &name = callee.member.text;
  if (!type) {
    diagnostics.report(diag::BadOperand, callee.member.range, name,
                       "a packed value", callee.base->type->str());
    return poison();
  }
  size_t wanted = id == Builtin::SimdAbs ? 0 : 1;
  if (call.arguments.size() != wanted) {
    diagnostics.report(diag::BadArguments, call.range, name,
                       "takes " + std::to_string(wanted) +
                           " arguments, found " +
                           std::to_string(call.arguments.size()));
    return poison();
  }
  call.builtin = callee.builtin = id;
  for (ast::Argument &argument : call.arguments)
    if (checkValue(argument.value)->isError() ||
        !convertToLanes(argument.value, type))
      return poison();
  if (id == Builtin::SimdDot)
    return types.integer(32, type->element->isSigned);
  return type;
}

} // namespace spinc::sema
