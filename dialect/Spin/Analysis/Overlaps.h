// Whether two slices, or two accesses, may meet in memory, by the facts that
// hold where `facts` is.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_OVERLAPS_H
#define SPINC_DIALECT_SPIN_ANALYSIS_OVERLAPS_H

#include "dialect/Spin/Analysis/HandlerFacts.h"

namespace spinc::spin {

/// Both start at the same byte.
bool startTogether(HandlerFacts &facts, mlir::Value left, mlir::Value right);

/// No byte is in both: they are in different spaces, in different local arrays,
/// or one is behind the other.
bool areApart(HandlerFacts &facts, mlir::Value left, mlir::Value right);

/// The bytes of one load or store of NIC memory.
struct AccessedBytes {
  mlir::Value slice, index;
  /// Of one step of the index, and of the access.
  unsigned scale = 0, bytes = 0;
};

/// Of spin.load, spin.store and their wire forms; nothing for other operations.
std::optional<AccessedBytes> accessedBytes(mlir::Operation *op);

/// The same for what two of them access.
bool areApart(HandlerFacts &facts, const AccessedBytes &left,
              const AccessedBytes &right);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_OVERLAPS_H
