// Decides whether the facts at one place of a handler imply a goal, with the
// Presburger library. A query takes only facts that share variables with the
// goal, nearest first, up to fixed limits; beyond them it answers "not
// proved", never "proved".
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
  void truncate(size_t size);
  const Formula &operator[](size_t index) const { return facts[index]; }
  /// Facts from position `first` on.
  std::vector<Formula> copyFrom(size_t first) const;
  /// Positions of the facts that mention a variable, ascending.
  llvm::ArrayRef<unsigned> mentioning(VarId id) const;
  /// Positions of the facts without variables.
  llvm::ArrayRef<unsigned> constants() const { return variableFree; }

private:
  std::vector<Formula> facts;
  llvm::DenseMap<VarId, std::vector<unsigned>> byVariable;
  std::vector<unsigned> variableFree;
};

/// Values of variables under which all facts hold and a goal does not.
using Sample = std::map<VarId, Integer>;

struct QueryResult {
  bool proved = false;
  /// The facts of the proof as text.
  std::vector<std::string> facts;
  /// If not proved and one was found.
  std::optional<Sample> counterexample;
};

class Solver {
public:
  Solver(const VariableTable &variables, const FactStack &facts)
      : variables(variables), facts(facts) {}

  /// Whether the facts imply the constraint.
  bool implies(const Constraint &goal) const;
  /// A weaker and cheaper test, without case splits and with fractions as
  /// solutions.
  bool impliesSimply(const Constraint &goal) const;
  /// The same with the facts used or a counterexample, in which the values of
  /// `display` are made small one after the other.
  QueryResult query(const Constraint &goal,
                    llvm::ArrayRef<LinearExpr> display) const;
  /// The largest value of `expr` that the facts allow, if it is known not to
  /// exceed `limit`.
  std::optional<int64_t> maximum(const LinearExpr &expr, int64_t limit) const;

private:
  const VariableTable &variables;
  const FactStack &facts;
};

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_SOLVER_H
