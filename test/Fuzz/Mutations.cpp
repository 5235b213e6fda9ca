// Finds guards in the untyped AST and says how each can be weakened.
#include "test/Fuzz/Mutations.h"

using namespace spinc;
using namespace spinc::fuzz;
using ast::BinaryOp;
using llvm::dyn_cast;

std::string Mutation::apply(llvm::StringRef source) const {
  return source.substr(0, begin).str() + text + source.substr(end).str();
}

namespace {

class Finder {
public:
  std::vector<Mutation> found;

  void visit(const ast::Program &program) {
    for (const auto &decl : program.decls) {
      inside = decl->name.text;
      if (const auto *header = dyn_cast<ast::HeaderDecl>(decl.get()))
        fields(header->fields);
      else if (const auto *function = dyn_cast<ast::FunctionDecl>(decl.get()))
        visitFunction(*function);
      else if (const auto *context = dyn_cast<ast::ContextDecl>(decl.get()))
        visitContext(*context);
    }
  }

private:
  std::string inside;

  void add(std::string what, SourceRange range, std::string text) {
    if (!range.isValid() || text == range.text())
      return;
    unsigned line = range.file->lineColumn(range.begin).line;
    found.push_back({std::move(what), range.begin, range.end, std::move(text),
                     line, inside});
  }

  static std::string inBrackets(SourceRange range) {
    return "(" + range.text().str() + ")";
  }

  /// ` where condition` as a whole.
  void dropWhere(const ast::Expr *condition) {
    if (!condition)
      return;
    SourceRange range = condition->range;
    llvm::StringRef before = range.file->text().substr(0, range.begin);
    size_t word = before.rfind("where");
    if (word != llvm::StringRef::npos) {
      range.begin = uint32_t(word);
      add("where: deleted", range, "");
    }
    guard("where", *condition, /*mayDrop=*/false);
  }

  void fields(const std::vector<ast::FieldPtr> &list) {
    for (const ast::FieldPtr &field : list)
      dropWhere(field->where.get());
  }

  void visitBudget(const std::optional<ast::Budget> &budget) {
    if (!budget)
      return;
    for (const ast::BudgetClause &clause : budget->clauses)
      if (clause.limit)
        add("budget: halved", clause.limit->range,
            inBrackets(clause.limit->range) + " / 2");
  }

  void visitFunction(const ast::FunctionDecl &function) {
    visitBudget(function.budget);
    if (function.body)
      stmt(*function.body);
  }

  void visitContext(const ast::ContextDecl &context) {
    if (context.match)
      for (const ast::ExprPtr &condition : context.match->conditions) {
        SourceRange range = condition->range;
        if (range.file->text()[range.end] == ';')
          ++range.end;
        add("match: rule deleted", range, "");
        guard("match", *condition, /*mayDrop=*/false);
      }
    if (context.packet)
      fields(context.packet->fields);
    if (context.state)
      for (const auto &field : context.state->fields)
        dropWhere(field->where.get());
    for (const ast::Contract &contract : context.contracts) {
      add("contract: deleted", contract.range, "");
      guard("contract", *contract.condition, /*mayDrop=*/false);
    }
    for (const auto &handler : context.handlers) {
      visitBudget(handler->budget);
      stmt(*handler->body);
    }
  }

  /// A condition on which something rests.
  void guard(const std::string &what, const ast::Expr &condition,
             bool mayDrop = true) {
    if (mayDrop)
      add(what + ": condition dropped", condition.range, "true");
    weaken(what, condition, /*isNegated=*/false);
  }

  void weaken(const std::string &what, const ast::Expr &condition,
              bool isNegated) {
    if (const auto *unary = dyn_cast<ast::UnaryExpr>(&condition))
      if (unary->op == ast::UnaryOp::Not)
        return weaken(what, *unary->operand, !isNegated);
    const auto *binary = dyn_cast<ast::BinaryExpr>(&condition);
    if (!binary)
      return;
    if (binary->op == BinaryOp::And || binary->op == BinaryOp::Or) {
      for (const ast::ExprPtr *side : {&binary->left, &binary->right}) {
        add(what + ": one side only", binary->range,
            (*side)->range.text().str());
        weaken(what, **side, isNegated);
      }
      return;
    }
    comparison(what, *binary);
    operand(*binary->left);
    operand(*binary->right);
  }

  /// One more value passes, and one side off by one both ways.
  void comparison(const std::string &what, const ast::BinaryExpr &binary) {
    const char *weaker = nullptr;
    switch (binary.op) {
    case BinaryOp::Less:
      weaker = "<=";
      break;
    case BinaryOp::Greater:
      weaker = ">=";
      break;
    case BinaryOp::LessEqual:
    case BinaryOp::GreaterEqual:
    case BinaryOp::Equal:
    case BinaryOp::NotEqual:
      break;
    default:
      return;
    }
    if (weaker)
      add(what + ": one value more passes", binary.opRange, weaker);
    bool upper =
        binary.op == BinaryOp::Less || binary.op == BinaryOp::LessEqual;
    bool lower =
        binary.op == BinaryOp::Greater || binary.op == BinaryOp::GreaterEqual;
    if (upper || lower) {
      SourceRange more = upper ? binary.right->range : binary.left->range;
      add(what + ": limit by one", more, inBrackets(more) + " + 1");
    }
    if (binary.op == BinaryOp::Equal)
      add(what + ": at most instead of equal", binary.opRange, "<=");
    if (binary.op == BinaryOp::NotEqual)
      add(what + ": anything passes", binary.range, "true");
  }

  /// Masks, remainders and ends of slices within an expression.
  void operand(const ast::Expr &expr) {
    if (const auto *binary = dyn_cast<ast::BinaryExpr>(&expr)) {
      if (binary->op == BinaryOp::BitAnd) {
        add("mask: deleted", binary->range, inBrackets(binary->left->range));
        add("mask: one bit wider", binary->right->range,
            "(" + inBrackets(binary->right->range) + " * 2 + 1)");
      }
      if (binary->op == BinaryOp::Rem) {
        add("remainder: deleted", binary->range,
            inBrackets(binary->left->range));
        add("remainder: by one", binary->right->range,
            "(" + inBrackets(binary->right->range) + " + 1)");
      }
      operand(*binary->left);
      operand(*binary->right);
    } else if (const auto *unary = dyn_cast<ast::UnaryExpr>(&expr)) {
      operand(*unary->operand);
    } else if (const auto *choice = dyn_cast<ast::ConditionalExpr>(&expr)) {
      guard("?:", *choice->condition);
      operand(*choice->whenTrue);
      operand(*choice->whenFalse);
    } else if (const auto *cast = dyn_cast<ast::CastExpr>(&expr)) {
      operand(*cast->operand);
    } else if (const auto *index = dyn_cast<ast::IndexExpr>(&expr)) {
      add("index: by one", index->index->range,
          inBrackets(index->index->range) + " + 1");
      operand(*index->base);
      operand(*index->index);
    } else if (const auto *slice = dyn_cast<ast::SliceExpr>(&expr)) {
      add("slice: end by one", slice->extent->range,
          inBrackets(slice->extent->range) + " + 1");
      operand(*slice->base);
      operand(*slice->begin);
      operand(*slice->extent);
    } else if (const auto *call = dyn_cast<ast::CallExpr>(&expr)) {
      operand(*call->callee);
      for (const ast::Argument &argument : call->arguments)
        operand(*argument.value);
    } else if (const auto *field = dyn_cast<ast::FieldExpr>(&expr)) {
      operand(*field->base);
    }
  }

  void operand(const ast::ExprPtr &expr) {
    if (expr)
      operand(*expr);
  }

  void stmt(const ast::StmtPtr &child) {
    if (child)
      stmt(*child);
  }

  void boundOf(const ast::ExprPtr &bound) {
    if (bound)
      add("bound: by one", bound->range, inBrackets(bound->range) + " + 1");
  }

  void stmt(const ast::Stmt &node) {
    if (const auto *block = dyn_cast<ast::BlockStmt>(&node)) {
      for (const ast::StmtPtr &child : block->statements)
        stmt(*child);
    } else if (const auto *declare = dyn_cast<ast::DeclareStmt>(&node)) {
      operand(declare->local->init);
    } else if (const auto *assign = dyn_cast<ast::AssignStmt>(&node)) {
      operand(*assign->target);
      operand(*assign->value);
    } else if (const auto *expr = dyn_cast<ast::ExprStmt>(&node)) {
      operand(*expr->expr);
    } else if (const auto *branch = dyn_cast<ast::IfStmt>(&node)) {
      guard("if", *branch->condition);
      stmt(*branch->thenBody);
      stmt(branch->elseBody);
    } else if (const auto *require = dyn_cast<ast::RequireStmt>(&node)) {
      add("require: deleted", node.range, ";" == node.range.text() ? "" : "{}");
      guard("require", *require->condition, /*mayDrop=*/false);
    } else if (const auto *wrap = dyn_cast<ast::WrappingStmt>(&node)) {
      stmt(*wrap->body);
    } else if (const auto *with = dyn_cast<ast::WithStmt>(&node)) {
      stmt(*with->body);
    } else if (const auto *choice = dyn_cast<ast::SwitchStmt>(&node)) {
      for (const ast::SwitchCase &branch : choice->cases)
        stmt(*branch.body);
    } else if (const auto *match = dyn_cast<ast::MatchStmt>(&node)) {
      for (const ast::MatchCase &branch : match->cases)
        stmt(*branch.body);
    } else {
      loop(node);
    }
  }

  void loop(const ast::Stmt &node) {
    if (const auto *each = dyn_cast<ast::ForEachStmt>(&node)) {
      boundOf(each->bound);
      operand(*each->iterable);
      stmt(*each->body);
      stmt(each->tailBody);
    } else if (const auto *range = dyn_cast<ast::ForRangeStmt>(&node)) {
      add("loop: limit by one", range->extent->range,
          inBrackets(range->extent->range) + " + 1");
      boundOf(range->bound);
      operand(*range->begin);
      operand(*range->extent);
      stmt(*range->body);
    } else if (const auto *turn = dyn_cast<ast::WhileStmt>(&node)) {
      boundOf(turn->bound);
      guard("while", *turn->condition);
      stmt(*turn->body);
    }
  }
};

} // namespace

std::vector<Mutation> spinc::fuzz::mutationsOf(const ast::Program &program) {
  Finder finder;
  finder.visit(program);
  return std::move(finder.found);
}
