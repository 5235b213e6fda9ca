// Handlers: one of each kind with its parameter (hdl-1), their return codes
// (hdl-2, hdl-3), that every path returns (hdl-4), and which fields of the
// message and the packet each may read (hdl-6, hdl-7).
#include "compiler/Sema/Analyzer.h"

#include <algorithm>

namespace spinc::sema {

static const char *symbolSuffix(HandlerKind kind) {
  switch (kind) {
  case HandlerKind::Header:
    return "_hh";
  case HandlerKind::Payload:
    return "_ph";
  case HandlerKind::Completion:
    return "_th";
  }
  return "";
}

void Analyzer::checkHandlers(ast::ContextDecl &decl) {
  writtenFields.clear();
  wholePacketEscapes = packetBytesWritten = false;
  for (const std::unique_ptr<ast::HandlerDecl> &handlerDecl : decl.handlers) {
    HandlerInfo info;
    info.kind = handlerDecl->handlerKind;
    info.decl = handlerDecl.get();
    info.symbol = context->name + symbolSuffix(info.kind);
    if (const HandlerInfo *earlier = context->handler(info.kind)) {
      diagnostics
          .report(diag::HandlerTwice, handlerDecl->name.range, context->name,
                  spelling(info.kind))
          .note(earlier->decl->name.range, "the first is here");
      continue;
    }
    checkHandler(*handlerDecl, info);
    context->handlers.push_back(std::move(info));
  }
  std::sort(context->handlers.begin(), context->handlers.end(),
            [](const HandlerInfo &a, const HandlerInfo &b) {
              return a.kind < b.kind;
            });
  dropWrittenFacts();
  limitHeaders();
}

void Analyzer::checkHandler(ast::HandlerDecl &decl, HandlerInfo &info) {
  handler = &info;
  PlaceGuard guard(*this, Place::Body);
  scopes.push();
  bool isPayload = info.kind == HandlerKind::Payload;
  const Type *wanted = isPayload ? types.packet() : types.message();
  decl.type = types.voidType();
  if (ast::ParameterDecl *parameter = decl.parameter.get()) {
    // hdl-1
    const Type *found = resolveType(*parameter->typeExpr);
    if (!found->isError() && found != wanted) {
      diagnostics
          .report(diag::HandlerParameter, parameter->typeExpr->range,
                  spelling(info.kind),
                  wanted->str() + (isPayload ? " p" : " m"), found->str())
          .fixIt(parameter->typeExpr->range, wanted->str());
    }
    parameter->type = wanted;
    declare(scopes.innermost(), parameter);
  }
  checkBudget(decl, info);
  // hdl-4
  if (!checkBlock(*decl.body)) {
    SourceRange end = decl.body->range;
    end.begin = end.end > end.begin ? end.end - 1 : end.begin;
    std::string leave =
        std::string("return ") +
        (info.kind == HandlerKind::Header ? "PROCESS_DATA" : "SUCCESS") + ";";
    SourceRange place = end;
    place.end = place.begin;
    diagnostics.report(diag::MissingReturn, end, handlerName())
        .fix("end it with '" + leave + "'")
        .fixIt(place, "  " + leave + "\n  ");
  }
  scopes.pop();
  handler = nullptr;
}

/// hdl-2: the codes of a kind of handler, as language.md lists them.
static std::vector<Builtin> codesOf(HandlerKind kind) {
  switch (kind) {
  case HandlerKind::Header:
    return {Builtin::ReturnDrop,        Builtin::ReturnDropPending,
            Builtin::ReturnProcessData, Builtin::ReturnProcessDataPending,
            Builtin::ReturnProceed,     Builtin::ReturnProceedPending,
            Builtin::ReturnFail};
  case HandlerKind::Payload:
    return {Builtin::ReturnDrop, Builtin::ReturnSuccess, Builtin::ReturnFail};
  case HandlerKind::Completion:
    return {Builtin::ReturnSuccess, Builtin::ReturnSuccessPending,
            Builtin::ReturnFail};
  }
  return {};
}

static std::string listOf(const std::vector<Builtin> &codes) {
  std::string text;
  for (Builtin code : codes)
    text +=
        (text.empty() ? "" : ", ") + std::string(builtinInfo(code).spelling);
  return text;
}

/// What to return instead of a code that the card cannot act on.
static const char *pendingFix(Builtin code) {
  switch (code) {
  case Builtin::ReturnDropPending:
    return "return DROP";
  case Builtin::ReturnSuccessPending:
    return "return SUCCESS";
  case Builtin::ReturnProcessDataPending:
    return "return PROCESS_DATA";
  default:
    return "return PROCESS_DATA, and copy to the host in the payload handler";
  }
}

void Analyzer::checkReturn(ast::ExprPtr &result, SourceRange range) {
  if (function)
    return checkFunctionReturn(result, range);
  std::vector<Builtin> allowed = codesOf(handler->kind);
  if (!result) {
    diagnostics.report(diag::ReturnCode, range, "nothing", handlerName())
        .reason("it may return " + listOf(allowed));
    return;
  }
  auto *name = llvm::dyn_cast<ast::NameExpr>(result.get());
  Builtin code = name && !scopes.find(name->name)
                     ? findBuiltin(BuiltinForm::ReturnCode, name->name)
                     : Builtin::None;
  if (code == Builtin::None) {
    if (!checkValue(result)->isError())
      diagnostics
          .report(diag::ReturnCode, result->range,
                  "'" + result->range.text().str() + "'", handlerName())
          .reason("it may return " + listOf(allowed));
    result->type = poison();
    return;
  }
  name->builtin = code;
  setConstant(*name, types.u(32), unsignedNumber(returnValue(code)));
  if (std::find(allowed.begin(), allowed.end(), code) == allowed.end()) {
    diagnostics
        .report(diag::ReturnCode, result->range, name->name, handlerName())
        .reason("it may return " + listOf(allowed));
    return;
  }
  // hdl-3
  if (!builtinInfo(code).lowered)
    diagnostics
        .report(diag::TargetLacks, result->range,
                "has no way to act on " + name->name + " from " + handlerName())
        .reason(code == Builtin::ReturnProceed ||
                        code == Builtin::ReturnProceedPending
                    ? "packets that have reached the card do not go on to the "
                      "host without a handler"
                    : "the card announces no completion, so there is none to "
                      "hold back")
        .fix(pendingFix(code));
}

/// hdl-6: the fields of `message m`.
const Type *Analyzer::messageMember(ast::FieldExpr &field) {
  Builtin id = findBuiltin(BuiltinForm::Message, field.member.text);
  if (id == Builtin::None)
    return noMember("a message", field.member,
                    builtinNames(BuiltinForm::Message));
  field.builtin = id;
  const BuiltinInfo &info = builtinInfo(id);
  std::string name = "'" + field.range.text().str() + "'";
  if (info.handlers == BuiltinHandlers::Completion &&
      handler->kind != HandlerKind::Completion) {
    diagnostics.report(diag::NotInHandler, field.range, name, handlerName())
        .reason("only the completion handler knows it");
    return poison();
  }
  if (info.handlers == BuiltinHandlers::Header &&
      handler->kind != HandlerKind::Header) {
    diagnostics.report(diag::NotInHandler, field.range, name, handlerName())
        .reason("it is in the first packet of the message, which only the "
                "header handler sees")
        .fix("keep what you need in the state");
    return poison();
  }
  if (!targetHas(id, field.range))
    return poison();
  if (context->packet.link != Link::Portals) {
    diagnostics
        .report(diag::NotInHandler, field.range, name,
                "a context that matches packets")
        .reason("the fields of a message come from its portals header; here "
                "a message is every packet that matches");
    return poison();
  }
  switch (id) {
  case Builtin::MessageUser:
    if (!context->user) {
      if (!context->decl->user)
        noMember("a message of this context", field.member, {});
      return poison();
    }
    return context->user;
  case Builtin::MessageType:
    return types.u(8);
  case Builtin::MessageSource:
    return types.process();
  case Builtin::MessageMatchBits:
  case Builtin::MessageHdrData:
    return types.u(64);
  default:
    return types.u(32);
  }
}

/// hdl-7: the fields of `packet p`.
const Type *Analyzer::packetMember(ast::FieldExpr &field) {
  if (const PacketHeader *header = context->packet.find(field.member.text)) {
    field.decl = const_cast<ast::FieldDecl *>(header->decl);
    return header->type;
  }
  Builtin id = findBuiltin(BuiltinForm::Packet, field.member.text);
  if (id == Builtin::None) {
    std::vector<std::string> names = builtinNames(BuiltinForm::Packet);
    for (const PacketHeader &header : context->packet.headers)
      names.push_back(header.name);
    if (context->decl->packet)
      for (const auto &declared : context->decl->packet->fields)
        if (declared->name.text == field.member.text)
          return poison(); // its error has been reported
    return noMember("a packet", field.member, std::move(names));
  }
  field.builtin = id;
  switch (id) {
  case Builtin::PacketOffset:
    if (context->packet.link != Link::Portals) {
      diagnostics
          .report(diag::NotInHandler, field.range,
                  "'" + field.range.text().str() + "'",
                  "a context that matches packets")
          .reason("the offset of a packet in its message comes from the "
                  "portals header");
      return poison();
    }
    return types.u(32);
  case Builtin::PacketLength:
    return types.u(32);
  case Builtin::PacketAll:
    if (argumentDepth == 0)
      wholePacketEscapes = true;
    return types.slice(types.u(8), MemorySpace::Packet);
  default:
    return types.slice(types.u(8), MemorySpace::Packet);
  }
}

/// pkt-6: what a match rule says about a field holds until a handler writes
/// the field, so such a rule is no fact inside the handlers.
void Analyzer::dropWrittenFacts() {
  std::vector<FieldFact> &facts = context->packet.facts;
  if (wholePacketEscapes && packetBytesWritten) {
    facts.clear();
    return;
  }
  const PacketLayout &layout = context->packet;
  facts.erase(std::remove_if(facts.begin(), facts.end(),
                             [&](const FieldFact &fact) {
                               return writtenFields.count(
                                   {layout.headers[fact.header].decl,
                                    fact.field->decl});
                             }),
              facts.end());
}

} // namespace spinc::sema
