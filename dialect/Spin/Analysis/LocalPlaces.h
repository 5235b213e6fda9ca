// Where local arrays lie. The stack of an HPU has 1 KiB for everything; what
// does not fit goes to an area in the L1 of the cluster with a part for each
// HPU. One handler runs on an HPU at a time, to its end, so all handlers share
// the part; a function has a place of its own behind what its callers use.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_LOCALPLACES_H
#define SPINC_DIALECT_SPIN_ANALYSIS_LOCALPLACES_H

#include "dialect/Spin/IR/SpinDialect.h"
#include "llvm/ADT/DenseMap.h"

namespace spinc::spin {

/// Multiple of bytes at which local arrays lie.
constexpr unsigned kLocalAlignment = 8;

/// Where local arrays lie.
struct LocalPlaces {
  struct Place {
    uint32_t offset = 0;     // in an HPU's part of the area
    bool isHandlers = false; // which finds the part in its arguments
  };
  /// Arrays in the area; the others are on the stack.
  llvm::DenseMap<mlir::Operation *, Place> inArea;
  /// Size of an HPU's part.
  uint32_t areaBytes = 0;
};

/// Gives the local arrays of all handlers in `module` their places. Where fewer
/// or smaller arrays are left later, those on the stack stay there.
LocalPlaces placeLocals(mlir::ModuleOp module);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_LOCALPLACES_H
