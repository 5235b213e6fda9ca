// Certificates found for an earlier state of a program, to be tried before one
// is searched for. Operations and values are known by their addresses, which
// others may have by now: nothing here is followed, and nothing believed that
// nobody checks.
#ifndef SPINC_DIALECT_SPIN_CERTIFY_MEMORY_H
#define SPINC_DIALECT_SPIN_CERTIFY_MEMORY_H

#include "dialect/Spin/IR/Scope.h"

namespace spinc::spin::certify {

class Memory {
public:
  struct Recalled {
    std::string text;
    /// Whether it is about the same obligation and cites values and conditions
    /// that are still there: a hint that it holds.
    bool isSame;
  };
  /// Notes the certificate of obligation number `index` of an operation, unless
  /// it rests on claims.
  void note(mlir::Operation *op, unsigned index,
            const meaning::Obligation &obligation, llvm::StringRef text,
            const meaning::Numbers &numbers);
  /// What was noted, with the numbers that values have now.
  std::optional<Recalled> recall(mlir::Operation *op, unsigned index,
                                 const meaning::Obligation &obligation,
                                 const meaning::Scope &scope) const;

private:
  struct Entry {
    /// Cites values by their index in `values`.
    std::string text;
    llvm::SmallVector<mlir::Value> values;
    /// Of the obligation.
    size_t hash = 0;
  };
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, Entry> entries;
};

/// Whether a certificate cites claims of a loop or of the header handler.
bool restsOnClaims(llvm::StringRef text);

} // namespace spinc::spin::certify

#endif // SPINC_DIALECT_SPIN_CERTIFY_MEMORY_H
