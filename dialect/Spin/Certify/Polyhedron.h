// A set of linear inequalities that says, once it has no solution in fractions,
// which of them are to blame and with which multipliers (Farkas' lemma).
#ifndef SPINC_DIALECT_SPIN_CERTIFY_POLYHEDRON_H
#define SPINC_DIALECT_SPIN_CERTIFY_POLYHEDRON_H

#include "mlir/Analysis/Presburger/Fraction.h"
#include <memory>

namespace spinc::spin {
class Simplex;
}

namespace spinc::spin::certify {

class Polyhedron {
public:
  using Integer = llvm::DynamicAPInt;
  using Fraction = mlir::presburger::Fraction;
  using Sum = llvm::SmallVector<std::pair<unsigned, Integer>, 4>;
  /// Inequalities, by number, with multipliers.
  using Blame = llvm::SmallVector<std::pair<unsigned, Integer>>;

  Polyhedron();
  Polyhedron(const Polyhedron &other);
  ~Polyhedron();
  void addVariable();
  bool isEmpty() const { return empty; }
  /// What was done with this set and all copies of it: numbers looked at, those
  /// of many digits counted for more.
  uint64_t work() const { return *done; }
  /// Adds the sum of coefficients * variables + constant >= 0. False if there
  /// is no solution now.
  bool add(const Sum &sum, const Integer &constant);
  /// The largest (smallest) value of a sum, if one is found.
  std::optional<Fraction> optimum(const Sum &sum, bool largest);
  /// The inequalities whose sum with these positive multipliers is a negative
  /// constant, right after `add` has returned false. After `optimum` has found
  /// a value, those whose sum says that there is no larger (smaller) one.
  Blame blame() const;
  /// A solution.
  Fraction sample(unsigned variable) const;

private:
  Sum renamed(const Sum &sum) const;
  unsigned stepsAllowed() const;
  void countWork(unsigned steps);

  std::unique_ptr<Simplex> simplex;
  /// As the simplex numbers them.
  llvm::SmallVector<unsigned> variables;
  bool empty = false;
  /// An inequality without variables that is false.
  std::optional<unsigned> absurd;
  /// Per inequality, the greatest common divisor of its coefficients.
  std::vector<Integer> divisors;
  std::shared_ptr<uint64_t> done = std::make_shared<uint64_t>(0);
};

} // namespace spinc::spin::certify

#endif // SPINC_DIALECT_SPIN_CERTIFY_POLYHEDRON_H
