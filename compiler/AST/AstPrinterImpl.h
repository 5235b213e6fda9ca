// The class behind dumpAst, spread over AstPrinter*.cpp. Prints an AST as an
// indented tree, one node a line, in source order and without places, so that a
// dump changes only when the program does. Typed nodes end in ": type",
// constants in "= value".
#ifndef SPINC_AST_ASTPRINTERIMPL_H
#define SPINC_AST_ASTPRINTERIMPL_H

#include "compiler/AST/AstPrinter.h"

namespace spinc::ast {

class Printer {
public:
  Printer(llvm::raw_ostream &out, TypePrinter printType)
      : out(out), printType(printType) {}

  void decl(const Decl &node);

private:
  /// One line, and everything printed while it lives is below it.
  class Line {
  public:
    explicit Line(Printer &printer) : printer(printer) {
      printer.out.indent(2 * printer.depth++);
    }
    ~Line() { --printer.depth; }
    Line(const Line &) = delete;

  private:
    Printer &printer;
  };

  void type(const Type *checked);
  void value(const std::optional<llvm::APSInt> &constant);
  /// Ends the line of a declaration or expression.
  void finish(const Expr &node);
  void finish(const Decl &node);

  void written(const TypeExpr &node);
  void label(llvm::StringRef word, const Expr *node);
  void label(llvm::StringRef word, const Stmt *node);
  void label(llvm::StringRef word, const TypeExpr *node);
  void arguments(const std::vector<Argument> &arguments);

  void constant(const ConstDecl &node);
  void fields(const std::vector<FieldPtr> &fields);
  void field(const FieldDecl &node);
  void header(const HeaderDecl &node);
  void enumeration(const EnumDecl &node);
  void function(const FunctionDecl &node);
  void parameter(const ParameterDecl &node);
  void budget(const std::optional<Budget> &budget);
  void context(const ContextDecl &node);
  void match(const MatchBlock &node);
  void state(const StateFieldDecl &node);
  void handler(const HandlerDecl &node);
  void local(const LocalDecl &node);

  void stmt(const Stmt &node);
  void assign(const AssignStmt &node);
  void ifStmt(const IfStmt &node);
  void forEach(const ForEachStmt &node);
  void forRange(const ForRangeStmt &node);
  void whileStmt(const WhileStmt &node);
  void require(const RequireStmt &node);
  void switchStmt(const SwitchStmt &node);
  void matchStmt(const MatchStmt &node);

  void expr(const Expr &node);
  void slice(const SliceExpr &node);
  void cast(const CastExpr &node);
  void call(const CallExpr &node);

  llvm::raw_ostream &out;
  TypePrinter printType;
  unsigned depth = 0;
};

} // namespace spinc::ast

#endif // SPINC_AST_ASTPRINTERIMPL_H
