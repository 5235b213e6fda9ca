// One certificate being checked: arithmetic on cited facts, and case splits.
#ifndef SPINC_DIALECT_SPIN_CHECKER_PROOF_H
#define SPINC_DIALECT_SPIN_CHECKER_PROOF_H

#include "dialect/Spin/Checker/Claims.h"

namespace spinc::spin::checker {

class Proof {
public:
  Proof(Induction &scope, llvm::StringRef text) : scope(scope), text(text) {}
  /// Whether the next part of the text proves the obligation.
  bool proves(const Obligation &obligation);
  /// Whether there is nothing behind.
  bool isAtEnd() const { return text.trim().empty(); }

private:
  bool closes();
  bool cases(llvm::StringRef name);
  /// A fact, until the next one is cited.
  const Constraint *cite(llvm::StringRef name);
  std::optional<Constraint> sum();
  bool isKnownNonNegative(Form form) const;
  bool add(Constraint constraint);

  Induction &scope;
  llvm::StringRef text;
  bool everywhere = false;
  Constraints known, cited;
  /// The atoms that the certificate may name, in the order of their mention.
  llvm::SmallVector<AtomId> named;
};

} // namespace spinc::spin::checker

#endif // SPINC_DIALECT_SPIN_CHECKER_PROOF_H
