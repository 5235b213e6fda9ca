// Takes statements, declarations and handlers out of a failing program.
#include "compiler/Diagnostics/Engine.h"
#include "compiler/Syntax/Parser.h"
#include "test/Fuzz/Trial.h"
#include "llvm/ADT/STLExtras.h"

using namespace spinc;
using namespace spinc::fuzz;

namespace {

/// A range of the text and what to put there instead.
struct Edit {
  uint32_t begin, end;
  std::string text;
};

/// All parts that may be taken out, large ones first.
class Parts {
public:
  std::vector<Edit> edits;

  void visit(const ast::Program &program) {
    for (const auto &decl : program.decls)
      if (const auto *context = llvm::dyn_cast<ast::ContextDecl>(decl.get()))
        visit(*context);
    llvm::sort(edits, [](const Edit &a, const Edit &b) {
      return a.end - a.begin > b.end - b.begin;
    });
  }

private:
  void remove(SourceRange range) {
    edits.push_back({range.begin, range.end, ""});
  }
  void replace(SourceRange range, SourceRange by) {
    edits.push_back({range.begin, range.end, by.text().str()});
  }

  void visit(const ast::ContextDecl &context) {
    for (const auto &handler : context.handlers) {
      remove(handler->range);
      visit(*handler->body, /*isBody=*/true);
    }
    if (context.state)
      for (const auto &field : context.state->fields)
        remove(field->range);
  }

  void visit(const ast::Stmt &stmt, bool isBody = false) {
    if (!isBody)
      remove(stmt.range);
    if (const auto *block = llvm::dyn_cast<ast::BlockStmt>(&stmt)) {
      for (const ast::StmtPtr &child : block->statements)
        visit(*child);
    } else if (const auto *branch = llvm::dyn_cast<ast::IfStmt>(&stmt)) {
      inner(stmt, branch->thenBody.get());
      inner(stmt, branch->elseBody.get());
      visitExpr(*branch->condition);
    } else if (const auto *each = llvm::dyn_cast<ast::ForEachStmt>(&stmt)) {
      inner(stmt, each->body.get());
    } else if (const auto *range = llvm::dyn_cast<ast::ForRangeStmt>(&stmt)) {
      inner(stmt, range->body.get());
      visitExpr(*range->extent);
    } else if (const auto *loop = llvm::dyn_cast<ast::WhileStmt>(&stmt)) {
      inner(stmt, loop->body.get());
    } else if (const auto *wrap = llvm::dyn_cast<ast::WrappingStmt>(&stmt)) {
      inner(stmt, wrap->body.get());
    } else if (const auto *assign = llvm::dyn_cast<ast::AssignStmt>(&stmt)) {
      visitExpr(*assign->value);
    } else if (const auto *declare = llvm::dyn_cast<ast::DeclareStmt>(&stmt)) {
      if (declare->local->init)
        visitExpr(*declare->local->init);
    }
  }

  void inner(const ast::Stmt &outer, const ast::Stmt *body) {
    if (!body)
      return;
    replace(outer.range, body->range);
    visit(*body, /*isBody=*/true);
  }

  /// An operand instead of the whole.
  void visitExpr(const ast::Expr &expr) {
    if (const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&expr)) {
      for (const ast::ExprPtr *side : {&binary->left, &binary->right}) {
        replace(expr.range, (*side)->range);
        visitExpr(**side);
      }
    } else if (const auto *choice =
                   llvm::dyn_cast<ast::ConditionalExpr>(&expr)) {
      for (const ast::ExprPtr *side : {&choice->whenTrue, &choice->whenFalse}) {
        replace(expr.range, (*side)->range);
        visitExpr(**side);
      }
      visitExpr(*choice->condition);
    } else if (const auto *cast = llvm::dyn_cast<ast::CastExpr>(&expr)) {
      visitExpr(*cast->operand);
    } else if (const auto *unary = llvm::dyn_cast<ast::UnaryExpr>(&expr)) {
      visitExpr(*unary->operand);
    }
  }
};

} // namespace

std::string spinc::fuzz::shrink(
    std::string text, const TrialOptions &options,
    llvm::function_ref<bool(const std::string &candidate)> fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    SourceManager sources;
    DiagnosticEngine diagnostics;
    const SourceFile &file = sources.add("shrink.spinc", text);
    std::unique_ptr<ast::Program> program = parseSource(file, diagnostics);
    if (!program)
      return text;
    Parts parts;
    parts.visit(*program);
    for (const Edit &edit : parts.edits) {
      if (edit.text.size() >= edit.end - edit.begin)
        continue;
      std::string candidate =
          text.substr(0, edit.begin) + edit.text + text.substr(edit.end);
      if (!fails(candidate))
        continue;
      text = candidate;
      smaller = true;
      break;
    }
  }
  return text;
}
