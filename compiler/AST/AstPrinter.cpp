// Prints an AST as an indented tree, one node a line, in source order and
// without places, so that a dump changes only when the program's meaning does.
// Typed nodes end in ": type", constants in "= value".
#include "compiler/AST/AstPrinter.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"

namespace spinc {

using namespace ast;

namespace {

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

//===-- Shared parts ------------------------------------------------------===//

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

//===-- Declarations ------------------------------------------------------===//

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

//===-- Statements --------------------------------------------------------===//

void Printer::stmt(const Stmt &node) {
  if (const auto *declare = llvm::dyn_cast<DeclareStmt>(&node))
    return decl(*declare->local);
  if (const auto *expression = llvm::dyn_cast<ExprStmt>(&node))
    return expr(*expression->expr);
  Line line(*this);
  switch (node.kind) {
  case StmtKind::Block:
    out << "Block\n";
    for (const StmtPtr &inner : llvm::cast<BlockStmt>(node).statements)
      stmt(*inner);
    return;
  case StmtKind::Assign:
    return assign(llvm::cast<AssignStmt>(node));
  case StmtKind::If:
    return ifStmt(llvm::cast<IfStmt>(node));
  case StmtKind::ForEach:
    return forEach(llvm::cast<ForEachStmt>(node));
  case StmtKind::ForRange:
    return forRange(llvm::cast<ForRangeStmt>(node));
  case StmtKind::While:
    return whileStmt(llvm::cast<WhileStmt>(node));
  case StmtKind::Require:
    return require(llvm::cast<RequireStmt>(node));
  case StmtKind::Return:
    out << "Return\n";
    if (const Expr *result = llvm::cast<ReturnStmt>(node).result.get())
      expr(*result);
    return;
  case StmtKind::With:
    out << "With\n";
    expr(*llvm::cast<WithStmt>(node).lock);
    return stmt(*llvm::cast<WithStmt>(node).body);
  case StmtKind::Wrapping:
    out << "Wrapping\n";
    return stmt(*llvm::cast<WrappingStmt>(node).body);
  case StmtKind::Switch:
    return switchStmt(llvm::cast<SwitchStmt>(node));
  case StmtKind::Match:
    return matchStmt(llvm::cast<MatchStmt>(node));
  case StmtKind::Break:
    out << "Break\n";
    return;
  case StmtKind::Continue:
    out << "Continue\n";
    return;
  case StmtKind::Declare:
  case StmtKind::Expression:
    llvm_unreachable("printed as what it holds");
  }
}

void Printer::assign(const AssignStmt &node) {
  out << "Assign '" << (node.op ? ast::spelling(*node.op) : "") << "='\n";
  expr(*node.target);
  expr(*node.value);
}

void Printer::ifStmt(const IfStmt &node) {
  out << "If\n";
  expr(*node.condition);
  label("then", node.thenBody.get());
  label("else", node.elseBody.get());
}

void Printer::forEach(const ForEachStmt &node) {
  out << "ForEach\n";
  decl(*node.variable);
  label("in", node.iterable.get());
  label("bound", node.bound.get());
  stmt(*node.body);
  if (!node.tail)
    return;
  decl(*node.tail);
  stmt(*node.tailBody);
}

void Printer::forRange(const ForRangeStmt &node) {
  out << "ForRange\n";
  decl(*node.variable);
  label("from", node.begin.get());
  label(node.form == RangeForm::ToEnd ? "..<" : "..+", node.extent.get());
  label("step", node.step.get());
  label("bound", node.bound.get());
  stmt(*node.body);
}

void Printer::whileStmt(const WhileStmt &node) {
  out << "While\n";
  expr(*node.condition);
  label("bound", node.bound.get());
  stmt(*node.body);
}

void Printer::require(const RequireStmt &node) {
  out << "Require\n";
  expr(*node.condition);
  label("else return", node.result.get());
}

void Printer::switchStmt(const SwitchStmt &node) {
  out << "Switch\n";
  expr(*node.subject);
  for (const SwitchCase &arm : node.cases) {
    Line line(*this);
    out << (arm.values.empty() ? "default\n" : "case\n");
    for (const ExprPtr &value : arm.values)
      expr(*value);
    stmt(*arm.body);
  }
}

void Printer::matchStmt(const MatchStmt &node) {
  out << "Match\n";
  expr(*node.subject);
  for (const MatchCase &arm : node.cases) {
    Line line(*this);
    out << (arm.variable ? "case\n" : "default\n");
    if (arm.variable)
      decl(*arm.variable);
    stmt(*arm.body);
  }
}

//===-- Expressions -------------------------------------------------------===//

void Printer::expr(const Expr &node) {
  Line line(*this);
  switch (node.kind) {
  case ExprKind::IntLiteral:
    out << "Int " << llvm::cast<IntLiteral>(node).number;
    return finish(node);
  case ExprKind::FloatLiteral:
    out << "Float "
        << llvm::format("%.17g", llvm::cast<FloatLiteral>(node).number);
    return finish(node);
  case ExprKind::BoolLiteral:
    out << (llvm::cast<BoolLiteral>(node).truth ? "True" : "False");
    return finish(node);
  case ExprKind::NoneLiteral:
    out << "None";
    return finish(node);
  case ExprKind::Name:
    out << "Name " << llvm::cast<NameExpr>(node).name;
    return finish(node);
  case ExprKind::Field:
    out << "Field ." << llvm::cast<FieldExpr>(node).member.text;
    finish(node);
    return expr(*llvm::cast<FieldExpr>(node).base);
  case ExprKind::Index:
    out << "Index";
    finish(node);
    expr(*llvm::cast<IndexExpr>(node).base);
    return expr(*llvm::cast<IndexExpr>(node).index);
  case ExprKind::Slice:
    return slice(llvm::cast<SliceExpr>(node));
  case ExprKind::Unary:
    out << "Unary '" << ast::spelling(llvm::cast<UnaryExpr>(node).op) << '\'';
    finish(node);
    return expr(*llvm::cast<UnaryExpr>(node).operand);
  case ExprKind::Binary:
    out << "Binary '" << ast::spelling(llvm::cast<BinaryExpr>(node).op) << '\'';
    finish(node);
    expr(*llvm::cast<BinaryExpr>(node).left);
    return expr(*llvm::cast<BinaryExpr>(node).right);
  case ExprKind::Conditional:
    out << "Conditional";
    finish(node);
    expr(*llvm::cast<ConditionalExpr>(node).condition);
    expr(*llvm::cast<ConditionalExpr>(node).whenTrue);
    return expr(*llvm::cast<ConditionalExpr>(node).whenFalse);
  case ExprKind::Cast:
    return cast(llvm::cast<CastExpr>(node));
  case ExprKind::Call:
    return call(llvm::cast<CallExpr>(node));
  case ExprKind::InitList:
    out << "InitList";
    finish(node);
    return arguments(llvm::cast<InitListExpr>(node).elements);
  case ExprKind::Sizeof:
    out << "Sizeof";
    label("written", llvm::cast<SizeofExpr>(node).operand.get());
    return finish(node);
  }
}

void Printer::slice(const SliceExpr &node) {
  out << "Slice " << (node.form == RangeForm::ToEnd ? "..<" : "..+");
  finish(node);
  expr(*node.base);
  expr(*node.begin);
  expr(*node.extent);
}

void Printer::cast(const CastExpr &node) {
  out << (node.isImplicit() ? "ImplicitCast" : "Cast");
  label("as", node.target.get());
  finish(node);
  expr(*node.operand);
}

void Printer::call(const CallExpr &node) {
  out << (node.isAsync ? "Call async" : "Call");
  finish(node);
  expr(*node.callee);
  arguments(node.arguments);
}

} // namespace

void dumpAst(const Program &program, llvm::raw_ostream &out,
             TypePrinter printType) {
  Printer printer(out, printType);
  for (const std::unique_ptr<Decl> &decl : program.decls)
    printer.decl(*decl);
}

} // namespace spinc
