// Declarations of the AST dump.
#include "compiler/AST/AstPrinterImpl.h"

#include "llvm/Support/ErrorHandling.h"

namespace spinc::ast {

void Printer::decl(const Decl &node) {
  Line line(*this);
  switch (node.kind) {
  case DeclKind::Import:
    out << "Import " << node.name.text << '\n';
    return;
  case DeclKind::Const:
    return constant(llvm::cast<ConstDecl>(node));
  case DeclKind::Function:
    return function(llvm::cast<FunctionDecl>(node));
  case DeclKind::Parameter:
    return parameter(llvm::cast<ParameterDecl>(node));
  case DeclKind::Header:
    return header(llvm::cast<HeaderDecl>(node));
  case DeclKind::Struct:
    out << "Struct " << node.name.text << '\n';
    return fields(llvm::cast<StructDecl>(node).fields);
  case DeclKind::Field:
    return field(llvm::cast<FieldDecl>(node));
  case DeclKind::Enum:
    return enumeration(llvm::cast<EnumDecl>(node));
  case DeclKind::Enumerator:
    out << "Enumerator " << node.name.text;
    value(llvm::cast<EnumeratorDecl>(node).value);
    finish(node);
    if (const Expr *init = llvm::cast<EnumeratorDecl>(node).init.get())
      expr(*init);
    return;
  case DeclKind::Context:
    return context(llvm::cast<ContextDecl>(node));
  case DeclKind::StateField:
    return state(llvm::cast<StateFieldDecl>(node));
  case DeclKind::Host:
    out << "Host " << node.name.text;
    return finish(node);
  case DeclKind::Handler:
    return handler(llvm::cast<HandlerDecl>(node));
  case DeclKind::BudgetName:
    out << "Where " << node.name.text;
    finish(node);
    return expr(*llvm::cast<BudgetNameDecl>(node).init);
  case DeclKind::Local:
    return local(llvm::cast<LocalDecl>(node));
  }
}

void Printer::constant(const ConstDecl &node) {
  out << "Const " << node.name.text;
  label("written", node.typeExpr.get());
  finish(node);
  expr(*node.init);
}

void Printer::fields(const std::vector<FieldPtr> &fields) {
  for (const FieldPtr &field : fields)
    decl(*field);
}

void Printer::field(const FieldDecl &node) {
  out << "Field " << node.name.text;
  label("written", node.typeExpr.get());
  finish(node);
  label("where", node.where.get());
}

void Printer::header(const HeaderDecl &node) {
  out << "Header " << node.name.text;
  finish(node);
  label("sized", node.size.get());
  for (const FollowRule &rule : node.follows) {
    Line line(*this);
    out << "follows " << rule.field.text << '\n';
    expr(*rule.value);
  }
  fields(node.fields);
}

void Printer::enumeration(const EnumDecl &node) {
  out << "Enum " << node.name.text;
  label("written", node.underlying.get());
  finish(node);
  for (const std::unique_ptr<EnumeratorDecl> &member : node.enumerators)
    decl(*member);
}

void Printer::function(const FunctionDecl &node) {
  out << "Function " << node.name.text;
  label("returns", node.resultType.get());
  finish(node);
  for (const ParameterPtr &parameter : node.parameters)
    decl(*parameter);
  budget(node.budget);
  stmt(*node.body);
}

void Printer::parameter(const ParameterDecl &node) {
  out << "Parameter " << node.name.text
      << (node.mode == PassMode::InOut ? " inout" : "");
  label("written", node.typeExpr.get());
  finish(node);
}

static llvm::StringRef spelling(BudgetKind kind) {
  switch (kind) {
  case BudgetKind::Cycles:
    return "cycles";
  case BudgetKind::LineRate:
    return "line_rate";
  case BudgetKind::Commands:
    return "commands";
  case BudgetKind::Stack:
    return "stack";
  case BudgetKind::Occupancy:
    return "occupancy";
  case BudgetKind::Contention:
    return "contention";
  }
  llvm_unreachable("unknown budget kind");
}

void Printer::budget(const std::optional<Budget> &budget) {
  if (!budget)
    return;
  Line line(*this);
  out << "Budget\n";
  for (const BudgetClause &clause : budget->clauses) {
    Line inner(*this);
    out << spelling(clause.kind) << (clause.limit ? " <=\n" : "\n");
    if (clause.limit)
      expr(*clause.limit);
  }
  for (const std::unique_ptr<BudgetNameDecl> &name : budget->names)
    decl(*name);
}

void Printer::context(const ContextDecl &node) {
  out << "Context " << node.name.text << '\n';
  if (node.match)
    match(*node.match);
  if (node.packet) {
    Line line(*this);
    out << "Packet\n";
    fields(node.packet->fields);
  }
  if (node.user) {
    Line line(*this);
    out << "User\n";
    fields(node.user->fields);
  }
  if (node.state) {
    Line line(*this);
    out << "State\n";
    for (const std::unique_ptr<StateFieldDecl> &field : node.state->fields)
      decl(*field);
  }
  for (const std::unique_ptr<HostDecl> &host : node.hosts)
    decl(*host);
  for (const Contract &contract : node.contracts)
    label("Contract", contract.condition.get());
  for (const std::unique_ptr<HandlerDecl> &handler : node.handlers)
    decl(*handler);
}

void Printer::match(const MatchBlock &node) {
  Line line(*this);
  out << (node.isPortals ? "Match portals\n" : "Match\n");
  for (const ExprPtr &condition : node.conditions)
    expr(*condition);
  arguments(node.portals);
}

static llvm::StringRef spelling(StateKind kind) {
  switch (kind) {
  case StateKind::Param:
    return "param";
  case StateKind::Plain:
    return "plain";
  case StateKind::Atomic:
    return "atomic";
  case StateKind::PerHpu:
    return "per_hpu";
  case StateKind::Guarded:
    return "guarded";
  }
  llvm_unreachable("unknown state kind");
}

void Printer::state(const StateFieldDecl &node) {
  out << "StateField " << node.name.text << ' '
      << (node.perCluster ? "per_cluster " : "") << spelling(node.stateKind);
  if (node.lock)
    out << '(' << node.lock->text << ')';
  if (node.placement != Placement::Default)
    out << (node.placement == Placement::L1 ? " in L1" : " in L2");
  label("written", node.typeExpr.get());
  finish(node);
  label("where", node.where.get());
}

void Printer::handler(const HandlerDecl &node) {
  out << "Handler " << node.name.text << '\n';
  decl(*node.parameter);
  budget(node.budget);
  stmt(*node.body);
}

static llvm::StringRef spelling(LocalKind kind) {
  switch (kind) {
  case LocalKind::Let:
    return "Let ";
  case LocalKind::Var:
    return "Var ";
  case LocalKind::Memory:
    return "Memory ";
  case LocalKind::View:
    return "View ";
  case LocalKind::Loop:
    return "Loop ";
  case LocalKind::Tail:
    return "Tail ";
  case LocalKind::Matched:
    return "Matched ";
  }
  llvm_unreachable("unknown kind of local");
}

void Printer::local(const LocalDecl &node) {
  out << spelling(node.localKind) << node.name.text;
  label("written", node.typeExpr.get());
  finish(node);
  if (node.init)
    expr(*node.init);
}

} // namespace spinc::ast
