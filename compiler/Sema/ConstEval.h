// Constant arithmetic in 128 signed bits, wide enough that no operation on two
// 64-bit numbers is lost; what does not fit is reported by the caller.
#pragma once

#include "compiler/AST/Ast.h"
#include "compiler/Sema/Types.h"

#include "llvm/ADT/DenseMap.h"

namespace spinc::sema {

using Number = llvm::APSInt; // always 128 bits, signed

Number number(int64_t value);
Number unsignedNumber(uint64_t value);
/// A stored constant, whatever its width, as a Number.
Number widen(const llvm::APSInt &value);
/// `value` as wide as `type`, to be stored in an Expr.
llvm::APSInt narrow(const Number &value, const IntType *type);

Number minimumOf(const IntType *type);
Number maximumOf(const IntType *type);
bool fits(const Number &value, const IntType *type);
std::string toString(const Number &value);

/// Why an operation on constants has no result.
enum class FoldProblem { None, Overflow, DivisionByZero, ShiftAmount };

/// l op r for arithmetic, bit and comparison operators (those give 0 or 1).
/// Shifts and wrapping operators need the type they work in.
std::optional<Number> fold(ast::BinaryOp op, const Number &l, const Number &r,
                           const IntType *type, FoldProblem &problem);

/// Values of names during evaluate().
using Bindings = llvm::DenseMap<const ast::Decl *, Number>;

/// The mathematical value of a checked expression under `bindings`; none if it
/// reads anything else or has no value.
std::optional<Number> evaluate(const ast::Expr &expr, const Bindings &bindings);

} // namespace spinc::sema
