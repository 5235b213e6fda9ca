// sta-6: where an atomic field without `in …` lies is decided by the operations
// on it: target pspin compares and swaps in L2 only.
#include "compiler/AST/Walk.h"
#include "compiler/Sema/Analyzer.h"

namespace spinc::sema {

namespace {

/// Looks for `….field.cas(…)` and `….field[i].cas(…)`.
class CasFinder {
public:
  explicit CasFinder(llvm::StringRef field) : field(field) {}

  void visit(const ast::Stmt &stmt) {
    ast::forEachExpr(stmt, [&](const ast::Expr &expr) { visit(expr); });
    ast::forEachStmt(stmt, [&](const ast::Stmt &inner) { visit(inner); });
  }
  bool found = false;

private:
  void visit(const ast::Expr &expr) {
    if (const auto *call = llvm::dyn_cast<ast::CallExpr>(&expr))
      found |= isCas(*call);
    ast::forEachOperand(expr, [&](const ast::Expr &inner) { visit(inner); });
  }

  bool isCas(const ast::CallExpr &call) const {
    const auto *method = llvm::dyn_cast<ast::FieldExpr>(call.callee.get());
    if (!method || method->member.text != "cas")
      return false;
    const ast::Expr *place = method->base.get();
    if (const auto *element = llvm::dyn_cast<ast::IndexExpr>(place))
      place = element->base.get();
    const auto *of = llvm::dyn_cast<ast::FieldExpr>(place);
    return of && of->member.text == field;
  }

  llvm::StringRef field;
};

} // namespace

bool Analyzer::comparesAndSwaps(llvm::StringRef field) const {
  CasFinder finder(field);
  for (const std::unique_ptr<ast::HandlerDecl> &handlerDecl :
       context->decl->handlers)
    finder.visit(*handlerDecl->body);
  return finder.found;
}

} // namespace spinc::sema
