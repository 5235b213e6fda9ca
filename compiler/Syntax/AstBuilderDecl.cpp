// Imports, constants, types, functions and budgets.
#include "compiler/Syntax/AstBuilder.h"

#include "llvm/ADT/StringSwitch.h"

namespace spinc::syntax {

using namespace ast;

std::unique_ptr<Decl> AstBuilder::declaration(P::DeclarationContext *node) {
  if (P::ImportDeclContext *decl = node->importDecl())
    return import(decl);
  if (P::ConstDeclContext *decl = node->constDecl())
    return constant(decl);
  if (P::HeaderDeclContext *decl = node->headerDecl())
    return header(decl);
  if (P::StructDeclContext *decl = node->structDecl())
    return structure(decl);
  if (P::EnumDeclContext *decl = node->enumDecl())
    return enumeration(decl);
  if (P::ContextDeclContext *decl = node->contextDecl())
    return context(decl);
  return function(node->functionDecl());
}

std::unique_ptr<ImportDecl> AstBuilder::import(P::ImportDeclContext *node) {
  Identifier dotted;
  std::vector<Identifier> path;
  for (P::MemberNameContext *part : node->path) {
    path.push_back(identifier(part));
    dotted.text += (dotted.text.empty() ? "" : ".") + path.back().text;
  }
  dotted.range = join(path.front().range, path.back().range);
  auto result = std::make_unique<ImportDecl>(range(node), std::move(dotted));
  result->path = std::move(path);
  return result;
}

std::unique_ptr<ConstDecl> AstBuilder::constant(P::ConstDeclContext *node) {
  auto result =
      std::make_unique<ConstDecl>(range(node), identifier(node->name));
  if (node->type)
    result->typeExpr = arrays(localType(node->type), node->sizes);
  else if (!node->sizes.empty())
    diagnostics.report(diag::MissingElementType, range(node->sizes.front()),
                       result->name.text);
  result->init = initializer(node->init);
  return result;
}

std::unique_ptr<HeaderDecl> AstBuilder::header(P::HeaderDeclContext *node) {
  auto result =
      std::make_unique<HeaderDecl>(range(node), identifier(node->name));
  result->size = optionalExpr(node->size);
  for (P::FollowRuleContext *rule : node->rules)
    result->follows.push_back({identifier(rule->field), expr(rule->value)});
  result->fields = fields(node->fields);
  return result;
}

std::unique_ptr<StructDecl> AstBuilder::structure(P::StructDeclContext *node) {
  auto result =
      std::make_unique<StructDecl>(range(node), identifier(node->name));
  result->fields = fields(node->fields);
  return result;
}

std::unique_ptr<EnumDecl> AstBuilder::enumeration(P::EnumDeclContext *node) {
  auto result = std::make_unique<EnumDecl>(range(node), identifier(node->name));
  if (node->underlying)
    result->underlying = typeRef(node->underlying);
  for (P::EnumeratorContext *member : node->members) {
    auto enumerator = std::make_unique<EnumeratorDecl>(
        range(member), identifier(member->name));
    enumerator->init = optionalExpr(member->init);
    result->enumerators.push_back(std::move(enumerator));
  }
  return result;
}

std::vector<FieldPtr> AstBuilder::fields(P::FieldBlockContext *node) {
  std::vector<FieldPtr> result;
  for (P::FieldDeclContext *decl : node->fields)
    result.push_back(field(decl));
  return result;
}

FieldPtr AstBuilder::field(P::FieldDeclContext *node) {
  auto result =
      std::make_unique<FieldDecl>(range(node), identifier(node->name));
  TypeExprPtr type = typeRef(node->alternatives.front());
  if (node->alternatives.size() > 1) {
    auto oneOf = std::make_unique<OneOfTypeExpr>(
        join(type->range, range(node->alternatives.back())));
    oneOf->alternatives.push_back(std::move(type));
    for (size_t at = 1; at < node->alternatives.size(); ++at)
      oneOf->alternatives.push_back(typeRef(node->alternatives[at]));
    type = std::move(oneOf);
  }
  result->typeExpr = arrays(std::move(type), node->sizes);
  result->where = optionalExpr(node->where);
  return result;
}

std::unique_ptr<FunctionDecl>
AstBuilder::function(P::FunctionDeclContext *node) {
  auto result =
      std::make_unique<FunctionDecl>(range(node), identifier(node->name));
  result->resultType = typeRef(node->result);
  for (P::ParameterContext *decl : node->parameters)
    result->parameters.push_back(parameter(decl));
  if (node->budget())
    result->budget = budget(node->budget());
  result->body = block(node->body);
  return result;
}

std::unique_ptr<ParameterDecl>
AstBuilder::parameter(P::ParameterContext *node) {
  auto result =
      std::make_unique<ParameterDecl>(range(node), identifier(node->name));
  result->mode = node->inout ? PassMode::InOut : PassMode::Value;
  result->typeExpr = typeRef(node->type);
  return result;
}

Budget AstBuilder::budget(P::BudgetContext *node) {
  Budget result;
  result.range = range(node);
  for (P::BudgetClauseContext *clause : node->clauses)
    result.clauses.push_back(budgetClause(clause));
  for (P::BudgetNameContext *bound : node->names) {
    auto name =
        std::make_unique<BudgetNameDecl>(range(bound), identifier(bound->name));
    name->init = expr(bound->init);
    result.names.push_back(std::move(name));
  }
  return result;
}

BudgetClause AstBuilder::budgetClause(P::BudgetClauseContext *node) {
  BudgetClause result;
  result.range = range(node);
  result.limit = optionalExpr(node->limit);
  Identifier resource = identifier(node->resource);
  std::optional<BudgetKind> kind =
      llvm::StringSwitch<std::optional<BudgetKind>>(resource.text)
          .Case("cycles", BudgetKind::Cycles)
          .Case("line_rate", BudgetKind::LineRate)
          .Case("commands", BudgetKind::Commands)
          .Case("stack", BudgetKind::Stack)
          .Case("occupancy", BudgetKind::Occupancy)
          .Case("contention", BudgetKind::Contention)
          .Default(std::nullopt);
  if (!kind) {
    unknownWord(resource, "something to budget",
                {"cycles", "line_rate", "commands", "stack", "occupancy",
                 "contention"});
    return result;
  }
  result.kind = *kind;
  bool wantsLimit = *kind != BudgetKind::LineRate;
  if (wantsLimit != (node->limit != nullptr))
    diagnostics
        .report(diag::BudgetClauseForm, result.range, resource.text,
                wantsLimit ? "needs a limit" : "has no limit of its own")
        .fix(wantsLimit ? "write '" + resource.text + " <= …'"
                        : std::string("write 'line_rate' alone"));
  return result;
}

} // namespace spinc::syntax
