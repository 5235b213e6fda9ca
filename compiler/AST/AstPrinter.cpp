// Lines, labels and written types of the AST dump.
#include "compiler/AST/AstPrinterImpl.h"

#include "llvm/ADT/SmallString.h"

namespace spinc::ast {

void Printer::type(const Type *checked) {
  if (!checked || !printType)
    return;
  out << " : ";
  printType(out, *checked);
}

void Printer::value(const std::optional<llvm::APSInt> &constant) {
  if (!constant || !printType)
    return;
  llvm::SmallString<40> digits;
  constant->toString(digits, 10);
  out << " = " << digits;
}

void Printer::finish(const Expr &node) {
  type(node.type);
  value(node.value);
  out << '\n';
}

void Printer::finish(const Decl &node) {
  type(node.type);
  out << '\n';
}

/// Types are written on the line: their sizes are small expressions.
void Printer::written(const TypeExpr &node) {
  if (const auto *named = llvm::dyn_cast<NamedTypeExpr>(&node)) {
    out << named->name;
  } else if (const auto *array = llvm::dyn_cast<ArrayTypeExpr>(&node)) {
    written(*array->element);
    out << '[' << array->size->range.text() << ']';
  } else if (const auto *slice = llvm::dyn_cast<SliceTypeExpr>(&node)) {
    written(*slice->element);
    out << "[]";
  } else {
    llvm::StringRef separator = "";
    for (const TypeExprPtr &choice :
         llvm::cast<OneOfTypeExpr>(node).alternatives) {
      out << separator;
      written(*choice);
      separator = " | ";
    }
  }
}

void Printer::label(llvm::StringRef word, const Expr *node) {
  if (!node)
    return;
  Line line(*this);
  out << word << '\n';
  expr(*node);
}

void Printer::label(llvm::StringRef word, const Stmt *node) {
  if (!node)
    return;
  Line line(*this);
  out << word << '\n';
  stmt(*node);
}

void Printer::label(llvm::StringRef word, const TypeExpr *node) {
  if (!node)
    return;
  out << ' ' << word << ' ';
  written(*node);
}

void Printer::arguments(const std::vector<Argument> &arguments) {
  for (const Argument &argument : arguments) {
    if (argument.name)
      label(argument.name->text + ":", argument.value.get());
    else
      expr(*argument.value);
  }
}

} // namespace spinc::ast

namespace spinc {

void dumpAst(const ast::Program &program, llvm::raw_ostream &out,
             TypePrinter printType) {
  ast::Printer printer(out, printType);
  for (const std::unique_ptr<ast::Decl> &decl : program.decls)
    printer.decl(*decl);
}

} // namespace spinc
