// See WholeHandlers.h. An error belongs to the body in whose text it lies, and
// that of a handler's parameter or budget to its body. Sema is silent about
// what an error elsewhere has poisoned, so a body without an error may still
// not be whole.
#include "compiler/Sema/WholeHandlers.h"

#include "compiler/AST/Walk.h"
#include "compiler/Diagnostics/Engine.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace spinc::sema {

namespace {

/// A body, and the text whose errors make it unfit and nothing else.
struct Part {
  const ast::BlockStmt *body = nullptr;
  SourceRange text;

  bool holds(SourceRange range) const {
    return range.isValid() && range.file == text.file &&
           range.begin >= text.begin && range.end <= text.end;
  }
};

class Bodies {
public:
  Bodies(const ast::Program &program, const ProgramInfo &info) {
    add(program);
    for (const std::unique_ptr<ast::Program> &module : info.modules.programs)
      add(*module);
  }

  /// Finds the body of each error; false if one is in none.
  bool takeErrors(const DiagnosticEngine &diagnostics);

  /// Whether neither the body nor a function that it calls holds an error.
  bool isWhole(const ast::BlockStmt &body);

private:
  void add(const ast::Program &program);
  bool takeError(const Diagnostic &error);
  bool isWholeStmt(const ast::Stmt &stmt);
  bool isWholeExpr(const ast::Expr &expr);

  std::vector<Part> parts;
  /// What is known by now.
  llvm::DenseMap<const ast::BlockStmt *, bool> known;
};

} // namespace

/// An error at the name speaks of other handlers, too.
static SourceRange behindName(const ast::HandlerDecl &handler) {
  SourceRange text = handler.range;
  text.begin = handler.name.range.end;
  return text;
}

void Bodies::add(const ast::Program &program) {
  for (const std::unique_ptr<ast::Decl> &decl : program.decls) {
    if (const auto *function = llvm::dyn_cast<ast::FunctionDecl>(decl.get()))
      parts.push_back({function->body.get(), function->body->range});
    if (const auto *context = llvm::dyn_cast<ast::ContextDecl>(decl.get()))
      for (const std::unique_ptr<ast::HandlerDecl> &handler : context->handlers)
        parts.push_back({handler->body.get(), behindName(*handler)});
  }
}

bool Bodies::takeError(const Diagnostic &error) {
  auto part = llvm::find_if(
      parts, [&](const Part &each) { return each.holds(error.range); });
  if (part == parts.end())
    return false;
  known[part->body] = false;
  return true;
}

bool Bodies::takeErrors(const DiagnosticEngine &diagnostics) {
  return diagnostics.hiddenErrorCount() == 0 &&
         llvm::all_of(diagnostics.diagnostics(), [&](const Diagnostic &each) {
           return each.severity != Severity::Error || takeError(each);
         });
}

bool Bodies::isWhole(const ast::BlockStmt &body) {
  // A function that calls itself holds an error.
  auto [entry, isNew] = known.try_emplace(&body, true);
  if (!isNew)
    return entry->second;
  bool whole = isWholeStmt(body);
  known[&body] = whole;
  return whole;
}

bool Bodies::isWholeStmt(const ast::Stmt &stmt) {
  bool whole = true;
  ast::forEachExpr(
      stmt, [&](const ast::Expr &expr) { whole = whole && isWholeExpr(expr); });
  ast::forEachStmt(stmt, [&](const ast::Stmt &inner) {
    whole = whole && isWholeStmt(inner);
  });
  return whole;
}

bool Bodies::isWholeExpr(const ast::Expr &expr) {
  bool whole = !expr.type || !expr.type->isError();
  if (const auto *call = llvm::dyn_cast<ast::CallExpr>(&expr))
    if (const auto *callee =
            llvm::dyn_cast_or_null<ast::FunctionDecl>(call->decl))
      whole = whole && isWhole(*callee->body);
  ast::forEachOperand(expr, [&](const ast::Expr &operand) {
    whole = whole && isWholeExpr(operand);
  });
  return whole;
}

/// bnd-13: the handlers behind a header handler rely on what it leaves.
static void keepWhole(ContextInfo &context, Bodies &bodies) {
  bool hasBrokenHeader =
      llvm::any_of(context.handlers, [&](const HandlerInfo &handler) {
        return handler.kind == HandlerKind::Header &&
               !bodies.isWhole(*handler.decl->body);
      });
  llvm::erase_if(context.handlers, [&](const HandlerInfo &handler) {
    return hasBrokenHeader || !bodies.isWhole(*handler.decl->body);
  });
}

bool keepWholeHandlers(const ast::Program &program, ProgramInfo &info,
                       const DiagnosticEngine &diagnostics) {
  Bodies bodies(program, info);
  if (!bodies.takeErrors(diagnostics))
    return false;
  for (const std::unique_ptr<ContextInfo> &context : info.contexts)
    keepWhole(*context, bodies);
  llvm::erase_if(info.contexts, [](const std::unique_ptr<ContextInfo> &each) {
    return each->handlers.empty();
  });
  return !info.contexts.empty();
}

} // namespace spinc::sema
