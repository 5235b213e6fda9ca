// Statements of the AST, and the declarations that live inside bodies. Nodes
// own their children; nothing here has behaviour.
#ifndef SPINC_AST_STMT_H
#define SPINC_AST_STMT_H

#include "compiler/AST/Expr.h"

namespace spinc::ast {

enum class DeclKind {
  Import,
  Const,
  Function,
  Parameter,
  Header,
  Struct,
  Field,
  Enum,
  Enumerator,
  Context,
  StateField,
  Host,
  Handler,
  BudgetName,
  Local,
};

/// What a name can mean.
struct Decl {
  const DeclKind kind;
  SourceRange range;
  Identifier name;
  const Type *type = nullptr;

  Decl(DeclKind kind, SourceRange range, Identifier name)
      : kind(kind), range(range), name(std::move(name)) {}
  virtual ~Decl() = default;
};

enum class LocalKind {
  Let,     // let x = e;          fixed
  Var,     // u32 x = e;          may be assigned
  Memory,  // local u8 old[MTU];  an array in HPU-local memory
  View,    // view b = strided(…);
  Loop,    // for (x : …)         fixed in each round
  Tail,    // … else (tail)
  Matched, // case Udp u:
};

/// A name declared in a body.
struct LocalDecl : Decl {
  LocalKind localKind;
  /// Written type, if any.
  TypeExprPtr typeExpr;
  /// Initial value, if any.
  ExprPtr init;

  LocalDecl(LocalKind localKind, SourceRange range, Identifier name)
      : Decl(DeclKind::Local, range, std::move(name)), localKind(localKind) {}
  static bool classof(const Decl *node) {
    return node->kind == DeclKind::Local;
  }
};

enum class StmtKind {
  Block,
  Declare,
  Assign,
  Expression,
  If,
  ForEach,
  ForRange,
  While,
  Require,
  Return,
  With,
  Wrapping,
  Switch,
  Match,
  Break,
  Continue,
};

struct Stmt {
  const StmtKind kind;
  SourceRange range;

  Stmt(StmtKind kind, SourceRange range) : kind(kind), range(range) {}
  virtual ~Stmt() = default;
};
using StmtPtr = std::unique_ptr<Stmt>;
using LocalPtr = std::unique_ptr<LocalDecl>;

struct BlockStmt : Stmt {
  std::vector<StmtPtr> statements;

  explicit BlockStmt(SourceRange range) : Stmt(StmtKind::Block, range) {}
  static bool classof(const Stmt *node) {
    return node->kind == StmtKind::Block;
  }
};

/// let, typed local, `local` array, view.
struct DeclareStmt : Stmt {
  LocalPtr local;

  DeclareStmt(SourceRange range, LocalPtr local)
      : Stmt(StmtKind::Declare, range), local(std::move(local)) {}
  static bool classof(const Stmt *node) {
    return node->kind == StmtKind::Declare;
  }
};

/// `target = value` or `target op= value`; `x++` is `x += 1`.
struct AssignStmt : Stmt {
  ExprPtr target;
  /// The operator of a compound assignment.
  std::optional<BinaryOp> op;
  SourceRange opRange;
  ExprPtr value;

  AssignStmt(SourceRange range, ExprPtr target, std::optional<BinaryOp> op,
             SourceRange opRange, ExprPtr value)
      : Stmt(StmtKind::Assign, range), target(std::move(target)), op(op),
        opRange(opRange), value(std::move(value)) {}
  static bool classof(const Stmt *node) {
    return node->kind == StmtKind::Assign;
  }
};

struct ExprStmt : Stmt {
  ExprPtr expr;

  ExprStmt(SourceRange range, ExprPtr expr)
      : Stmt(StmtKind::Expression, range), expr(std::move(expr)) {}
  static bool classof(const Stmt *node) {
    return node->kind == StmtKind::Expression;
  }
};

struct IfStmt : Stmt {
  ExprPtr condition;
  StmtPtr thenBody;
  /// Null without `else`.
  StmtPtr elseBody;

  explicit IfStmt(SourceRange range) : Stmt(StmtKind::If, range) {}
  static bool classof(const Stmt *node) { return node->kind == StmtKind::If; }
};

/// `for (T x : iterable) body`, with `else (tail) tailBody` after chunks.
struct ForEachStmt : Stmt {
  LocalPtr variable;
  ExprPtr iterable;
  /// `bound(n)`, if written.
  ExprPtr bound;
  StmtPtr body;
  /// The remainder of `s.chunks(n)`; null without `else (tail)`.
  LocalPtr tail;
  StmtPtr tailBody;

  explicit ForEachStmt(SourceRange range) : Stmt(StmtKind::ForEach, range) {}
  static bool classof(const Stmt *node) {
    return node->kind == StmtKind::ForEach;
  }
};

/// `for (i : begin ..< end step k) body`, or `begin ..+ count`.
struct ForRangeStmt : Stmt {
  LocalPtr variable;
  ExprPtr begin;
  RangeForm form = RangeForm::ToEnd;
  /// The excluded end, or the length.
  ExprPtr extent;
  /// Null means 1.
  ExprPtr step;
  /// `bound(n)`, if written.
  ExprPtr bound;
  StmtPtr body;

  explicit ForRangeStmt(SourceRange range) : Stmt(StmtKind::ForRange, range) {}
  static bool classof(const Stmt *node) {
    return node->kind == StmtKind::ForRange;
  }
};

struct WhileStmt : Stmt {
  ExprPtr condition;
  /// `bound(n)`, if written.
  ExprPtr bound;
  StmtPtr body;

  explicit WhileStmt(SourceRange range) : Stmt(StmtKind::While, range) {}
  static bool classof(const Stmt *node) {
    return node->kind == StmtKind::While;
  }
};

/// `require (condition) else return result;`
struct RequireStmt : Stmt {
  ExprPtr condition;
  /// Null for a plain `return` in a function without result.
  ExprPtr result;

  explicit RequireStmt(SourceRange range) : Stmt(StmtKind::Require, range) {}
  static bool classof(const Stmt *node) {
    return node->kind == StmtKind::Require;
  }
};

struct ReturnStmt : Stmt {
  /// Null for a plain `return`.
  ExprPtr result;

  explicit ReturnStmt(SourceRange range) : Stmt(StmtKind::Return, range) {}
  static bool classof(const Stmt *node) {
    return node->kind == StmtKind::Return;
  }
};

/// `with (lock) body`: the body runs with the lock held.
struct WithStmt : Stmt {
  ExprPtr lock;
  StmtPtr body;
  bool isShared = false; // after Sema: `with (lock.shared)`

  explicit WithStmt(SourceRange range) : Stmt(StmtKind::With, range) {}
  static bool classof(const Stmt *node) { return node->kind == StmtKind::With; }
};

/// `wrapping { … }`: + - * << inside wrap.
struct WrappingStmt : Stmt {
  StmtPtr body;

  explicit WrappingStmt(SourceRange range) : Stmt(StmtKind::Wrapping, range) {}
  static bool classof(const Stmt *node) {
    return node->kind == StmtKind::Wrapping;
  }
};

/// `case 1, 2: …` or `default: …`. A case never falls into the next one.
struct SwitchCase {
  SourceRange range;
  /// Empty for `default`.
  std::vector<ExprPtr> values;
  std::unique_ptr<BlockStmt> body;
};

struct SwitchStmt : Stmt {
  ExprPtr subject;
  std::vector<SwitchCase> cases;

  explicit SwitchStmt(SourceRange range) : Stmt(StmtKind::Switch, range) {}
  static bool classof(const Stmt *node) {
    return node->kind == StmtKind::Switch;
  }
};

/// `case Udp u: …` or `default: …`.
struct MatchCase {
  SourceRange range;
  /// Null for `default`; its typeExpr is the header kind.
  LocalPtr variable;
  std::unique_ptr<BlockStmt> body;
};

/// `match (p.transport) { case Udp u: … }`: which header a place holds.
struct MatchStmt : Stmt {
  ExprPtr subject;
  std::vector<MatchCase> cases;

  explicit MatchStmt(SourceRange range) : Stmt(StmtKind::Match, range) {}
  static bool classof(const Stmt *node) {
    return node->kind == StmtKind::Match;
  }
};

struct BreakStmt : Stmt {
  explicit BreakStmt(SourceRange range) : Stmt(StmtKind::Break, range) {}
  static bool classof(const Stmt *node) {
    return node->kind == StmtKind::Break;
  }
};

struct ContinueStmt : Stmt {
  explicit ContinueStmt(SourceRange range) : Stmt(StmtKind::Continue, range) {}
  static bool classof(const Stmt *node) {
    return node->kind == StmtKind::Continue;
  }
};

} // namespace spinc::ast

#endif // SPINC_AST_STMT_H
