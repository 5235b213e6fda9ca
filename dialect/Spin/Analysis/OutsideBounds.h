// Bounds on expressions of a handler in terms of quantities that have a meaning
// outside of it: `p.length`, parameters, and quotients of `p.length` by a
// parameter. Each other variable is replaced by a bound in the direction that
// keeps the whole a bound.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_OUTSIDEBOUNDS_H
#define SPINC_DIALECT_SPIN_ANALYSIS_OUTSIDEBOUNDS_H

#include "dialect/Spin/Analysis/HandlerFacts.h"

namespace spinc::spin {

/// Bounds beyond this are no help, and 64-bit arithmetic on them might fail.
inline constexpr int64_t largestCount = int64_t(1) << 32;

/// To be asked while `facts` is where the expression is.
class OutsideBounds {
public:
  explicit OutsideBounds(HandlerFacts &facts);

  /// At least `expr`, over quantities that are known outside.
  std::optional<LinearExpr> above(const LinearExpr &expr) {
    return bound(expr, /*upper=*/true, 0);
  }
  /// `expr`, one of these, plus the least number that keeps it from being
  /// negative for any packet and installation, if a small one does.
  std::optional<LinearExpr> madeNonNegative(const LinearExpr &expr);
  /// Whether `goal` holds for every packet and every installation.
  bool isAlways(const Constraint &goal) const;
  std::optional<BoundAttr> toAttribute(const LinearExpr &expr);

private:
  std::optional<LinearExpr> bound(const LinearExpr &expr, bool upper,
                                  unsigned depth);
  std::optional<LinearExpr> boundTerm(VarId id, bool upper, unsigned depth);
  std::optional<LinearExpr> boundValue(VarId id, bool upper, unsigned depth);
  bool isOneQuotient(const LinearExpr &dividend, const Integer &divisor) const;
  Formula packetIsWhole(const LinearExpr &expr) const;
  bool isNeverNegative(const LinearExpr &expr);
  std::optional<mlir::AffineExpr>
  toAffine(const LinearExpr &expr,
           llvm::SmallVectorImpl<mlir::StringAttr> &symbols);

  HandlerFacts &facts;
  Evaluator &evaluator;
  VariableTable &variables;
  /// What holds for every packet and every installation.
  FactStack always;
};

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_OUTSIDEBOUNDS_H
