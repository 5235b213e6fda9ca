// Induction over the loops of a handler: `spin.claims` states what holds in
// each round, in the form that docs/certificates.md describes.
#ifndef SPINC_DIALECT_SPIN_CHECKER_CLAIMS_H
#define SPINC_DIALECT_SPIN_CHECKER_CLAIMS_H

#include "dialect/Spin/IR/Loops.h"
#include "dialect/Spin/IR/Scope.h"

namespace spinc::spin::checker {

using namespace spinc::spin::meaning;

struct Claims {
  LoopVariables variables;
  llvm::SmallVector<Form> invariants;
  enum { None, Linear, Halving, Doubling } rank = None;
  Form measure;
  Int step;
};

class Induction : public Scope {
public:
  using Scope::Scope;
  /// What must be proved here, claims of loops included.
  Obligations obligations();
  /// The invariants of the loop with this variable, if they hold here.
  Constraints invariantsOf(mlir::Value argument);
  /// Reads the claims of a loop; false if they cannot be read.
  bool readClaims(mlir::Operation *loop);
  /// What the header handler claims of plain fields at each of its ends, and
  /// later handlers find.
  Constraints headerClaims();
  Claims &claims(mlir::Operation *loop) { return loops[loop]; }

private:
  bool isFixed(AtomId atom) const;
  void addClaims(Obligations &to);

  llvm::DenseMap<mlir::Operation *, Claims> loops;
};

} // namespace spinc::spin::checker

#endif // SPINC_DIALECT_SPIN_CHECKER_CLAIMS_H
