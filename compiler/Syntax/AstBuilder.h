// Makes the AST from ANTLR's parse tree: one method per construct, with the
// types of what goes in and comes out. It runs only on trees without syntax
// errors, so every label that the grammar demands is there. What the grammar
// lets through and the language does not is reported here.
#ifndef SPINC_SYNTAX_ASTBUILDER_H
#define SPINC_SYNTAX_ASTBUILDER_H

#include "compiler/AST/Ast.h"
#include "compiler/Diagnostics/Engine.h"
#include "compiler/Syntax/Literals.h"
#include "compiler/Syntax/SpincParser.h"
#include "compiler/Syntax/TokenPlaces.h"

namespace spinc::syntax {

class AstBuilder {
public:
  AstBuilder(const SourceFile &file, const TokenPlaces &places,
             DiagnosticEngine &diagnostics)
      : file(file), places(places), diagnostics(diagnostics) {}

  std::unique_ptr<ast::Program> program(SpincParser::ProgramContext *node);

private:
  using P = SpincParser;
  using Sizes = std::vector<P::TypeSuffixContext *>;

  // Names and types: AstBuilder.cpp.
  SourceRange range(antlr4::ParserRuleContext *node) const;
  SourceRange range(antlr4::Token *token) const;
  ast::Identifier identifier(antlr4::ParserRuleContext *node) const;
  ast::Identifier identifier(antlr4::Token *token) const;
  ast::TypeExprPtr typeRef(P::TypeRefContext *node);
  ast::TypeExprPtr localType(P::LocalTypeContext *node);
  ast::TypeExprPtr arrays(ast::TypeExprPtr element, const Sizes &sizes);
  /// Reports `found` as none of `choices`, with a spelling suggestion.
  void unknownWord(const ast::Identifier &found, llvm::StringRef expected,
                   llvm::ArrayRef<llvm::StringRef> choices);

  // Declarations of a file: AstBuilderDecl.cpp.
  std::unique_ptr<ast::Decl> declaration(P::DeclarationContext *node);
  std::unique_ptr<ast::ImportDecl> import(P::ImportDeclContext *node);
  std::unique_ptr<ast::ConstDecl> constant(P::ConstDeclContext *node);
  std::unique_ptr<ast::HeaderDecl> header(P::HeaderDeclContext *node);
  std::unique_ptr<ast::StructDecl> structure(P::StructDeclContext *node);
  std::unique_ptr<ast::EnumDecl> enumeration(P::EnumDeclContext *node);
  std::unique_ptr<ast::FunctionDecl> function(P::FunctionDeclContext *node);
  std::unique_ptr<ast::ParameterDecl> parameter(P::ParameterContext *node);
  std::vector<ast::FieldPtr> fields(P::FieldBlockContext *node);
  ast::FieldPtr field(P::FieldDeclContext *node);
  ast::Budget budget(P::BudgetContext *node);
  ast::BudgetClause budgetClause(P::BudgetClauseContext *node);

  // Contexts: AstBuilderContext.cpp.
  std::unique_ptr<ast::ContextDecl> context(P::ContextDeclContext *node);
  void contextItem(P::ContextItemContext *node, ast::ContextDecl &context);
  ast::MatchBlock matchBlock(P::MatchBlockContext *node);
  ast::StateBlock stateBlock(P::StateBlockContext *node);
  std::unique_ptr<ast::StateFieldDecl> stateField(P::StateFieldContext *node);
  void stateKinds(P::StateFieldContext *node, ast::StateFieldDecl &field);
  void stateClauses(P::StateFieldContext *node, ast::StateFieldDecl &field);
  std::unique_ptr<ast::HandlerDecl> handler(P::HandlerDeclContext *node);

  // Statements: AstBuilderStmt.cpp.
  std::unique_ptr<ast::BlockStmt> block(P::BlockContext *node);
  std::unique_ptr<ast::BlockStmt>
  caseBody(antlr4::ParserRuleContext *node,
           const std::vector<P::StatementContext *> &statements);
  ast::StmtPtr statement(P::StatementContext *node);
  ast::StmtPtr letStmt(P::LetStatementContext *node);
  ast::StmtPtr memoryStmt(P::MemoryStatementContext *node);
  ast::StmtPtr viewStmt(P::ViewStatementContext *node);
  ast::StmtPtr variableStmt(P::VariableStatementContext *node);
  ast::StmtPtr exprStmt(P::ExprStatementContext *node);
  ast::StmtPtr ifStmt(P::IfStatementContext *node);
  ast::StmtPtr forStmt(P::ForStatementContext *node);
  ast::StmtPtr forEachStmt(P::ForStatementContext *node,
                           ast::LocalPtr variable);
  ast::StmtPtr forRangeStmt(P::ForStatementContext *node,
                            ast::LocalPtr variable);
  ast::StmtPtr whileStmt(P::WhileStatementContext *node);
  ast::StmtPtr requireStmt(P::RequireStatementContext *node);
  ast::StmtPtr switchStmt(P::SwitchStatementContext *node);
  ast::StmtPtr matchStmt(P::MatchStatementContext *node);
  ast::LocalPtr local(ast::LocalKind kind, antlr4::ParserRuleContext *node,
                      P::IdentifierContext *name);

  // Expressions: AstBuilderExpr.cpp.
  ast::ExprPtr expr(P::ExprContext *node);
  ast::ExprPtr exprOf(P::ExprContext *node);
  ast::ExprPtr optionalExpr(P::ExprContext *node);
  ast::ExprPtr primary(P::PrimaryContext *node);
  ast::ExprPtr index(P::IndexExprContext *node);
  ast::ExprPtr call(P::CallExprContext *node);
  ast::ExprPtr async(P::AsyncExprContext *node);
  ast::ExprPtr unary(P::UnaryExprContext *node);
  ast::ExprPtr binary(P::BinaryExprContext *node);
  ast::ExprPtr literal(P::LiteralContext *node);
  ast::ExprPtr integer(const IntegerValue &value, SourceRange range,
                       bool isCharacter);
  ast::ExprPtr initializer(P::InitializerContext *node);
  ast::ExprPtr initList(P::InitListContext *node);
  ast::RangeForm rangeForm(antlr4::Token *token) const;
  ast::BinaryOp binaryOp(antlr4::Token *token) const;

  const SourceFile &file;
  const TokenPlaces &places;
  DiagnosticEngine &diagnostics;
  unsigned exprDepth = 0;
  bool tooDeep = false;
};

} // namespace spinc::syntax

#endif // SPINC_SYNTAX_ASTBUILDER_H
