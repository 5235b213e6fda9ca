// The facts that one query looks at, and the search for values that satisfy
// them. Used by Solver.cpp only.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_PROBLEM_H
#define SPINC_DIALECT_SPIN_ANALYSIS_PROBLEM_H

#include "dialect/Spin/Analysis/Simplex.h"
#include "dialect/Spin/Analysis/Solver.h"
#include "llvm/ADT/DenseSet.h"

namespace spinc::spin {

enum class Answer { Empty, Sample, Unknown };

/// What is left to spend on one query. Nothing here is measured in time.
struct Effort {
  unsigned pivots = 2000;
  /// Branches of case splits.
  unsigned branches = 96;
};

/// Where the constraints of one query and its branches come from.
struct Source {
  Constraint constraint;
  enum Kind { Goal, Interval, Fact, Case, Derived } kind = Goal;
  /// The split of a `Case`; absent for a cut of a variable's range.
  const Split *split = nullptr;
  /// The constraints whose weighted sum a `Derived` one is.
  std::vector<std::pair<unsigned, Integer>> parents = {};
};

/// A copy is one branch of a case split. Refers to formulas on the fact stack
/// and in the table, which stay as they are during a query.
class Problem {
public:
  /// How often facts are taken in, at most.
  static constexpr unsigned maxGrowth = 14;

  Problem(const VariableTable &variables, const FactStack &facts,
          std::vector<Source> &sources);

  void add(const Constraint &constraint, Source::Kind kind,
           const Split *split = nullptr);
  void add(const Formula &formula, Source::Kind kind,
           const Split *split = nullptr);
  /// Adds the definitions of variables new since the last time and the facts
  /// about them, and all facts that mention only present variables; if there
  /// are none, other facts that mention one. False if nothing came.
  bool grow();
  /// Makes a variable present. False if there is no room.
  bool addVariable(VarId id);
  /// Whether there is no solution in fractions that satisfies the inequality,
  /// too, which is about present variables and is not kept.
  bool excludes(const Constraint &inequality, Effort &effort);
  /// Whether there is a solution in fractions.
  Feasibility check(Effort &effort);
  /// Searches a solution in integers, by case splits.
  Answer decide(Effort &effort, Sample &sample, Refutation *why);
  /// After a check that found none.
  void explain(Refutation &why) const;

private:
  unsigned addInequality(const LinearExpr &expr, Source::Kind kind,
                         const Split *split);
  Row rowOf(const LinearExpr &expr) const;
  void assertSource(unsigned source);
  void addDefinitions(size_t end);
  bool addFacts(size_t first, size_t end, bool open);
  bool addClosedFacts();
  void deriveTightened();
  Answer search(Effort &effort, Sample &sample, Refutation *why);
  std::optional<VarId> fractional(Sample &sample) const;
  Answer decideCut(VarId id, Effort &effort, Sample &sample, Refutation *why);
  Answer decideSplit(const Split &split, Effort &effort, Sample &sample,
                     Refutation *why);

  const VariableTable *variables;
  const FactStack *facts;
  std::vector<Source> *sources;
  Simplex simplex;
  std::vector<const Split *> splits;
  std::vector<VarId> order;
  llvm::DenseMap<VarId, unsigned> columns;
  /// Number of variables whose definition is here.
  size_t defined = 0;
  /// Number of variables whose facts have been looked at for those that only
  /// mention present variables.
  size_t closed = 0;
  llvm::DenseSet<unsigned> used;
  /// Sources of the inequalities, and of the equalities with both directions.
  std::vector<unsigned> inequalities;
  std::vector<std::pair<unsigned, unsigned>> equalities;
  /// Numbers of those from which everything has been derived.
  size_t derivedInequalities = 0, derivedEqualities = 0;
  /// Source of a constraint without variables that is false.
  std::optional<unsigned> falsehood;
};

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_PROBLEM_H
