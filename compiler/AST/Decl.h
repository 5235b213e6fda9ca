// Declarations outside of bodies: imports, constants, functions, types and
// contexts with their blocks, handlers and budgets.
#ifndef SPINC_AST_DECL_H
#define SPINC_AST_DECL_H

#include "compiler/AST/Stmt.h"

namespace spinc::ast {

struct Program;

/// `import net.ipv4;` The declaration's name is the dotted path.
struct ImportDecl : Decl {
  std::vector<Identifier> path;
  /// Filled by Sema, which finds and owns the modules.
  const Program *module = nullptr;

  ImportDecl(SourceRange range, Identifier name)
      : Decl(DeclKind::Import, range, std::move(name)) {}
  static bool classof(const Decl *node) {
    return node->kind == DeclKind::Import;
  }
};

/// `const u32 N = 4;`, `const N = 4;`, `const u8 table[4] = { 1, 2, 3, 4 };`
struct ConstDecl : Decl {
  /// Null when left out.
  TypeExprPtr typeExpr;
  ExprPtr init;

  ConstDecl(SourceRange range, Identifier name)
      : Decl(DeclKind::Const, range, std::move(name)) {}
  static bool classof(const Decl *node) {
    return node->kind == DeclKind::Const;
  }
};

//===-- Types -------------------------------------------------------------===//

/// One field of a header, struct, packet or user block.
struct FieldDecl : Decl {
  TypeExprPtr typeExpr;
  /// `where` condition, if any.
  ExprPtr where;

  FieldDecl(SourceRange range, Identifier name)
      : Decl(DeclKind::Field, range, std::move(name)) {}
  static bool classof(const Decl *node) {
    return node->kind == DeclKind::Field;
  }
};
using FieldPtr = std::unique_ptr<FieldDecl>;

/// `protocol == 17` in `follows(…)`: a field of the header before, by name.
struct FollowRule {
  Identifier field;
  ExprPtr value;
};

/// `header Ipv4 sized(ihl * 4) { u4 version where version == 4; … }`
struct HeaderDecl : Decl {
  /// `sized(e)`, if written.
  ExprPtr size;
  /// `follows(protocol == 17, …)`, if written.
  std::vector<FollowRule> follows;
  std::vector<FieldPtr> fields;

  HeaderDecl(SourceRange range, Identifier name)
      : Decl(DeclKind::Header, range, std::move(name)) {}
  static bool classof(const Decl *node) {
    return node->kind == DeclKind::Header;
  }
};

struct StructDecl : Decl {
  std::vector<FieldPtr> fields;

  StructDecl(SourceRange range, Identifier name)
      : Decl(DeclKind::Struct, range, std::move(name)) {}
  static bool classof(const Decl *node) {
    return node->kind == DeclKind::Struct;
  }
};

struct EnumeratorDecl : Decl {
  /// Null when left out: one more than the enumerator before.
  ExprPtr init;
  /// Filled by Sema.
  std::optional<llvm::APSInt> value;

  EnumeratorDecl(SourceRange range, Identifier name)
      : Decl(DeclKind::Enumerator, range, std::move(name)) {}
  static bool classof(const Decl *node) {
    return node->kind == DeclKind::Enumerator;
  }
};

/// `enum Kind : u8 { A = 1, B }`
struct EnumDecl : Decl {
  /// Null when left out.
  TypeExprPtr underlying;
  std::vector<std::unique_ptr<EnumeratorDecl>> enumerators;

  EnumDecl(SourceRange range, Identifier name)
      : Decl(DeclKind::Enum, range, std::move(name)) {}
  static bool classof(const Decl *node) { return node->kind == DeclKind::Enum; }
};

//===-- Budgets, functions, handlers --------------------------------------===//

enum class BudgetKind {
  Cycles,
  LineRate,
  Commands,
  Stack,
  Occupancy,
  Contention
};

/// `cycles <= e`, `line_rate`, …
struct BudgetClause {
  BudgetKind kind = BudgetKind::Cycles;
  SourceRange range;
  /// Null for line_rate.
  ExprPtr limit;
};

/// `pieces = p.length / state.block + 2` after a budget's `where`.
struct BudgetNameDecl : Decl {
  ExprPtr init;

  BudgetNameDecl(SourceRange range, Identifier name)
      : Decl(DeclKind::BudgetName, range, std::move(name)) {}
  static bool classof(const Decl *node) {
    return node->kind == DeclKind::BudgetName;
  }
};

struct Budget {
  SourceRange range;
  std::vector<BudgetClause> clauses;
  std::vector<std::unique_ptr<BudgetNameDecl>> names;
};

enum class PassMode { Value, InOut };

struct ParameterDecl : Decl {
  PassMode mode = PassMode::Value;
  TypeExprPtr typeExpr;
  /// Of a slice: whether its function writes its elements. Filled by Sema.
  bool isWritten = false;

  ParameterDecl(SourceRange range, Identifier name)
      : Decl(DeclKind::Parameter, range, std::move(name)) {}
  static bool classof(const Decl *node) {
    return node->kind == DeclKind::Parameter;
  }
};
using ParameterPtr = std::unique_ptr<ParameterDecl>;

/// `u32 add(u32 a, inout u32 b, u8[] data) budget(cycles <= 9) { … }`
struct FunctionDecl : Decl {
  /// Named type `void` for none.
  TypeExprPtr resultType;
  std::vector<ParameterPtr> parameters;
  std::optional<Budget> budget;
  std::unique_ptr<BlockStmt> body;
  /// Whether a call runs loops, and whether one of them may end the handler, as
  /// `bound(n)` says. Filled by Sema.
  bool hasLoop = false;
  bool mayFail = false;

  FunctionDecl(SourceRange range, Identifier name)
      : Decl(DeclKind::Function, range, std::move(name)) {}
  static bool classof(const Decl *node) {
    return node->kind == DeclKind::Function;
  }
};

enum class HandlerKind { Header, Payload, Completion };
llvm::StringRef spelling(HandlerKind kind);

/// `handler payload(packet p) budget(…) { … }`. The name is the kind's word.
struct HandlerDecl : Decl {
  HandlerKind handlerKind;
  ParameterPtr parameter;
  std::optional<Budget> budget;
  std::unique_ptr<BlockStmt> body;

  HandlerDecl(HandlerKind handlerKind, SourceRange range, Identifier name)
      : Decl(DeclKind::Handler, range, std::move(name)),
        handlerKind(handlerKind) {}
  static bool classof(const Decl *node) {
    return node->kind == DeclKind::Handler;
  }
};

//===-- Contexts ----------------------------------------------------------===//

enum class StateKind { Param, Plain, Atomic, PerHpu, Guarded };
enum class Placement { Default, L1, L2 };

/// One field of `state { … }`. Locks and counters are plain fields of those
/// types.
struct StateFieldDecl : Decl {
  StateKind stateKind = StateKind::Plain;
  /// `per_cluster` before `atomic`.
  bool perCluster = false;
  /// The lock of `guarded(lock)`.
  std::optional<Identifier> lock;
  const StateFieldDecl *lockDecl = nullptr;
  TypeExprPtr typeExpr;
  /// `where` condition, if any.
  ExprPtr where;
  Placement placement = Placement::Default;

  StateFieldDecl(SourceRange range, Identifier name)
      : Decl(DeclKind::StateField, range, std::move(name)) {}
  static bool classof(const Decl *node) {
    return node->kind == DeclKind::StateField;
  }
};

/// `host dst;`
struct HostDecl : Decl {
  HostDecl(SourceRange range, Identifier name)
      : Decl(DeclKind::Host, range, std::move(name)) {}
  static bool classof(const Decl *node) { return node->kind == DeclKind::Host; }
};

/// `match { udp.dst_port == 9330; … }` (all must hold) or
/// `match portals { bits: 10, ignore: 0 }`.
struct MatchBlock {
  SourceRange range;
  bool isPortals = false;
  std::vector<ExprPtr> conditions;
  std::vector<Argument> portals;
};

/// `packet { Ipv4 ip; u8 payload[]; }` and `user { u32 client; }`.
struct FieldBlock {
  SourceRange range;
  std::vector<FieldPtr> fields;
};

struct StateBlock {
  SourceRange range;
  std::vector<std::unique_ptr<StateFieldDecl>> fields;
};

/// `contract e;`
struct Contract {
  SourceRange range;
  ExprPtr condition;
};

struct ContextDecl : Decl {
  std::optional<MatchBlock> match;
  std::optional<FieldBlock> packet;
  std::optional<FieldBlock> user;
  std::optional<StateBlock> state;
  std::vector<std::unique_ptr<HostDecl>> hosts;
  std::vector<Contract> contracts;
  /// In source order; Sema checks that each kind occurs once.
  std::vector<std::unique_ptr<HandlerDecl>> handlers;

  ContextDecl(SourceRange range, Identifier name)
      : Decl(DeclKind::Context, range, std::move(name)) {}
  static bool classof(const Decl *node) {
    return node->kind == DeclKind::Context;
  }
};

} // namespace spinc::ast

#endif // SPINC_AST_DECL_H
