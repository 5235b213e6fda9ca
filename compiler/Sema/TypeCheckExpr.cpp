// Expressions other than operators and calls: names, members, elements,
// sub-slices, casts.
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

/// A declaration that the place lets one name without a prefix.
const Type *Analyzer::checkDeclName(ast::NameExpr &name) {
  if (place == Place::MatchRule) {
    if (const PacketHeader *header = context->packet.find(name.name)) {
      name.decl = const_cast<ast::FieldDecl *>(header->decl);
      return header->type;
    }
    if (context->decl->packet)
      for (const auto &declared : context->decl->packet->fields)
        if (declared->name.text == name.name)
          return poison(); // its error has been reported
  }
  bool namesParams = place == Place::ParamRule || place == Place::ContractRule;
  if (namesParams && context) {
    const StateField *field = context->findState(std::string_view(name.name));
    if (field && field->kind == StateKind::Param) {
      name.decl = const_cast<ast::StateFieldDecl *>(field->decl);
      return field->type;
    }
    if (field) {
      diagnostics
          .report(diag::InstallRule, name.range,
                  "'" + name.name +
                      "' is no parameter: the condition is "
                      "checked before a handler has run")
          .note(field->decl->name.range, "declared here");
      return poison(); // sta-9
    }
  }
  bool seesHost = place == Place::ContractRule || place == Place::Body;
  if (seesHost && context && context->host &&
      context->host->name == name.name) {
    name.decl = const_cast<ast::HostDecl *>(context->host->decl);
    return context->host->decl->type;
  }
  return nullptr;
}

const Type *Analyzer::checkName(ast::NameExpr &name) {
  ast::Decl *decl = scopes.find(name.name);
  if (!decl)
    if (const Type *type = checkDeclName(name))
      return type;
  if (!decl)
    decl = moduleScope->find(name.name);
  if (decl) {
    name.decl = decl;
    if (auto *constant = llvm::dyn_cast<ast::ConstDecl>(decl)) {
      ensureConstant(*constant);
      if (constant->type->isError())
        return poison();
      name.value = constant->init->value;
      return constant->type;
    }
    if (auto *enumerator = llvm::dyn_cast<ast::EnumeratorDecl>(decl))
      return checkEnumerator(name, *enumerator);
    if (llvm::isa<ast::FunctionDecl>(decl)) {
      diagnostics.report(diag::WrongKind, name.range, name.name, "a function",
                         "a value");
      return poison();
    }
    if (!decl->type || decl->kind == ast::DeclKind::Header ||
        decl->kind == ast::DeclKind::Struct ||
        decl->kind == ast::DeclKind::Enum ||
        decl->kind == ast::DeclKind::Context) {
      diagnostics.report(diag::WrongKind, name.range, name.name,
                         "a type or context", "a value");
      return poison();
    }
    return decl->type;
  }
  bool seesObjects = place == Place::Body || place == Place::BudgetRule ||
                     place == Place::ContractRule;
  Builtin object = findBuiltin(BuiltinForm::Object, name.name);
  if (object != Builtin::None && seesObjects) {
    name.builtin = object;
    return types.voidType();
  }
  if (name.name == builtinInfo(Builtin::Mtu).spelling) {
    name.builtin = Builtin::Mtu;
    setConstant(name, types.u(32), unsignedNumber(options.mtu));
    return name.type;
  }
  if (findBuiltin(BuiltinForm::ReturnCode, name.name) != Builtin::None) {
    diagnostics.report(diag::WrongKind, name.range, name.name, "a return code",
                       "a value");
    return poison();
  }
  return unknownName(name.name, name.range);
}

/// typ-18: the enumerators of a file are names of their own.
const Type *Analyzer::checkEnumerator(ast::Expr &expr,
                                      ast::EnumeratorDecl &decl) {
  for (const auto &entry : moduleScope->all())
    if (auto *owner = llvm::dyn_cast<ast::EnumDecl>(entry.second))
      for (const auto &member : owner->enumerators)
        if (member.get() == &decl)
          ensureEnum(*owner);
  if (!decl.value || !decl.type) {
    diagnostics.report(diag::ConstantCycle, expr.range, decl.name.text);
    return poison();
  }
  expr.value = decl.value;
  return decl.type;
}

/// `Kind.A`: null if `base` names no enum.
const Type *Analyzer::enumMember(ast::FieldExpr &field) {
  auto *name = dyn_cast<ast::NameExpr>(field.base.get());
  if (!name || scopes.find(name->name))
    return nullptr;
  auto *decl =
      llvm::dyn_cast_or_null<ast::EnumDecl>(moduleScope->find(name->name));
  if (!decl)
    return nullptr;
  ensureEnum(*decl);
  name->decl = decl;
  name->type = types.voidType();
  std::vector<std::string> names;
  for (const auto &enumerator : decl->enumerators) {
    if (enumerator->name.text == field.member.text) {
      field.decl = enumerator.get();
      return checkEnumerator(field, *enumerator);
    }
    names.push_back(enumerator->name.text);
  }
  return noMember("enum '" + decl->name.text + "'", field.member,
                  std::move(names));
}

/// Members of `state`, and of `hpu` and `cluster` (hdl-8).
const Type *Analyzer::objectMember(ast::FieldExpr &field, Builtin object) {
  const std::string &member = field.member.text;
  if (object == Builtin::StateObject && function) {
    diagnostics
        .report(diag::NotInHandler, field.base->range, "'state'", handlerName())
        .fix("pass what it needs as an argument");
    return poison();
  }
  if (object == Builtin::StateObject) {
    const StateField *state =
        context ? context->findState(std::string_view(member)) : nullptr;
    if (!state) {
      std::vector<std::string> names;
      if (context && context->decl->state)
        for (const auto &declared : context->decl->state->fields) {
          if (declared->name.text == member)
            return poison(); // its error has been reported
          names.push_back(declared->name.text);
        }
      return noMember("the state", field.member, std::move(names));
    }
    field.decl = const_cast<ast::StateFieldDecl *>(state->decl);
    if (place != Place::Body && state->kind != StateKind::Param) {
      diagnostics.report(diag::BudgetForm, field.range,
                         "names '" + state->name + "', which is no parameter");
      return poison(); // bud-2
    }
    if (state->kind == StateKind::Lock)
      return types.lock();
    if (!checkGuarded(field, *state))
      return poison();
    return valueOf(state->type);
  }
  std::string prefix = object == Builtin::HpuObject ? "hpu." : "cluster.";
  Builtin id = findBuiltin(BuiltinForm::Value, prefix + member);
  if (id == Builtin::None)
    return noMember("'" + prefix.substr(0, prefix.size() - 1) + "'",
                    field.member, {"id", "count"});
  field.builtin = id;
  bool isCount = id == Builtin::HpuCount || id == Builtin::ClusterCount;
  if (place == Place::ContractRule && !isCount) {
    diagnostics.report(diag::InstallRule, field.range,
                       "'" + field.range.text().str() +
                           "' is known inside a handler only");
    return poison();
  }
  return types.u(32);
}

const Type *Analyzer::checkField(ast::FieldExpr &field) {
  if (const Type *type = enumMember(field))
    return type;
  const Type *base = checkThing(field.base);
  if (base->isError())
    return poison();
  if (auto *name = dyn_cast<ast::NameExpr>(field.base.get()))
    if (name->builtin != Builtin::None &&
        builtinInfo(name->builtin).form == BuiltinForm::Object)
      return objectMember(field, name->builtin);
  return memberOf(field, base);
}

const Type *Analyzer::memberOf(ast::FieldExpr &field, const Type *base) {
  const std::string &member = field.member.text;
  if (base->is(TypeKind::Message))
    return messageMember(field);
  if (base->is(TypeKind::Packet))
    return packetMember(field);
  if (const auto *header = dynAs<HeaderType>(base)) {
    if (header->rest && header->rest->name.text == member) {
      field.decl = const_cast<ast::FieldDecl *>(header->rest);
      return types.slice(types.u(8), MemorySpace::Packet); // pkt-10
    }
    const HeaderField *found = header->find(std::string_view(member));
    if (!found && header->fields.empty()) { // pkt-11
      diagnostics
          .report(diag::NoMember, field.member.range,
                  "one of several headers, " + header->name + ",", member)
          .fix("ask which it is: match (…) { case … }");
      return poison();
    }
    if (!found) {
      std::vector<std::string> names;
      for (const HeaderField &f : header->fields)
        names.push_back(f.name);
      return noMember("header '" + header->name + "'", field.member,
                      std::move(names));
    }
    field.decl = const_cast<ast::FieldDecl *>(found->decl);
    return found->value;
  }
  if (const auto *record = dynAs<StructType>(base)) {
    const StructField *found = record->find(std::string_view(member));
    if (!found) {
      std::vector<std::string> names;
      for (const StructField &f : record->fields)
        names.push_back(f.name);
      return noMember("struct '" + record->name + "'", field.member,
                      std::move(names));
    }
    field.decl = const_cast<ast::FieldDecl *>(found->decl);
    return valueOf(found->type);
  }
  auto pick = [&](BuiltinForm form) {
    field.builtin = findBuiltin(form, member);
    return field.builtin != Builtin::None;
  };
  if (const auto *slice = dynAs<SliceType>(base)) {
    if (pick(BuiltinForm::Slice) ||
        (slice->space == MemorySpace::Host && pick(BuiltinForm::Host)))
      return types.u(32);
    return noMember("a slice", field.member, {"length", "size"});
  }
  if (base->is(TypeKind::View)) {
    if (pick(BuiltinForm::ViewValue))
      return types.u(32);
    return noMember("a view", field.member, {"length", "pieces"});
  }
  if (base->is(TypeKind::Piece)) {
    if (pick(BuiltinForm::Piece))
      return types.slice(types.u(8), field.builtin == Builtin::PieceHost
                                         ? MemorySpace::Host
                                         : MemorySpace::Packet);
    return noMember("a piece", field.member, {"host", "data"});
  }
  if (const auto *array = dynAs<ArrayType>(base))
    if (member == "length") {
      diagnostics.report(diag::NoMember, field.member.range, "an array", member)
          .fix("its length is the constant " + std::to_string(array->count));
      return poison();
    }
  return noMember(base->str(), field.member, {});
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
  if (!type)
    diagnostics.report(diag::TypeMismatch, conditional.whenFalse->range,
                       yes->str(), no->str());
  return type ? type : poison();
}

} // namespace spinc::sema
