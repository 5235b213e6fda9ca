// Calls: actions (act-1 … act-4), atomic operations (sta-3), copies of
// per_cluster state (sta-4), views and their pieces.
#include "compiler/Sema/Analyzer.h"

namespace spinc::sema {

const Type *Analyzer::checkCall(ast::CallExpr &call) {
  call.callee->type = types.voidType();
  if (auto *field = llvm::dyn_cast<ast::FieldExpr>(call.callee.get()))
    return checkMethod(call, *field);
  auto *name = llvm::dyn_cast<ast::NameExpr>(call.callee.get());
  if (!name) {
    diagnostics.report(diag::WrongKind, call.callee->range,
                       call.callee->range.text(), "an expression",
                       "the name of an action");
    return poison();
  }
  if (ast::Decl *decl = moduleScope->find(name->name)) {
    name->decl = decl;
    if (auto *callee = llvm::dyn_cast<ast::FunctionDecl>(decl))
      return checkFunctionCall(call, *callee);
    diagnostics.report(diag::WrongKind, name->range, name->name, "no function",
                       "an action or a function");
    return poison();
  }
  Builtin id = findBuiltin(BuiltinForm::Action, name->name);
  if (id == Builtin::None)
    id = findBuiltin(BuiltinForm::View, name->name);
  if (id == Builtin::None)
    return unknownName(name->name, name->range);
  name->builtin = id;
  return checkAction(call, id);
}

const Type *Analyzer::checkAction(ast::CallExpr &call, Builtin id) {
  const BuiltinInfo &info = builtinInfo(id);
  call.builtin = id;
  if (!targetHas(id, call.range))
    return poison();
  if (place != Place::Body) {
    diagnostics.report(diag::WrongKind, call.range, info.spelling, "an action",
                       "a value");
    return poison();
  }
  if (call.isAsync && !info.mayBeAsync) {
    // act-2
    diagnostics.report(diag::BadArguments, call.range, info.spelling,
                       "has no asynchronous form");
    return poison();
  }
  if (!checkArguments(call, info, nullptr))
    return poison();
  if (info.result == BuiltinResult::View)
    return types.view();
  return call.isAsync ? types.command() : types.voidType();
}

static std::string describe(ParamKind kind) {
  switch (kind) {
  case ParamKind::HostBytes:
    return "a part of the host region";
  case ParamKind::NicDest:
  case ParamKind::NicBytes:
    return "a slice of packet, state or local memory";
  case ParamKind::NicBytesOrNone:
    return "a slice of packet, state or local memory, or none";
  case ParamKind::Process:
    return "a process";
  case ParamKind::Command:
    return "a command: let c = async …";
  case ParamKind::Element:
  case ParamKind::Count:
  case ParamKind::U32:
    return "u32";
  case ParamKind::U64:
    return "u64";
  }
  return "";
}

/// An array given for a slice is all of it.
const Type *Analyzer::checkSliceOf(ast::ExprPtr &value) {
  const Type *type = checkThing(value);
  const auto *array = dynAs<ArrayType>(type);
  if (!array)
    return type->isError() || type->is(TypeKind::Slice) ? type
                                                        : requireValue(value);
  if (!checkRead(*value))
    return poison();
  SourceRange range = value->range;
  auto bound = [&](uint64_t number) {
    auto literal = std::make_unique<ast::IntLiteral>(range, number);
    setConstant(*literal, types.u(32), unsignedNumber(number));
    return literal;
  };
  const Type *result = types.slice(array->element, spaceOf(*value));
  value = std::make_unique<ast::SliceExpr>(range, std::move(value), bound(0),
                                           ast::RangeForm::ToEnd,
                                           bound(array->count));
  value->type = result;
  return result;
}

/// act-1: what a DMA writes is subject to the rules of assignments.
bool Analyzer::checkDestination(const ast::Expr &value, MemorySpace space) {
  if (const StateField *field = stateFieldOf(value))
    if (field->kind == StateKind::Param) {
      diagnostics
          .report(diag::StateWrite, value.range, handlerName(), field->name,
                  "a parameter")
          .reason("the host sets parameters when it installs the context");
      return false; // sta-1
    }
  return checkMemoryWrite(value, space);
}

bool Analyzer::checkArgument(ast::ExprPtr &value, ParamKind kind,
                             const Type *element) {
  bool isMemory = kind == ParamKind::NicDest || kind == ParamKind::NicBytes ||
                  kind == ParamKind::NicBytesOrNone;
  // Through a destination the whole packet may be written (pkt-6).
  unsigned depth = kind == ParamKind::NicDest ? 0 : 1;
  argumentDepth += depth;
  const Type *type = isMemory ? checkSliceOf(value) : checkValue(value);
  argumentDepth -= depth;
  if (type->isError())
    return false;
  const auto *slice = dynAs<SliceType>(type);
  bool isHost = slice && slice->space == MemorySpace::Host;
  bool matches = false;
  switch (kind) {
  case ParamKind::HostBytes:
    matches = isHost;
    break;
  case ParamKind::NicDest:
    if (slice && !isHost)
      return checkDestination(*value, slice->space);
    break;
  case ParamKind::NicBytes:
    matches = slice && !isHost;
    break;
  case ParamKind::NicBytesOrNone:
    matches = (slice && !isHost) || type->is(TypeKind::None);
    break;
  case ParamKind::Process:
    matches = type->is(TypeKind::Process);
    break;
  case ParamKind::Command: // act-9
    matches = type->is(TypeKind::Command);
    break;
  case ParamKind::Element:
    return convert(value, element);
  case ParamKind::U32:
  case ParamKind::Count:
    return convert(value, types.u(32));
  case ParamKind::U64:
    return convert(value, types.u(64));
  }
  if (!matches)
    diagnostics.report(diag::TypeMismatch, value->range, describe(kind),
                       type->str());
  return matches;
}

/// The position in `info.params` that an argument is for, or -1.
static int parameterOf(const ast::Argument &argument, size_t position,
                       const BuiltinInfo &info) {
  if (!argument.name)
    return position < info.params.size() && info.params[position].label.empty()
               ? static_cast<int>(position)
               : -1;
  for (size_t i = 0; i < info.params.size(); ++i)
    if (!info.params[i].label.empty() &&
        info.params[i].label == argument.name->text)
      return static_cast<int>(i);
  return -1;
}

/// act-1
bool Analyzer::checkArguments(ast::CallExpr &call, const BuiltinInfo &info,
                              const Type *element) {
  std::vector<bool> given(info.params.size());
  bool ok = true;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    ast::Argument &argument = call.arguments[i];
    int parameter = parameterOf(argument, i, info);
    if (parameter < 0 || given[static_cast<size_t>(parameter)]) {
      SourceRange range =
          argument.name ? argument.name->range : argument.value->range;
      DiagnosticBuilder report = diagnostics.report(
          diag::BadArguments, range, info.spelling,
          parameter >= 0  ? "gets '" + argument.name->text + "' twice"
          : argument.name ? "has no parameter '" + argument.name->text + "'"
                          : std::string("takes fewer arguments"));
      std::vector<llvm::StringRef> labels;
      for (const BuiltinParam &known : info.params)
        if (!known.label.empty())
          labels.push_back(known.label);
      if (argument.name && parameter < 0)
        suggestName(report, argument.name->text, range, labels);
      ok = false;
      continue;
    }
    given[static_cast<size_t>(parameter)] = true;
    ok &= checkArgument(argument.value,
                        info.params[static_cast<size_t>(parameter)].kind,
                        element);
  }
  if (!ok)
    return false;
  for (size_t i = 0; i < given.size(); ++i)
    if (!given[i] && info.params[i].required) {
      const BuiltinParam &missing = info.params[i];
      std::string what = missing.label.empty()
                             ? describe(missing.kind)
                             : "'" + std::string(missing.label) + ":'";
      diagnostics.report(diag::BadArguments, call.range, info.spelling,
                         "needs " + what);
      return false;
    }
  return true;
}

const Type *Analyzer::checkMethod(ast::CallExpr &call, ast::FieldExpr &callee) {
  const std::string &member = callee.member.text;
  Builtin atomic = findBuiltin(BuiltinForm::Atomic, member);
  Builtin method = findBuiltin(BuiltinForm::Method, member);
  const Type *base = checkThing(callee.base);
  callee.type = types.voidType();
  if (base->isError())
    return poison();
  if (call.isAsync) {
    diagnostics.report(diag::BadArguments, call.range, member,
                       "has no asynchronous form");
    return poison(); // act-2
  }
  if (method == Builtin::Chunks) {
    diagnostics
        .report(diag::WrongKind, call.range, "chunks",
                "for the header of a loop", "a value")
        .fix("for (c : " + callee.base->range.text().str() + ".chunks(n)) …");
    return poison(); // lop-7
  }
  if (method == Builtin::Copy)
    return checkCopy(call, callee);
  if (method == Builtin::Pieces)
    return checkPieces(call, callee);
  if (atomic != Builtin::None)
    return checkAtomic(call, callee, atomic);
  Builtin counter = findBuiltin(BuiltinForm::Counter, member);
  if (counter != Builtin::None)
    return checkCounter(call, callee, counter);
  if (method != Builtin::None)
    return checkSimdMethod(call, callee, method);
  std::vector<std::string> names = builtinNames(BuiltinForm::Atomic);
  for (std::string &name : builtinNames(BuiltinForm::Method))
    names.push_back(std::move(name));
  return noMember("'" + callee.base->range.text().str() + "'", callee.member,
                  std::move(names));
}

const Type *Analyzer::checkAtomic(ast::CallExpr &call, ast::FieldExpr &callee,
                                  Builtin id) {
  const BuiltinInfo &info = builtinInfo(id);
  const StateField *field = stateFieldOf(*callee.base);
  bool isAtomic = field && (field->kind == StateKind::Atomic ||
                            field->kind == StateKind::PerClusterAtomic);
  if (!isAtomic) {
    DiagnosticBuilder report = diagnostics.report(
        diag::WrongKind, callee.base->range, callee.base->range.text(),
        "not atomic", "an atomic state field");
    if (field)
      report.note(field->decl->name.range, "declared here without 'atomic'");
    return poison();
  }
  if (!callee.base->type->is(TypeKind::Int)) {
    diagnostics
        .report(diag::TypeMismatch, callee.base->range, "one element",
                callee.base->type->str())
        .fix("write 'state." + field->name + "[i]." + callee.member.text +
             "(…)'");
    return poison();
  }
  callee.builtin = call.builtin = id;
  if (!checkArguments(call, info, field->element))
    return poison();
  if (id != Builtin::Cas)
    return field->element;
  if (field->space == StateSpace::L2)
    return types.boolean();
  // sta-13
  diagnostics
      .report(diag::TargetLacks, call.range,
              "compares and swaps in L2 only, and '" + field->name +
                  "' is in L1")
      .fix("declare it 'in L2'");
  return poison();
}

/// sta-12: counters are atomic numbers under another name.
const Type *Analyzer::checkCounter(ast::CallExpr &call, ast::FieldExpr &callee,
                                   Builtin id) {
  const BuiltinInfo &info = builtinInfo(id);
  const StateField *field = stateFieldOf(*callee.base);
  if (!field || !isCounter(*field->decl->typeExpr) ||
      !callee.base->type->is(TypeKind::Int)) {
    diagnostics.report(diag::WrongKind, callee.base->range,
                       callee.base->range.text(), "no counter",
                       "a counter or one of an array of counters");
    return poison();
  }
  callee.builtin = call.builtin = id;
  if (!checkArguments(call, info, field->element))
    return poison();
  return id == Builtin::CounterGet ? field->element : types.voidType();
}

/// sta-4: state.bin.copy(c) is the copy of cluster c, after all payload
/// handlers have run.
const Type *Analyzer::checkCopy(ast::CallExpr &call, ast::FieldExpr &callee) {
  const StateField *field = stateFieldOf(*callee.base);
  bool isWhole = llvm::isa<ast::FieldExpr>(callee.base.get());
  bool hasCopies = field && (field->kind == StateKind::PerClusterAtomic ||
                             field->kind == StateKind::PerHpu);
  if (!hasCopies || !isWhole) {
    diagnostics.report(diag::WrongKind, callee.base->range,
                       callee.base->range.text(), "not per_cluster or per_hpu",
                       "a per_cluster or per_hpu state field");
    return poison();
  }
  if (handler->kind != HandlerKind::Completion) {
    diagnostics.report(diag::NotInHandler, call.range, "'copy'", handlerName())
        .reason("other handlers of the message may still change the copies");
    return poison();
  }
  callee.builtin = call.builtin = Builtin::Copy;
  if (!checkArguments(call, builtinInfo(Builtin::Copy), nullptr))
    return poison();
  return types.slice(field->element, MemorySpace::StateL1);
}

const Type *Analyzer::checkPieces(ast::CallExpr &call, ast::FieldExpr &callee) {
  if (!callee.base->type->is(TypeKind::View)) {
    diagnostics.report(diag::WrongKind, callee.base->range,
                       callee.base->range.text(), callee.base->type->str(),
                       "a view");
    return poison();
  }
  callee.builtin = call.builtin = Builtin::Pieces;
  if (!checkArguments(call, builtinInfo(Builtin::Pieces), nullptr))
    return poison();
  const Type *data = call.arguments[1].value->type;
  const Type *bytes = types.slice(types.u(8), MemorySpace::Packet);
  if (data != bytes) {
    diagnostics.report(diag::TypeMismatch, call.arguments[1].value->range,
                       bytes->str(), data->str());
    return poison();
  }
  // The pieces can be written; those of the payload do not reach headers.
  const auto *whole =
      llvm::dyn_cast<ast::FieldExpr>(call.arguments[1].value.get());
  if (!whole || whole->builtin != Builtin::PacketPayload)
    wholePacketEscapes = true; // pkt-6
  return types.pieces();
}

} // namespace spinc::sema
