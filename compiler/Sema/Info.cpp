// Look-ups in the facts of a program.
#include "compiler/Sema/Info.h"

namespace spinc::sema {

const PacketHeader *PacketLayout::find(std::string_view name) const {
  for (const PacketHeader &header : headers)
    if (header.name == name)
      return &header;
  return nullptr;
}

bool PacketLayout::hasRunTimeSize() const {
  for (const PacketHeader &header : headers)
    if (header.isRunTime)
      return true;
  return false;
}

bool PacketLayout::isBehindChoice(unsigned header) const {
  for (unsigned i = 0; i < header; ++i)
    if (headers[i].isChoice())
      return true;
  return false;
}

const StateField *ContextInfo::findState(std::string_view field) const {
  for (const StateField &f : state)
    if (f.name == field)
      return &f;
  return nullptr;
}

const StateField *ContextInfo::findState(const ast::Decl *decl) const {
  for (const StateField &f : state)
    if (decl && f.decl == decl)
      return &f;
  return nullptr;
}

const HandlerInfo *ContextInfo::handler(HandlerKind kind) const {
  for (const HandlerInfo &h : handlers)
    if (h.kind == kind)
      return &h;
  return nullptr;
}

const ContextInfo *ProgramInfo::find(const ast::ContextDecl *decl) const {
  for (const std::unique_ptr<ContextInfo> &context : contexts)
    if (context->decl == decl)
      return context.get();
  return nullptr;
}

} // namespace spinc::sema
