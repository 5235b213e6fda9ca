// Look-up from the innermost scope outwards (nam-1).
#include "compiler/Sema/Scopes.h"

namespace spinc::sema {

ast::Decl *Scope::add(ast::Decl *decl) {
  auto [place, isNew] = decls.emplace(decl->name.text, decl);
  return isNew ? nullptr : place->second;
}

ast::Decl *Scope::find(llvm::StringRef name) const {
  auto place = decls.find(name.str());
  return place == decls.end() ? nullptr : place->second;
}

void Scope::collectNames(std::vector<llvm::StringRef> &names) const {
  for (const auto &entry : decls)
    names.push_back(entry.first);
}

ast::Decl *Scopes::find(llvm::StringRef name) const {
  for (size_t i = stack.size(); i-- > 0;)
    if (ast::Decl *decl = stack[i].find(name))
      return decl;
  return nullptr;
}

void Scopes::collectNames(std::vector<llvm::StringRef> &names) const {
  for (const Scope &scope : stack)
    scope.collectNames(names);
}

} // namespace spinc::sema
