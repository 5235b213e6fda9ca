// Names and members: what `a` and `a.b` stand for.
#include "compiler/Sema/Analyzer.h"

namespace spinc::sema {

using llvm::dyn_cast;

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
    // bud-3: a named count that is a constant.
    if (const auto *count = llvm::dyn_cast<ast::BudgetNameDecl>(decl))
      name.value = count->init->value;
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

} // namespace spinc::sema
