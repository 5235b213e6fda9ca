// Certificates found for an earlier state of a program, to be tried before one
// is searched for. Operations and values are known by their addresses, which
// others may have by now: nothing here is followed or believed.
#ifndef SPINC_DIALECT_SPIN_CERTIFY_MEMORY_H
#define SPINC_DIALECT_SPIN_CERTIFY_MEMORY_H

#include "dialect/Spin/IR/Numbers.h"

namespace spinc::spin::certify {

class Memory {
public:
  /// Notes the certificate of an obligation, unless it rests on claims.
  void note(mlir::Operation *op, unsigned obligation, llvm::StringRef text,
            const meaning::Numbers &numbers);
  /// What was noted, with the numbers that values have now.
  std::optional<std::string> recall(mlir::Operation *op, unsigned obligation,
                                    const meaning::Numbers &numbers) const;

private:
  struct Entry {
    /// Cites values by their index in `values`.
    std::string text;
    llvm::SmallVector<mlir::Value> values;
  };
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, Entry> entries;
};

} // namespace spinc::spin::certify

#endif // SPINC_DIALECT_SPIN_CERTIFY_MEMORY_H
