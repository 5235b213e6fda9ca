// Program, names and written types.
#include "compiler/Syntax/AstBuilder.h"

#include "compiler/Diagnostics/Suggest.h"

namespace spinc::syntax {

using namespace ast;

std::unique_ptr<Program> AstBuilder::program(P::ProgramContext *node) {
  auto result = std::make_unique<Program>();
  result->file = &file;
  for (P::DeclarationContext *decl : node->decls)
    result->decls.push_back(declaration(decl));
  return result;
}

SourceRange AstBuilder::range(antlr4::ParserRuleContext *node) const {
  return places.of(node);
}

SourceRange AstBuilder::range(antlr4::Token *token) const {
  return places.of(token);
}

Identifier AstBuilder::identifier(antlr4::ParserRuleContext *node) const {
  return {node->getText(), range(node)};
}

Identifier AstBuilder::identifier(antlr4::Token *token) const {
  return {token->getText(), range(token)};
}

TypeExprPtr AstBuilder::typeRef(P::TypeRefContext *node) {
  auto named =
      std::make_unique<NamedTypeExpr>(range(node->name), node->name->getText());
  return arrays(std::move(named), node->suffixes);
}

TypeExprPtr AstBuilder::localType(P::LocalTypeContext *node) {
  TypeExprPtr type =
      std::make_unique<NamedTypeExpr>(range(node->name), node->name->getText());
  for (P::SliceSuffixContext *slice : node->slices)
    type = std::make_unique<SliceTypeExpr>(join(type->range, range(slice)),
                                           std::move(type));
  return type;
}

/// `u8 m[2][3]` is an array of 2 arrays of 3, so the last size is innermost.
TypeExprPtr AstBuilder::arrays(TypeExprPtr element, const Sizes &sizes) {
  SourceRange whole = element->range;
  for (auto suffix = sizes.rbegin(); suffix != sizes.rend(); ++suffix) {
    SourceRange typeRange = join(whole, range(sizes.back()));
    if ((*suffix)->size)
      element = std::make_unique<ArrayTypeExpr>(typeRange, std::move(element),
                                                expr((*suffix)->size));
    else
      element = std::make_unique<SliceTypeExpr>(typeRange, std::move(element));
  }
  return element;
}

void AstBuilder::unknownWord(const Identifier &found, llvm::StringRef expected,
                             llvm::ArrayRef<llvm::StringRef> choices) {
  DiagnosticBuilder builder =
      diagnostics.report(diag::UnknownWord, found.range, expected, found.text);
  if (auto word = suggest(found.text, choices))
    builder.fix("did you mean '" + word->str() + "'?")
        .fixIt(found.range, word->str());
}

} // namespace spinc::syntax
