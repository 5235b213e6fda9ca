// The integer variables that facts about one handler talk about, each with an
// interval and what defines it. A variable's interval and definition hold
// wherever the values that it depends on have been computed; facts that hold
// only at some place in the handler are kept in HandlerFacts.h.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_VARIABLES_H
#define SPINC_DIALECT_SPIN_ANALYSIS_VARIABLES_H

#include "dialect/Spin/Analysis/LinearExpr.h"
#include "mlir/IR/Value.h"
#include <map>
#include <string>

namespace spinc::spin {

/// Inclusive bounds; an absent bound is unknown.
struct Interval {
  std::optional<Integer> low, high;

  static Interval unsignedBits(unsigned width);
  static Interval signedBits(unsigned width);
  static Interval between(int64_t low, int64_t high);
  bool within(const Interval &outer) const;
  Interval &operator+=(const Interval &other);
  Interval operator+(const Interval &other) const;
  Interval operator*(const Integer &factor) const;
  Interval intersect(const Interval &other) const;
  Interval hull(const Interval &other) const;
};

struct Variable {
  enum class Kind {
    /// An SSA value or the length of a slice; `value` says which.
    Value,
    /// Bytes of the packet after its headers; negative if it is cut short.
    PacketLength,
    /// A parameter or the size of a host region, named `symbol`.
    Param,
    HostSize,
    /// floor(dividend / divisor).
    Quotient,
    /// floor(dividend / divisorExpr), divisorExpr >= 1.
    Ratio,
    /// Product of `factors`, two or more.
    Product,
    /// Another name for `dividend`.
    Alias,
    /// A quantity from another time or handler; `symbol` names it.
    Named,
  };
  Kind kind = Kind::Value;
  Interval interval;
  Formula definition;
  mlir::Value value;
  std::string symbol;
  LinearExpr dividend, divisorExpr;
  Integer divisor = Integer(1);
  llvm::SmallVector<VarId, 2> factors;
};

class VariableTable {
public:
  VarId create(Variable variable);
  size_t size() const { return variables.size(); }
  Variable &operator[](VarId id) { return variables[id]; }
  const Variable &operator[](VarId id) const { return variables[id]; }

  /// floor(expr / divisor), divisor >= 1; exact.
  LinearExpr floorDivide(const LinearExpr &expr, const Integer &divisor);
  /// floor(dividend / divisor) where the program divides, that is, where both
  /// are non-negative and the divisor is not zero.
  LinearExpr ratio(const LinearExpr &dividend, const LinearExpr &divisor);
  /// a * b in a normal form; nothing if it has too many terms.
  std::optional<LinearExpr> multiply(const LinearExpr &a, const LinearExpr &b);
  /// A variable that is equal to `expr`, always the same one.
  LinearExpr named(const LinearExpr &expr);
  /// The number in 0 … 2^width-1 (signed: -2^(width-1) … 2^(width-1)-1) that
  /// equals `expr` modulo 2^width.
  LinearExpr wrap(const LinearExpr &expr, unsigned width);
  LinearExpr wrapSigned(const LinearExpr &expr, unsigned width);

  /// Bounds of an expression from the intervals of its variables.
  Interval interval(const LinearExpr &expr) const;

  const std::string &name(VarId id) const;
  std::string text(const LinearExpr &expr) const;
  /// The constraint with all coefficients positive, such as `i <= n - 1`
  /// written `i + 1 <= n`.
  std::string text(const Constraint &constraint) const;
  /// The interval of a variable, such as `0 <= i <= 255`.
  std::string rangeText(VarId id) const;

private:
  Interval naiveInterval(const LinearExpr &expr) const;
  std::string describe(const Variable &variable) const;
  VarId product(llvm::SmallVector<VarId, 2> factors);
  LinearExpr factor(const LinearExpr &expr);

  std::vector<Variable> variables;
  /// Those that somebody has asked for: names consist of names, and the longest
  /// ones are asked for again and again. References to them stay valid.
  mutable std::map<VarId, std::string> names;
  std::map<std::pair<LinearExpr, std::string>, VarId> quotients;
  std::map<std::pair<LinearExpr, LinearExpr>, VarId> ratios;
  std::map<llvm::SmallVector<VarId, 2>, VarId> products;
  std::map<LinearExpr, VarId> aliases;
};

/// The name that the user gave a value, or a description of what computes it.
std::string describe(mlir::Value value);
/// The user's name of a value, if it has one.
std::optional<std::string> userName(mlir::Value value);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_VARIABLES_H
