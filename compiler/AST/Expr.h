// Expressions and written types of the AST: plain nodes with a kind tag for
// llvm::isa/cast, a source range, and the slots that Sema fills. The parser
// leaves every slot empty; after Sema each expression has a type and each name
// its declaration.
#ifndef SPINC_AST_EXPR_H
#define SPINC_AST_EXPR_H

#include "compiler/Source/SourceFile.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/Support/Casting.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace spinc {
/// A checked type; compiler/Sema/Types.h.
class Type;
/// A library function, member or constant; compiler/Sema. Zero is "none".
enum class Builtin : uint16_t;
} // namespace spinc

namespace spinc::ast {

struct Decl;
struct Expr;
struct TypeExpr;
using ExprPtr = std::unique_ptr<Expr>;
using TypeExprPtr = std::unique_ptr<TypeExpr>;

/// A written word and its place.
struct Identifier {
  std::string text;
  SourceRange range;
};

//===-- Written types -----------------------------------------------------===//

enum class TypeExprKind { Named, Array, Slice, OneOf };

struct TypeExpr {
  const TypeExprKind kind;
  SourceRange range;
  const Type *type = nullptr;

  TypeExpr(TypeExprKind kind, SourceRange range) : kind(kind), range(range) {}
  virtual ~TypeExpr() = default;
};

/// `u32`, `u4`, `le32`, `process`, `Ipv4`, …
struct NamedTypeExpr : TypeExpr {
  std::string name;
  Decl *decl = nullptr;

  NamedTypeExpr(SourceRange range, std::string name)
      : TypeExpr(TypeExprKind::Named, range), name(std::move(name)) {}
  static bool classof(const TypeExpr *node) {
    return node->kind == TypeExprKind::Named;
  }
};

/// `T[size]`, also written after the name: `u32 bin[1024]`.
struct ArrayTypeExpr : TypeExpr {
  TypeExprPtr element;
  ExprPtr size;

  ArrayTypeExpr(SourceRange range, TypeExprPtr element, ExprPtr size)
      : TypeExpr(TypeExprKind::Array, range), element(std::move(element)),
        size(std::move(size)) {}
  static bool classof(const TypeExpr *node) {
    return node->kind == TypeExprKind::Array;
  }
};

/// `T[]`, also written after the name: `u8 payload[]`.
struct SliceTypeExpr : TypeExpr {
  TypeExprPtr element;

  SliceTypeExpr(SourceRange range, TypeExprPtr element)
      : TypeExpr(TypeExprKind::Slice, range), element(std::move(element)) {}
  static bool classof(const TypeExpr *node) {
    return node->kind == TypeExprKind::Slice;
  }
};

/// `Udp | Tcp`: a place in the packet that holds one of several headers.
struct OneOfTypeExpr : TypeExpr {
  std::vector<TypeExprPtr> alternatives;

  explicit OneOfTypeExpr(SourceRange range)
      : TypeExpr(TypeExprKind::OneOf, range) {}
  static bool classof(const TypeExpr *node) {
    return node->kind == TypeExprKind::OneOf;
  }
};

//===-- Expressions -------------------------------------------------------===//

enum class ExprKind {
  IntLiteral,
  FloatLiteral,
  BoolLiteral,
  NoneLiteral,
  Name,
  Field,
  Index,
  Slice,
  Unary,
  Binary,
  Conditional,
  Cast,
  Call,
  InitList,
  Sizeof,
};

struct Expr {
  const ExprKind kind;
  SourceRange range;
  const Type *type = nullptr;
  /// The value of an integer, bool or enum constant, as wide as its type.
  std::optional<llvm::APSInt> value;

  Expr(ExprKind kind, SourceRange range) : kind(kind), range(range) {}
  virtual ~Expr() = default;
};

/// `12`, `0xFF`, `0b1010`, `1_000`, `64Ki`, `1Mi`, `400G`, `'a'`; `number` has
/// the suffix multiplied in.
struct IntLiteral : Expr {
  uint64_t number;
  bool isCharacter = false;

  IntLiteral(SourceRange range, uint64_t number)
      : Expr(ExprKind::IntLiteral, range), number(number) {}
  static bool classof(const Expr *node) {
    return node->kind == ExprKind::IntLiteral;
  }
};

struct FloatLiteral : Expr {
  double number;
  /// As written, to be rounded to the type that it turns out to have.
  std::string digits;

  FloatLiteral(SourceRange range, double number, std::string digits)
      : Expr(ExprKind::FloatLiteral, range), number(number),
        digits(std::move(digits)) {}
  static bool classof(const Expr *node) {
    return node->kind == ExprKind::FloatLiteral;
  }
};

struct BoolLiteral : Expr {
  bool truth;

  BoolLiteral(SourceRange range, bool truth)
      : Expr(ExprKind::BoolLiteral, range), truth(truth) {}
  static bool classof(const Expr *node) {
    return node->kind == ExprKind::BoolLiteral;
  }
};

/// `none`: no data, in `put(none, …)`.
struct NoneLiteral : Expr {
  explicit NoneLiteral(SourceRange range)
      : Expr(ExprKind::NoneLiteral, range) {}
  static bool classof(const Expr *node) {
    return node->kind == ExprKind::NoneLiteral;
  }
};

/// A name: variable, constant, context member (`state`, `dst`), function,
/// return code, enumerator, builtin object (`hpu`, `cluster`).
struct NameExpr : Expr {
  std::string name;
  Decl *decl = nullptr;
  Builtin builtin{};

  NameExpr(SourceRange range, std::string name)
      : Expr(ExprKind::Name, range), name(std::move(name)) {}
  static bool classof(const Expr *node) { return node->kind == ExprKind::Name; }
};

/// `base.member`. `decl` is the field, state variable or enumerator meant;
/// `builtin` the library member (`p.length`, `hpu.id`, `s.fetch_add`).
struct FieldExpr : Expr {
  ExprPtr base;
  Identifier member;
  Decl *decl = nullptr;
  Builtin builtin{};

  FieldExpr(SourceRange range, ExprPtr base, Identifier member)
      : Expr(ExprKind::Field, range), base(std::move(base)),
        member(std::move(member)) {}
  static bool classof(const Expr *node) {
    return node->kind == ExprKind::Field;
  }
};

/// `base[index]`.
struct IndexExpr : Expr {
  ExprPtr base;
  ExprPtr index;

  IndexExpr(SourceRange range, ExprPtr base, ExprPtr index)
      : Expr(ExprKind::Index, range), base(std::move(base)),
        index(std::move(index)) {}
  static bool classof(const Expr *node) {
    return node->kind == ExprKind::Index;
  }
};

/// How a range is written: `a ..< b` (end excluded) or `a ..+ n` (length).
enum class RangeForm { ToEnd, Length };

/// `base[begin ..< end]` or `base[begin ..+ length]`.
struct SliceExpr : Expr {
  ExprPtr base;
  ExprPtr begin;
  RangeForm form;
  /// The excluded end, or the length.
  ExprPtr extent;

  SliceExpr(SourceRange range, ExprPtr base, ExprPtr begin, RangeForm form,
            ExprPtr extent)
      : Expr(ExprKind::Slice, range), base(std::move(base)),
        begin(std::move(begin)), form(form), extent(std::move(extent)) {}
  static bool classof(const Expr *node) {
    return node->kind == ExprKind::Slice;
  }
};

enum class UnaryOp { Negate, Not, BitNot };

struct UnaryExpr : Expr {
  UnaryOp op;
  ExprPtr operand;

  UnaryExpr(SourceRange range, UnaryOp op, ExprPtr operand)
      : Expr(ExprKind::Unary, range), op(op), operand(std::move(operand)) {}
  static bool classof(const Expr *node) {
    return node->kind == ExprKind::Unary;
  }
};

enum class BinaryOp {
  Add, // + - * / %: proved not to overflow, divisor proved non-zero
  Sub,
  Mul,
  Div,
  Rem,
  WrapAdd, // +% -% *% <<%
  WrapSub,
  WrapMul,
  WrapShl,
  SatAdd, // +| -|
  SatSub,
  Shl,
  Shr,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  BitAnd,
  BitXor,
  BitOr,
  And, // && and ||: the right side only if the left does not decide
  Or,
};

/// The operator as it is written, without blanks.
llvm::StringRef spelling(BinaryOp op);
llvm::StringRef spelling(UnaryOp op);

struct BinaryExpr : Expr {
  BinaryOp op;
  SourceRange opRange;
  ExprPtr left;
  ExprPtr right;

  BinaryExpr(SourceRange range, BinaryOp op, SourceRange opRange, ExprPtr left,
             ExprPtr right)
      : Expr(ExprKind::Binary, range), op(op), opRange(opRange),
        left(std::move(left)), right(std::move(right)) {}
  static bool classof(const Expr *node) {
    return node->kind == ExprKind::Binary;
  }
};

/// `condition ? whenTrue : whenFalse`.
struct ConditionalExpr : Expr {
  ExprPtr condition;
  ExprPtr whenTrue;
  ExprPtr whenFalse;

  ConditionalExpr(SourceRange range, ExprPtr condition, ExprPtr whenTrue,
                  ExprPtr whenFalse)
      : Expr(ExprKind::Conditional, range), condition(std::move(condition)),
        whenTrue(std::move(whenTrue)), whenFalse(std::move(whenFalse)) {}
  static bool classof(const Expr *node) {
    return node->kind == ExprKind::Conditional;
  }
};

/// `operand as T`, `operand as le32[]`. Sema also inserts implicit casts; those
/// have no written target.
struct CastExpr : Expr {
  ExprPtr operand;
  TypeExprPtr target;

  CastExpr(SourceRange range, ExprPtr operand, TypeExprPtr target)
      : Expr(ExprKind::Cast, range), operand(std::move(operand)),
        target(std::move(target)) {}
  bool isImplicit() const { return !target; }
  static bool classof(const Expr *node) { return node->kind == ExprKind::Cast; }
};

/// An argument, with the name of `name: value` if it is written.
struct Argument {
  std::optional<Identifier> name;
  ExprPtr value;
};

/// `callee(arguments)`, with `async` before it for an asynchronous action.
struct CallExpr : Expr {
  bool isAsync = false;
  ExprPtr callee;
  std::vector<Argument> arguments;
  /// The function called, unless it is a builtin.
  Decl *decl = nullptr;
  Builtin builtin{};

  CallExpr(SourceRange range, ExprPtr callee)
      : Expr(ExprKind::Call, range), callee(std::move(callee)) {}
  static bool classof(const Expr *node) { return node->kind == ExprKind::Call; }
};

/// `{ 1, 2, 3 }` or `{ x: 1, y: 2 }`, only as an initial value.
struct InitListExpr : Expr {
  std::vector<Argument> elements;

  explicit InitListExpr(SourceRange range) : Expr(ExprKind::InitList, range) {}
  static bool classof(const Expr *node) {
    return node->kind == ExprKind::InitList;
  }
};

/// `sizeof(T)`: bytes of a type.
struct SizeofExpr : Expr {
  TypeExprPtr operand;

  SizeofExpr(SourceRange range, TypeExprPtr operand)
      : Expr(ExprKind::Sizeof, range), operand(std::move(operand)) {}
  static bool classof(const Expr *node) {
    return node->kind == ExprKind::Sizeof;
  }
};

} // namespace spinc::ast

#endif // SPINC_AST_EXPR_H
