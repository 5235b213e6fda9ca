// A set of linear inequalities that says, once it has no solution in fractions,
// which of them are to blame and with which multipliers (Farkas' lemma).
#ifndef SPINC_DIALECT_SPIN_CERTIFY_POLYHEDRON_H
#define SPINC_DIALECT_SPIN_CERTIFY_POLYHEDRON_H

#include "mlir/Analysis/Presburger/Simplex.h"
#include <memory>

namespace spinc::spin::certify {

class Polyhedron : private mlir::presburger::Simplex {
public:
  using Integer = llvm::DynamicAPInt;

  Polyhedron() : Simplex(0u) {}
  unsigned numVariables() const { return getNumVariables(); }
  unsigned numInequalities() const { return getNumConstraints(); }
  void addVariable() { appendVariable(1); }
  bool isEmpty() const { return Simplex::isEmpty(); }
  /// What was done with this set and all copies of it: numbers looked at, those
  /// of many digits counted for more.
  uint64_t work() const { return *done; }
  /// Adds coefficients * variables + constant >= 0, the constant last. False
  /// if there is no solution now.
  bool add(llvm::ArrayRef<Integer> row);
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

private:
  void countWork();

  std::shared_ptr<uint64_t> done = std::make_shared<uint64_t>(0);
};

} // namespace spinc::spin::certify

#endif // SPINC_DIALECT_SPIN_CERTIFY_POLYHEDRON_H
