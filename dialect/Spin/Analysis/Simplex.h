// Feasibility of linear constraints in fractions: a simplex tableau in which
// every variable has bounds (Dutertre and de Moura's form). Constraints come
// one after the other; a check goes on from the basis of the last one, and a
// contradiction is explained by the bounds whose weighted sum is false.
//
// All work is counted in pivots, so that a check takes bounded time whatever
// the numbers are. Numbers are 64 bits wide as long as they fit, then 128, and
// unbounded after that.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_SIMPLEX_H
#define SPINC_DIALECT_SPIN_ANALYSIS_SIMPLEX_H

#include "dialect/Spin/Analysis/LinearExpr.h"
#include <memory>

namespace spinc::spin {

/// An inequality `sum of coefficient * column >= low`, and where it is from.
using Row = llvm::SmallVector<std::pair<unsigned, Integer>, 4>;

/// The bounds that contradict each other: reason and positive weight.
using Conflict = std::vector<std::pair<unsigned, Integer>>;

enum class Feasibility { Empty, Feasible, Unknown };

/// A conjunction of inequalities over columns 0, 1, …
class Simplex {
public:
  Simplex();
  Simplex(const Simplex &other);
  Simplex &operator=(const Simplex &other);
  Simplex(Simplex &&) noexcept;
  Simplex &operator=(Simplex &&) noexcept;
  ~Simplex();

  unsigned addColumn();
  unsigned getNumColumns() const { return columns; }
  size_t getNumRows() const { return rows.size(); }
  /// sum + constant >= 0, tightened to integers. `reason` names it in a
  /// conflict.
  void assertAtLeast(const Row &sum, const Integer &constant, unsigned reason);
  /// Makes room for constraints on a sum.
  void addSum(const Row &sum) { variableOf(reduced(sum).first); }
  /// Takes at most `pivots` steps, and these off.
  Feasibility check(unsigned &pivots);
  /// After a check that found no solution; after `optimum`, what keeps the sum
  /// from being larger (smaller).
  const Conflict &getConflict() const { return conflict; }
  /// After one that did: numerator and positive denominator of a column.
  std::pair<Integer, Integer> value(unsigned column) const;

  /// The largest (smallest) value of a sum, as numerator and positive
  /// denominator. Nothing if there is none or it is not found. Only after a
  /// check that found a solution.
  std::optional<std::pair<Integer, Integer>>
  optimum(const Row &sum, bool isLargest, unsigned &pivots);
  /// Numbers in the tableau, and whether they are of any size.
  size_t size() const;
  bool isUnbounded() const;

  /// Bounds set after a mark go with `restore`; nothing else may be added in
  /// between.
  struct Mark;
  std::shared_ptr<const Mark> mark() const;
  void restore(const Mark &mark);

private:
  struct Limit {
    unsigned variable;
    Integer value;
    bool isLow;
    unsigned reason;
  };
  /// `sum` divided by what its coefficients have in common, which is negative
  /// if the first coefficient is: sums that differ in that only share a row.
  static std::pair<Row, Integer> reduced(const Row &sum);
  unsigned variableOf(const Row &reduced);
  void apply(const Limit &limit);
  /// Makes the tableau anew. False if its numbers are too small.
  bool rebuild();
  /// Goes over to larger numbers.
  void widen();

  unsigned columns = 0;
  /// The tableau's variables for sums of more than one column, by the hash of
  /// the sum.
  std::vector<std::pair<size_t, unsigned>> rows;
  /// What the tableau was made of, in order: a column if the row is empty.
  std::vector<Row> made;
  std::vector<Limit> limits;
  /// The tableau, of the numbers that have done so far.
  struct Numbers;
  std::unique_ptr<Numbers> numbers;
  /// Whether it lacks a bound that does not fit.
  bool isWeaker = false;
  Conflict conflict;
};

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_SIMPLEX_H
