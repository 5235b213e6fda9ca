// Expressions other than names, binary operators and calls: literals, elements,
// sub-slices, casts, unary operators, choices.
#include "compiler/Sema/Analyzer.h"

namespace spinc::sema {

using llvm::dyn_cast;

const Type *Analyzer::checkThing(ast::ExprPtr &expr) {
  const Type *type = poison();
  switch (expr->kind) {
  case ast::ExprKind::IntLiteral: {
    auto &literal = llvm::cast<ast::IntLiteral>(*expr);
    setConstant(literal, types.literal(), unsignedNumber(literal.number));
    return expr->type;
  }
  case ast::ExprKind::BoolLiteral:
    setConstant(*expr, types.boolean(),
                number(llvm::cast<ast::BoolLiteral>(*expr).truth));
    return expr->type;
  case ast::ExprKind::FloatLiteral:
    return checkFloatLiteral(llvm::cast<ast::FloatLiteral>(*expr));
  case ast::ExprKind::NoneLiteral:
    type = types.none();
    break;
  case ast::ExprKind::Name:
    type = checkName(llvm::cast<ast::NameExpr>(*expr));
    break;
  case ast::ExprKind::Field:
    type = checkField(llvm::cast<ast::FieldExpr>(*expr));
    break;
  case ast::ExprKind::Index:
    type = checkIndex(llvm::cast<ast::IndexExpr>(*expr));
    break;
  case ast::ExprKind::Slice:
    type = checkSlice(llvm::cast<ast::SliceExpr>(*expr));
    break;
  case ast::ExprKind::Unary:
    type = checkUnary(llvm::cast<ast::UnaryExpr>(*expr));
    break;
  case ast::ExprKind::Binary:
    type = checkBinary(llvm::cast<ast::BinaryExpr>(*expr));
    break;
  case ast::ExprKind::Conditional:
    type = checkConditional(llvm::cast<ast::ConditionalExpr>(*expr));
    break;
  case ast::ExprKind::Cast:
    type = checkCast(llvm::cast<ast::CastExpr>(*expr));
    break;
  case ast::ExprKind::Call:
    type = checkCall(llvm::cast<ast::CallExpr>(*expr));
    break;
  case ast::ExprKind::InitList:
    diagnostics
        .report(diag::TypeMismatch, expr->range, "a value", "a list of values")
        .reason("'{ … }' is the initial value of an array, struct or table");
    break;
  case ast::ExprKind::Sizeof: {
    const Type *operand =
        resolveType(*llvm::cast<ast::SizeofExpr>(*expr).operand);
    if (operand->isError())
      break;
    if (sizeInBytes(operand) == 0) {
      diagnostics.report(diag::TypeMismatch, expr->range, "a type with a size",
                         operand->str());
      break;
    }
    setConstant(*expr, types.u(32), unsignedNumber(sizeInBytes(operand)));
    return expr->type;
  }
  default:
    break;
  }
  expr->type = type;
  return type;
}

const Type *Analyzer::checkValue(ast::ExprPtr &expr) {
  checkThing(expr);
  return requireValue(expr);
}

/// That a checked expression is a value.
const Type *Analyzer::requireValue(ast::ExprPtr &expr) {
  const Type *type = expr->type;
  switch (type->kind) {
  case TypeKind::Error:
    return type;
  case TypeKind::Header:
  case TypeKind::Array:
  case TypeKind::Struct:
  case TypeKind::Void:
  case TypeKind::Lock:
  case TypeKind::Message:
  case TypeKind::Packet: {
    DiagnosticBuilder report = diagnostics.report(
        diag::TypeMismatch, expr->range, "a value",
        type->is(TypeKind::Void) ? "'" + expr->range.text().str() + "'"
                                 : type->str());
    if (type->is(TypeKind::Struct))
      report.fix("name one of its fields");
    if (type->is(TypeKind::Array))
      report.fix("take a slice: " + expr->range.text().str() + "[0 ..< n]");
    expr->type = poison();
    return expr->type;
  }
  default:
    break;
  }
  if (!checkRead(*expr)) {
    expr->type = poison();
    return expr->type;
  }
  return type;
}

/// `n != 0`, in parentheses where a neighbour binds more tightly.
static std::string comparedWithZero(const ast::Expr &expr) {
  std::string text = expr.range.text().str();
  if (!llvm::isa<ast::NameExpr, ast::FieldExpr, ast::IndexExpr, ast::CallExpr>(
          expr))
    text = "(" + text + ")";
  bool isNegated =
      expr.range.file->text().take_front(expr.range.begin).ends_with("!");
  return isNegated ? "(" + text + " != 0)" : text + " != 0";
}

const Type *Analyzer::checkBool(ast::ExprPtr &expr) {
  const Type *type = checkValue(expr);
  if (type->isError() || type->is(TypeKind::Bool))
    return type;
  DiagnosticBuilder report =
      diagnostics.report(diag::TypeMismatch, expr->range, "bool", type->str());
  if (isInteger(type))
    report.fix("compare it: " + expr->range.text().str() + " != 0")
        .fixIt(expr->range, comparedWithZero(*expr)); // typ-2
  expr->type = poison();
  return expr->type;
}

bool Analyzer::checkAs(ast::ExprPtr &expr, const Type *type) {
  return !checkValue(expr)->isError() && convert(expr, type);
}

/// Elements of arrays and slices; not of host memory (act-3).
const Type *Analyzer::checkIndex(ast::IndexExpr &index) {
  const Type *base = checkThing(index.base);
  const Type *at = checkValue(index.index);
  if (!at->isError())
    convert(index.index, types.u(32));
  if (base->isError())
    return poison();
  if (const auto *array = dynAs<ArrayType>(base))
    return valueOf(array->element);
  if (const auto *simd = dynAs<SimdType>(base))
    return checkLane(index, *simd);
  const auto *slice = dynAs<SliceType>(base);
  if (!slice) {
    diagnostics.report(diag::TypeMismatch, index.base->range,
                       "an array or a slice", base->str());
    return poison();
  }
  if (slice->space == MemorySpace::Host) {
    diagnostics
        .report(diag::TypeMismatch, index.range, "memory of the card",
                "host memory")
        .reason("a handler reaches host memory by DMA only")
        .fix("dma_to_host(" + index.base->range.text().str() +
             "[at ..+ length], data)");
    return poison();
  }
  return valueOf(slice->element);
}

/// typ-15: a part of a slice or array is a slice in the same memory.
const Type *Analyzer::checkSlice(ast::SliceExpr &slice) {
  const Type *base = checkThing(slice.base);
  for (ast::ExprPtr *bound : {&slice.begin, &slice.extent})
    if (!checkValue(*bound)->isError())
      convert(*bound, types.u(32));
  if (base->isError())
    return poison();
  if (base->is(TypeKind::Slice))
    return base;
  if (const auto *array = dynAs<ArrayType>(base)) {
    if (!checkRead(*slice.base)) // sta-3
      return poison();
    return types.slice(array->element, spaceOf(*slice.base));
  }
  diagnostics.report(diag::TypeMismatch, slice.base->range,
                     "an array or a slice", base->str());
  return poison();
}

/// typ-13: `e as T` between integers, and `bytes as T[]`.
const Type *Analyzer::checkCast(ast::CastExpr &cast) {
  const Type *found = checkValue(cast.operand);
  const Type *target = resolveType(*cast.target);
  if (found->isError() || target->isError())
    return poison();
  if (const auto *view = dynAs<SliceType>(target)) {
    const auto *bytes = dynAs<SliceType>(found);
    bool isNumber = canBeStored(view->element) &&
                    !view->element->is(TypeKind::Bool) &&
                    !view->element->is(TypeKind::Process);
    if (bytes && bytes->element == types.u(8) && isNumber &&
        bytes->space != MemorySpace::Host) {
      const Type *result = types.slice(view->element, bytes->space);
      cast.target->type = result;
      return result;
    }
    diagnostics
        .report(diag::BadCast, cast.range, found->str(),
                view->element->str() + "[]")
        .reason("bytes of the card can be read as a slice of numbers or "
                "structs");
    return poison();
  }
  if (found->is(TypeKind::Simd) || target->is(TypeKind::Simd))
    return simdCast(cast, target);
  if (found->is(TypeKind::Float) || target->is(TypeKind::Float))
    return floatCast(cast, target);
  // typ-18: an enum is the number behind it.
  const auto *enumeration = dynAs<EnumType>(target);
  const auto *to =
      enumeration ? enumeration->underlying : dynAs<IntType>(valueOf(target));
  bool fromNumber = isInteger(found) || found->is(TypeKind::Bool) ||
                    found->is(TypeKind::Enum);
  if (!to || !fromNumber) {
    diagnostics.report(diag::BadCast, cast.range, found->str(), target->str());
    return poison();
  }
  if (cast.operand->value) {
    Number value = widen(*cast.operand->value);
    if (wrappingDepth)
      value = widen(narrow(value, to));
    if (!fits(value, to)) {
      diagnostics.report(diag::DoesNotFit, cast.operand->range, toString(value),
                         to->str());
      return poison();
    }
    defaultLiteral(*cast.operand);
    setConstant(cast, enumeration ? target : to, value);
  }
  return enumeration ? target : to;
}

/// - (negative numbers, typ-4), ! and ~.
const Type *Analyzer::checkUnary(ast::UnaryExpr &unary) {
  if (unary.op == ast::UnaryOp::Not) {
    const Type *type = checkBool(unary.operand);
    if (!type->isError() && unary.operand->value)
      setConstant(unary, type, number(unary.operand->value->isZero()));
    return type;
  }
  const Type *type = checkValue(unary.operand);
  if (type->isError())
    return type;
  bool isNegate = unary.op == ast::UnaryOp::Negate;
  if (isNegate && type->is(TypeKind::Float))
    return floatNegation(unary);
  if (!isNegate && type->is(TypeKind::Simd))
    return type;
  if (!isInteger(type)) {
    diagnostics.report(diag::BadOperand, unary.range, ast::spelling(unary.op),
                       "an integer", type->str());
    return poison();
  }
  if (isNegate && type->is(TypeKind::Int) && !as<IntType>(type)->isSigned) {
    diagnostics
        .report(diag::BadOperand, unary.range, "-", "a signed integer",
                type->str())
        .fix("write '0 -% " + unary.operand->range.text().str() +
             "' for the two's complement")
        .fixIt(unary.range, "(0 -% " + unary.operand->range.text().str() + ")");
    return poison();
  }
  if (!isNegate && type->is(TypeKind::Literal)) {
    defaultLiteral(*unary.operand);
    type = unary.operand->type;
  }
  if (isNegate && type->is(TypeKind::Int)) {
    type = promoted(type);
    convert(unary.operand, type);
  }
  if (!unary.operand->value)
    return type;
  Number operand = widen(*unary.operand->value);
  Number result = isNegate ? Number(-operand, false) : Number(~operand, false);
  const auto *integer = dynAs<IntType>(type);
  if (integer && !isNegate)
    result = widen(narrow(result, integer));
  if (integer && !fits(result, integer)) {
    diagnostics.report(diag::DoesNotFit, unary.range, toString(result),
                       type->str());
    return poison();
  }
  setConstant(unary, type, result);
  return type;
}

/// typ-16: both results of `c ? a : b` have one type.
const Type *Analyzer::checkConditional(ast::ConditionalExpr &conditional) {
  const Type *condition = checkBool(conditional.condition);
  const Type *yes = checkValue(conditional.whenTrue);
  const Type *no = checkValue(conditional.whenFalse);
  if (condition->isError() || yes->isError() || no->isError())
    return poison();
  bool areSame =
      yes == no && (yes->is(TypeKind::Bool) || yes->is(TypeKind::Process) ||
                    yes->is(TypeKind::Enum) || yes->is(TypeKind::Simd));
  if (areSame)
    return yes;
  if (yes->is(TypeKind::Float) || no->is(TypeKind::Float)) {
    const FloatType *real =
        unifyFloats(conditional.whenTrue, conditional.whenFalse);
    return real ? real : poison();
  }
  const Type *type = nullptr;
  if (isInteger(yes) && isInteger(no)) {
    if (yes->is(TypeKind::Literal) && no->is(TypeKind::Literal)) {
      defaultLiteral(*conditional.whenTrue);
      defaultLiteral(*conditional.whenFalse);
    }
    type = unify(conditional.whenTrue, conditional.whenFalse, false);
  }
  if (!type && yes == no)
    diagnostics.report(diag::TypeMismatch, conditional.whenTrue->range,
                       "a value", yes->str());
  else if (!type)
    diagnostics.report(diag::TypeMismatch, conditional.whenFalse->range,
                       yes->str(), no->str());
  return type ? type : poison();
}

} // namespace spinc::sema
