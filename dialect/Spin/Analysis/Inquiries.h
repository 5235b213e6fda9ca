// Questions that need neither integers nor case splits. At one place there are
// many about the same variables, as candidates for invariants of a loop are,
// and what the facts say of those is brought together once.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_INQUIRIES_H
#define SPINC_DIALECT_SPIN_ANALYSIS_INQUIRIES_H

#include "dialect/Spin/Analysis/Problem.h"

namespace spinc::spin {

class Inquiries {
public:
  /// Whether the facts exclude an inequality.
  bool refute(const VariableTable &variables, const FactStack &facts,
              const Constraint &inequality);

private:
  /// What is known of some variables, as far as a question has asked for it.
  /// Never split into cases: formulas that it refers to may move.
  struct Inquiry {
    Inquiry(const VariableTable &variables, const FactStack &facts)
        : problem(variables, facts, sources) {}
    Inquiry(const Inquiry &) = delete;
    Inquiry &operator=(const Inquiry &) = delete;

    std::vector<Source> sources;
    Problem problem;
    unsigned grown = 0;
    /// Whether all variables have found room.
    bool fits = true;
  };
  using Names = llvm::SmallVector<VarId, 4>;

  std::map<Names, Inquiry> inquiries;
  /// Of the facts that they are about.
  uint64_t version = 0;
};

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_INQUIRIES_H
