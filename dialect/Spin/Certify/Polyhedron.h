// A set of linear inequalities that says, once it has no solution in fractions,
// which of them are to blame and with which multipliers (Farkas' lemma).
#ifndef SPINC_DIALECT_SPIN_CERTIFY_POLYHEDRON_H
#define SPINC_DIALECT_SPIN_CERTIFY_POLYHEDRON_H

#include "mlir/Analysis/Presburger/Simplex.h"

namespace spinc::spin::certify {

class Polyhedron : private mlir::presburger::Simplex {
public:
  using Integer = llvm::DynamicAPInt;

  Polyhedron() : Simplex(0u) {}
  unsigned numVariables() const { return getNumVariables(); }
  unsigned numInequalities() const { return getNumConstraints(); }
  void addVariable() { appendVariable(1); }
  bool isEmpty() const { return Simplex::isEmpty(); }
  /// Adds coefficients * variables + constant >= 0, the constant last. False
  /// if there is no solution now.
  bool add(llvm::ArrayRef<Integer> row) {
    addInequality(row);
    return !isEmpty();
  }
  /// The inequalities, by number, whose sum with these positive multipliers is
  /// a negative constant. Only right after `add` has returned false.
  llvm::SmallVector<std::pair<unsigned, Integer>> refutation() const;
  /// The largest (smallest) value of an expression.
  std::optional<mlir::presburger::Fraction> optimum(llvm::ArrayRef<Integer> row,
                                                    bool largest);
  std::optional<llvm::SmallVector<mlir::presburger::Fraction, 8>>
  sample() const {
    return getRationalSample();
  }
};

} // namespace spinc::spin::certify

#endif // SPINC_DIALECT_SPIN_CERTIFY_POLYHEDRON_H
