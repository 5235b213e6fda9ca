// What must be proved for each operation of a handler, with the words for a
// message if it cannot be.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_OBLIGATIONS_H
#define SPINC_DIALECT_SPIN_ANALYSIS_OBLIGATIONS_H

#include "dialect/Spin/Analysis/Evaluator.h"
#include "dialect/Spin/Analysis/Solver.h"

namespace spinc::spin {

struct Obligation {
  /// Code and text of the error, `E0401: …`.
  std::string message;
  /// What the facts at the place fail to imply, in source terms.
  std::string claim;
  std::string fix;
  /// All of these must hold; one of them if `anyOf`.
  std::vector<Constraint> goals;
  bool anyOf = false;
  /// Says nothing new if the obligation before it already failed.
  bool followsPrevious = false;
  /// Values that a counterexample shows first.
  std::vector<std::pair<std::string, LinearExpr>> display;
};

/// Whether what `solver` knows is enough for the obligation.
bool isImplied(const Obligation &obligation, const Solver &solver);

/// The obligations of `op`, which is visited now. An operation may have none.
std::vector<Obligation> getObligations(mlir::Operation *op,
                                       Evaluator &evaluator);

/// Whether `op` has a place for a proof.
bool hasProofSlot(mlir::Operation *op);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_OBLIGATIONS_H
