// Nested scopes of names. Inner scopes hide outer ones; inside one scope a name
// is declared once (nam-2). Declarations outlive the scopes.
#pragma once

#include "compiler/AST/Ast.h"

#include <map>

namespace spinc::sema {

class Scope {
public:
  /// The earlier declaration of that name, or null when `decl` went in.
  ast::Decl *add(ast::Decl *decl);
  ast::Decl *find(llvm::StringRef name) const;
  void collectNames(std::vector<llvm::StringRef> &names) const;
  const std::map<std::string, ast::Decl *> &all() const { return decls; }

private:
  std::map<std::string, ast::Decl *> decls;
};

class Scopes {
public:
  void push() { stack.emplace_back(); }
  void pop() { stack.pop_back(); }
  Scope &innermost() { return stack.back(); }
  ast::Decl *find(llvm::StringRef name) const;
  void collectNames(std::vector<llvm::StringRef> &names) const;

private:
  std::vector<Scope> stack;
};

} // namespace spinc::sema
