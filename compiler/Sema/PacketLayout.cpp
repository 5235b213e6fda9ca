// The layout of a context's packets: which link the first header asks for
// (pkt-4), the headers one after the other, the payload at the end (pkt-5).
#include "compiler/Sema/Analyzer.h"

#include "runtime/abi/portals.h"

namespace spinc::sema {

void Analyzer::layOutPacket(ast::ContextDecl &decl) {
  PacketLayout &layout = context->packet;
  layout.payloadName = "payload";
  layout.payloadElement = types.u(8);
  bool isPortals = !decl.packet || (decl.match && decl.match->isPortals);
  layout.link = isPortals ? Link::Portals : Link::Ip;
  layout.headerBytes = isPortals ? PORTALS_HEADER_BYTES : 0;
  if (decl.user)
    layOutUser(*decl.user);
  if (!decl.packet)
    return;
  if (isPortals && decl.user) {
    // pkt-5: both would lie at the start of the first packet.
    diagnostics.report(diag::PacketLayout, decl.user->range,
                       "a message has a user header, or each of its packets "
                       "has headers");
    return;
  }
  Scope names;
  for (const std::unique_ptr<ast::FieldDecl> &field : decl.packet->fields) {
    declare(names, field.get());
    addPacketField(*field, field == decl.packet->fields.back());
  }
  bool isEthernet = !layout.headers.empty() &&
                    layout.headers.front().type->name == "Ethernet";
  if (isEthernet && isPortals)
    diagnostics.report(diag::PacketLayout, decl.packet->range,
                       "packets of messages start behind the message header, "
                       "not at the Ethernet header"); // pkt-4
  else if (isEthernet)
    layout.link = Link::Ethernet;
}

/// pkt-8: the first bytes of a message, in the layout of a struct.
void Analyzer::layOutUser(const ast::FieldBlock &user) {
  if (context->packet.link != Link::Portals) {
    diagnostics
        .report(diag::PacketLayout, user.range,
                "a user header needs messages: this context matches packets")
        .fix("declare a header and use it in 'packet { … }'");
    return;
  }
  StructType *type = types.createStruct("user");
  layOutStruct(user.fields, *type);
  unsigned room = options.mtu - context->packet.headerBytes;
  if (type->size == 0 || type->size > room) {
    diagnostics
        .report(diag::PacketLayout, user.range,
                "a user header fits the first packet and has a field")
        .reason("it has " + std::to_string(type->size) + " bytes of " +
                std::to_string(room));
    return;
  }
  context->user = type;
}

void Analyzer::addHeader(ast::FieldDecl &field, const HeaderType &type) {
  if (field.name.text == "payload" || field.name.text == "all" ||
      field.name.text == "length" || field.name.text == "offset") {
    diagnostics.report(diag::PacketLayout, field.name.range,
                       "'" + field.name.text + "' is built into packets");
    return;
  }
  PacketHeader placed;
  placed.name = field.name.text;
  placed.decl = &field;
  placed.type = &type;
  placed.bytes = type.bytes;
  context->packet.headers.push_back(std::move(placed));
}

void Analyzer::addPacketField(ast::FieldDecl &field, bool isLast) {
  if (auto *oneOf = llvm::dyn_cast<ast::OneOfTypeExpr>(field.typeExpr.get()))
    return addAlternatives(field, *oneOf);
  const Type *type = resolveType(*field.typeExpr);
  field.type = type;
  if (type->isError())
    return;
  if (const auto *header = dynAs<HeaderType>(type))
    return addHeader(field, *header);
  if (const auto *slice = dynAs<SliceType>(type)) {
    bool isBytes = slice->element == types.u(8);
    if (isLast && isBytes && field.name.text == "payload")
      return;
    DiagnosticBuilder report = diagnostics.report(
        diag::PacketLayout, field.range,
        "expected headers and then 'u8 payload[]', found " +
            slice->element->str() + " " + field.name.text + "[]");
    if (!isBytes)
      report.fix("read the payload as 'p.payload as " + slice->element->str() +
                 "[]'");
    return;
  }
  diagnostics
      .report(diag::PacketLayout, field.range,
              "expected a header type, found " + type->str())
      .fix("declare 'header Name { " + type->str() + " " + field.name.text +
           "; }' and use it here");
}

} // namespace spinc::sema
