// Linear expressions, constraints and formulas over numbered integer
// variables. What a variable stands for is known to Variables.h; products of
// variables are variables of their own there. All numbers are unbounded
// integers: wrap-around is never implied.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_LINEAREXPR_H
#define SPINC_DIALECT_SPIN_ANALYSIS_LINEAREXPR_H

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <utility>
#include <vector>

namespace spinc::spin {

using Integer = llvm::DynamicAPInt;
using VarId = unsigned;

/// The non-negative number whose bits are `value`.
Integer fromUnsigned(const llvm::APInt &value);
/// The number whose two's complement bits are `value`.
Integer fromSigned(const llvm::APInt &value);
/// 2^exponent.
Integer powerOfTwo(unsigned exponent);

/// constant + sum of coefficient * variable, terms sorted by variable and
/// without zero coefficients: equal expressions compare equal.
class LinearExpr {
public:
  using Term = std::pair<VarId, Integer>;

  LinearExpr() = default;
  /*implicit*/ LinearExpr(Integer constant) : constant(std::move(constant)) {}
  static LinearExpr number(int64_t value) { return LinearExpr(Integer(value)); }
  static LinearExpr variable(VarId id);

  const Integer &getConstant() const { return constant; }
  llvm::ArrayRef<Term> getTerms() const { return terms; }
  bool isConstant() const { return terms.empty(); }
  /// The only variable, if the expression is exactly that variable.
  std::optional<VarId> getIfVariable() const;
  Integer coefficient(VarId id) const;
  /// Adds `coefficient * variable`.
  void addTerm(VarId id, const Integer &coefficient);
  /// The value when variable v has the value `values(v)`.
  Integer evaluate(llvm::function_ref<Integer(VarId)> values) const;
  /// This expression with `by` in place of variable `id`.
  LinearExpr substitute(VarId id, const LinearExpr &by) const;

  /// This expression and `factor` times the other one; `factor` is not 0.
  LinearExpr plus(const LinearExpr &other, const Integer &factor) const;
  LinearExpr operator+(const LinearExpr &other) const;
  LinearExpr operator-(const LinearExpr &other) const;
  LinearExpr operator*(const Integer &factor) const;
  LinearExpr operator+(int64_t value) const {
    LinearExpr result = *this;
    result.constant += value;
    return result;
  }
  LinearExpr operator-(int64_t value) const {
    LinearExpr result = *this;
    result.constant -= value;
    return result;
  }
  bool operator==(const LinearExpr &other) const;
  bool operator!=(const LinearExpr &other) const { return !(*this == other); }
  /// An arbitrary total order, for maps.
  bool operator<(const LinearExpr &other) const;

private:
  llvm::SmallVector<Term, 3> terms;
  Integer constant = Integer(0);
};

/// expr >= 0, or expr == 0.
struct Constraint {
  LinearExpr expr;
  bool equality = false;

  bool holds(llvm::function_ref<Integer(VarId)> values) const;
};

struct Formula;

/// At least one of the alternatives holds.
struct Split {
  std::vector<Formula> alternatives;
};

/// All constraints hold, and all splits.
struct Formula {
  std::vector<Constraint> constraints;
  std::vector<Split> splits;

  static Formula never();
  static Formula atLeast(const LinearExpr &a, const LinearExpr &b);
  static Formula equal(const LinearExpr &a, const LinearExpr &b);
  static Formula either(Formula a, Formula b);

  bool isTrivial() const { return constraints.empty() && splits.empty(); }
  /// Whether a constraint without variables is false.
  bool isNever() const;
  Formula &conjoin(const Formula &other);
  /// Calls `visit` for each variable that a constraint mentions, also in the
  /// alternatives; a variable may come more than once.
  void forEachVariable(llvm::function_ref<void(VarId)> visit) const;
};

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_LINEAREXPR_H
