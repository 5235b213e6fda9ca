// A repair must leave a program that parses. So a guard is only taken if each
// of its words is one that the program could say at that place, and statements
// that stand without braces get none that needs a statement of its own.
#include "compiler/Driver/Repairs.h"

#include "compiler/AST/Walk.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::ast;

namespace {

/// Where a diagnostic is in the program.
struct Site {
  const HandlerDecl *handler = nullptr;
  const Stmt *statement = nullptr;
  /// The statement that `statement` is in; null for the body itself.
  const Stmt *parent = nullptr;
  /// Whether it stands without braces before an `else` of what it is in.
  bool isBeforeElse = false;
  /// The innermost expression of exactly the diagnostic's range.
  const Expr *expr = nullptr;
  /// The written cast of it.
  const CastExpr *cast = nullptr;
};

bool contains(SourceRange outer, SourceRange inner) {
  return outer.file == inner.file && outer.begin <= inner.begin &&
         inner.end <= outer.end;
}

/// Whether an `else` of `parent` follows `stmt`.
bool isBeforeElse(const Stmt &stmt, const Stmt &parent) {
  if (const auto *branch = dyn_cast<IfStmt>(&parent))
    return branch->elseBody && branch->thenBody.get() == &stmt;
  const auto *chunks = dyn_cast<ForEachStmt>(&parent);
  return chunks && chunks->tailBody && chunks->body.get() == &stmt;
}

class SiteFinder {
public:
  explicit SiteFinder(SourceRange range) : range(range) {}

  Site find(const Program &program) {
    for (const auto &decl : program.decls) {
      if (const auto *function = dyn_cast<FunctionDecl>(decl.get()))
        enterBody(*function->body);
      const auto *context = dyn_cast<ContextDecl>(decl.get());
      if (!context)
        continue;
      for (const auto &handler : context->handlers)
        if (contains(handler->range, range)) {
          site.handler = handler.get();
          enterBody(*handler->body);
        }
    }
    return site;
  }

private:
  void enterBody(const BlockStmt &body) {
    if (contains(body.range, range))
      enter(body, nullptr);
  }

  void enter(const Stmt &stmt, const Stmt *parent) {
    site.statement = &stmt;
    site.parent = parent;
    site.isBeforeElse = !isa<BlockStmt>(stmt) && parent &&
                        (site.isBeforeElse || isBeforeElse(stmt, *parent));
    forEachExpr(stmt, [&](const Expr &expr) { enter(expr); });
    forEachStmt(stmt, [&](const Stmt &inner) {
      if (contains(inner.range, range))
        enter(inner, &stmt);
    });
  }

  void enter(const Expr &expr) {
    if (!contains(expr.range, range))
      return;
    // Casts that Sema adds have the range of their operand.
    const auto *cast = dyn_cast<CastExpr>(&expr);
    bool isWritten = cast && !cast->isImplicit();
    if (isWritten && (cast->operand->range == range || expr.range == range))
      site.cast = cast;
    if (expr.range == range && (!cast || isWritten))
      site.expr = &expr;
    forEachOperand(expr, [&](const Expr &operand) { enter(operand); });
  }

  SourceRange range;
  Site site;
};

/// Messages call some values by words that are no expression ("part of bin").
/// In code two words never follow each other with only a blank between.
bool isCode(StringRef text) {
  bool afterWord = false, afterBlank = false;
  for (char c : text) {
    bool inWord = isAlnum(c) || c == '_';
    if (inWord && afterWord && afterBlank)
      return false;
    if (c == ' ') {
      afterBlank = true;
      continue;
    }
    afterWord = inWord;
    afterBlank = false;
  }
  return !text.empty() && text.count('(') == text.count(')');
}

/// The text between the first two backquotes of the "fix" lines.
StringRef quotedCode(const Diagnostic &diagnostic) {
  for (StringRef fix : diagnostic.fixes) {
    StringRef code = fix.split('`').second.split('`').first;
    if (!code.empty())
      return code;
  }
  return "";
}

/// The condition of a quoted `if (c)` or `require (c) else return DROP;`.
StringRef guardCondition(StringRef code) {
  if (code.consume_front("if (") && code.consume_back(")"))
    return isCode(code) ? code : "";
  if (code.consume_front("require (") &&
      code.consume_back(") else return DROP;"))
    return isCode(code) ? code : "";
  return "";
}

/// Statements that may simply not happen.
bool isSimple(const Stmt &stmt) { return isa<AssignStmt, ExprStmt>(stmt); }

StringRef indentation(SourceRange place) {
  StringRef before = place.file->text().take_front(place.begin);
  StringRef line = before.drop_front(before.rfind('\n') + 1);
  return line.take_while([](char c) { return c == ' ' || c == '\t'; });
}

/// Whether the condition may hold and fail again between two rounds.
bool isLoopHead(const Site &site, SourceRange range) {
  const auto *loop = dyn_cast<WhileStmt>(site.statement);
  return loop && contains(loop->condition->range, range);
}

std::vector<FixIt> guard(const Site &site, SourceRange range,
                         StringRef condition) {
  SourceRange place = site.statement->range;
  place.end = place.begin;
  if (isSimple(*site.statement) && site.isBeforeElse) {
    SourceRange end = site.statement->range;
    end.begin = end.end;
    return {{place, ("{ if (" + condition + ") ").str()}, {end, " }"}};
  }
  if (isSimple(*site.statement))
    return {{place, ("if (" + condition + ") ").str()}};
  bool standsInBlock = site.parent && isa<BlockStmt>(site.parent);
  if (!site.handler || !standsInBlock || isLoopHead(site, range))
    return {};
  bool isPayload = site.handler->handlerKind == HandlerKind::Payload;
  return {{place, ("require (" + condition + ") else return " +
                   (isPayload ? "DROP" : "FAIL") + ";\n" + indentation(place))
                      .str()}};
}

/// `+` becomes `+%`: the result keeps the low bits.
std::vector<FixIt> wrapOperator(const Site &site) {
  SourceRange place;
  BinaryOp op;
  if (const auto *binary = dyn_cast_or_null<BinaryExpr>(site.expr)) {
    place = binary->opRange;
    op = binary->op;
  } else if (const auto *assign = dyn_cast<AssignStmt>(site.statement);
             assign && assign->op) {
    place = assign->opRange;
    op = *assign->op;
  } else {
    return {};
  }
  if (op != BinaryOp::Add && op != BinaryOp::Sub && op != BinaryOp::Mul &&
      op != BinaryOp::Shl)
    return {};
  StringRef written = place.text();
  if (written == "++" || written == "--")
    return {{place, (" " + written.take_front() + "%= 1").str()}};
  size_t head = spelling(op).size();
  if (!written.starts_with(spelling(op)))
    return {};
  return {{place,
           (written.take_front(head) + "%" + written.drop_front(head)).str()}};
}

/// The text of `expr` as one operand. The range of an expression has the
/// parentheses that it is written in.
std::string parenthesized(const Expr &expr) {
  StringRef text = expr.range.text();
  if (isa<NameExpr, FieldExpr, IndexExpr>(expr))
    return text.str();
  int depth = 0;
  size_t closed = 0;
  for (size_t i = 0; i < text.size() && !closed; ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0)
      closed = i + 1;
  }
  return closed == text.size() && text.size() > 1 ? text.str()
                                                  : ("(" + text + ")").str();
}

/// `x as u8` becomes `(x & 0xFF) as u8`.
std::vector<FixIt> maskCast(const Site &site) {
  const CastExpr *cast = site.cast;
  if (!cast)
    return {};
  StringRef target = cast->target->range.text();
  unsigned bits;
  if (!target.consume_front("u") || target.getAsInteger(10, bits) ||
      bits == 0 || bits >= 64)
    return {};
  std::string whole = parenthesized(*cast->operand);
  std::string mask = utohexstr((uint64_t(1) << bits) - 1);
  return {{cast->operand->range, "(" + whole + " & 0x" + mask + ")"}};
}

/// `x << n` becomes `x << (n & 31)`.
std::vector<FixIt> maskShift(const Site &site, StringRef mask) {
  const auto *binary = dyn_cast_or_null<BinaryExpr>(site.expr);
  if (!binary || !isCode(mask))
    return {};
  return {{binary->right->range, ("(" + mask + ")").str()}};
}

} // namespace

std::vector<FixIt> driver::findRepairs(const Diagnostic &diagnostic,
                                       const Program &program) {
  if (!diagnostic.fixIts.empty() || diagnostic.range.file != program.file ||
      !diagnostic.range.isValid())
    return {};
  Site site = SiteFinder(diagnostic.range).find(program);
  if (!site.statement)
    return {};
  if (diagnostic.code == diag::MayOverflow.code)
    return wrapOperator(site);
  if (diagnostic.code == diag::MayNarrow.code)
    return maskCast(site);
  StringRef code = quotedCode(diagnostic);
  if (diagnostic.code == diag::ShiftAmount.code)
    return maskShift(site, code);
  StringRef condition = guardCondition(code);
  return condition.empty() ? std::vector<FixIt>()
                           : guard(site, diagnostic.range, condition);
}
