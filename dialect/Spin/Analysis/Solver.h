// Decides whether the facts at one place of a handler imply a goal. A query
// takes only facts that share variables with the goal, nearest first, and a
// limited number of steps; beyond that it answers "not proved", never
// "proved". What a query does depends on nothing but the facts and the goal.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_SOLVER_H
#define SPINC_DIALECT_SPIN_ANALYSIS_SOLVER_H

#include "dialect/Spin/Analysis/Variables.h"
#include "llvm/ADT/DenseMap.h"

namespace spinc::spin {

/// The facts that hold at the present place, as a stack.
class FactStack {
public:
  void push(Formula fact);
  size_t size() const { return facts.size(); }
  /// Of two times with the same version the facts are the same.
  uint64_t getVersion() const { return version; }
  void truncate(size_t size);
  const Formula &operator[](size_t index) const { return facts[index]; }
  /// Facts from position `first` on.
  std::vector<Formula> copyFrom(size_t first) const;
  /// Positions of the facts that mention a variable together with others,
  /// ascending.
  llvm::ArrayRef<unsigned> mentioning(VarId id) const;
  /// Positions of the facts without variables.
  llvm::ArrayRef<unsigned> constants() const { return variableFree; }
  /// The tightest constraints on this variable alone, at most one from below
  /// and one from above.
  const Constraint *lowest(VarId id) const { return top(lows, id); }
  const Constraint *highest(VarId id) const { return top(highs, id); }

private:
  struct Bound {
    Integer value;
    Constraint constraint;
    unsigned fact;
  };
  using BoundStacks = llvm::DenseMap<VarId, std::vector<Bound>>;
  static const Constraint *top(const BoundStacks &stacks, VarId id);
  void noteBound(const Constraint &constraint, unsigned fact);

  std::vector<Formula> facts;
  llvm::DenseMap<VarId, std::vector<unsigned>> byVariable;
  std::vector<unsigned> variableFree;
  BoundStacks lows, highs;
  uint64_t version = 0;
};

class Inquiries;

/// Values of variables under which all facts hold and a goal does not.
using Sample = std::map<VarId, Integer>;

/// Why no values satisfy the facts and the negation of a goal. Without cases:
/// the weighted sum of `tightened(line)` over `lines` says that a negative
/// number is not negative. With cases: each alternative of `split`, or each
/// of `variable <= value` and `variable >= value + 1`, leads to a refutation
/// under its assumption.
struct Refutation {
  std::vector<std::pair<Constraint, Integer>> lines;
  const Split *split = nullptr;
  std::optional<std::pair<VarId, Integer>> at;
  std::vector<Refutation> cases;
};

/// An inequality divided by the common divisor of its coefficients, and
/// rounded; an equality is not changed.
Constraint tightened(const Constraint &inequality);

struct QueryResult {
  bool proved = false;
  /// The facts of the proof as text.
  std::vector<std::string> facts;
  /// If proved: one for the negation of an inequality, two for an equality,
  /// in the order of `negations`.
  std::vector<Refutation> refutations;
  /// If not proved and one was found.
  std::optional<Sample> counterexample;
};

/// The ways in which a goal can fail.
std::vector<Constraint> negations(const Constraint &goal);

class Solver {
public:
  /// `shared`, if there is one: what earlier questions about the same facts
  /// and variables have brought together.
  Solver(const VariableTable &variables, const FactStack &facts,
         Inquiries *shared = nullptr)
      : variables(variables), facts(facts), shared(shared) {}

  /// Whether the facts imply the constraint.
  bool implies(const Constraint &goal) const;
  /// A weaker and cheaper test, without case splits and with fractions as
  /// solutions.
  bool impliesSimply(const Constraint &goal) const;
  /// Between the two: case splits, but only a few.
  bool impliesInFewCases(const Constraint &goal) const;
  /// The same with the facts used or a counterexample, in which the values of
  /// `display` are made small one after the other.
  QueryResult query(const Constraint &goal,
                    llvm::ArrayRef<LinearExpr> display) const;
  /// A counterexample that has values for all of `wanted`, from all facts that
  /// bear on them.
  std::optional<Sample>
  completeCounterexample(const Constraint &goal,
                         llvm::ArrayRef<VarId> wanted) const;
  /// The largest value of `expr` that the facts allow, if it is known not to
  /// exceed `limit`.
  std::optional<int64_t> maximum(const LinearExpr &expr, int64_t limit) const;

private:
  const VariableTable &variables;
  const FactStack &facts;
  Inquiries *shared;
};

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_SOLVER_H
