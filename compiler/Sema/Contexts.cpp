// A context as a whole: the order in which its parts are checked, its host
// region (sta-8) and its contracts (sta-9).
#include "compiler/Sema/Analyzer.h"

namespace spinc::sema {

void Analyzer::checkContext(ast::ContextDecl &decl) {
  auto info = std::make_unique<ContextInfo>();
  context = info.get();
  context->name = decl.name.text;
  context->decl = &decl;
  context->mtu = options.mtu;
  types.program().contexts.push_back(std::move(info));
  layOutPacket(decl);
  checkState(decl);
  checkHost(decl);
  checkMatch(decl);
  checkContracts(decl);
  checkHandlers(decl);
  context = nullptr;
}

void Analyzer::checkHost(ast::ContextDecl &decl) {
  const Type *bytes = types.slice(types.u(8), MemorySpace::Host);
  for (const std::unique_ptr<ast::HostDecl> &host : decl.hosts) {
    host->type = bytes;
    if (context->host) {
      diagnostics.report(diag::HostTwice, host->name.range, decl.name.text)
          .note(context->host->decl->name.range, "the first is here")
          .fix("use parts of one region");
      continue;
    }
    context->host = HostRegion{host->name.text, host.get()};
  }
}

void Analyzer::checkContracts(ast::ContextDecl &decl) {
  PlaceGuard guard(*this, Place::ContractRule);
  for (ast::Contract &contract : decl.contracts)
    if (!checkBool(contract.condition)->isError())
      context->contracts.push_back(
          {contract.condition.get(), contract.condition->range.text().str()});
}

} // namespace spinc::sema
