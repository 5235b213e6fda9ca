// Feasibility of linear constraints in fractions: a simplex tableau in which
// every variable has bounds (Dutertre and de Moura's form). Constraints come
// one after the other; a check goes on from the basis of the last one, and a
// contradiction is explained by the bounds whose weighted sum is false.
//
// All work is counted in pivots, so that a check takes bounded time whatever
// the numbers are. Numbers are 64 bits wide as long as they fit and unbounded
// after that.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_SIMPLEX_H
#define SPINC_DIALECT_SPIN_ANALYSIS_SIMPLEX_H

#include "dialect/Spin/Analysis/LinearExpr.h"
#include <map>
#include <memory>

namespace spinc::spin {

/// An inequality `sum of coefficient * column >= low`, and where it is from.
using Row = llvm::SmallVector<std::pair<unsigned, Integer>, 4>;

/// The bounds that contradict each other: reason and positive weight.
using Conflict = std::vector<std::pair<unsigned, Integer>>;

enum class Feasibility { Empty, Feasible, Unknown };

template <class Number> class Tableau;

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
  /// Takes at most `pivots` steps, and these off.
  Feasibility check(unsigned &pivots);
  /// After a check that found no solution.
  const Conflict &getConflict() const { return conflict; }
  /// After one that did: numerator and positive denominator of a column.
  std::pair<Integer, Integer> value(unsigned column) const;

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
  unsigned variableOf(const Row &sum);
  void apply(const Limit &limit);
  /// Goes over to unbounded numbers.
  void widen();

  unsigned columns = 0;
  /// Left sides of constraints with more than one column, and the tableau's
  /// variables for them.
  std::map<std::vector<std::pair<unsigned, Integer>>, unsigned> rows;
  /// What the tableau was made of, in order: a column if the row is empty.
  std::vector<Row> made;
  std::vector<Limit> limits;
  std::unique_ptr<Tableau<int64_t>> narrow;
  std::unique_ptr<Tableau<Integer>> wide;
  /// Whether `narrow` lacks a bound that does not fit.
  bool isWeaker = false;
  Conflict conflict;
};

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_SIMPLEX_H
