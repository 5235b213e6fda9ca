// Which bytes of the card's memory a slice may point to, for questions about
// overlap: an object and a range of bytes in it, as far as constants tell.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_PLACES_H
#define SPINC_DIALECT_SPIN_ANALYSIS_PLACES_H

#include "dialect/Spin/IR/SpinDialect.h"
#include <cstdint>
#include <limits>
#include <optional>

namespace spinc::spin {

struct Place {
  static constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
  /// What the slice was made from: the packet, a field, or a value. Null: any
  /// memory.
  const void *object = nullptr;
  MemorySpace space = MemorySpace::Local;
  /// The HPU's own: handlers that it runs later use the same memory.
  bool ofHpu = false;
  /// A copy that another cluster or HPU works on.
  bool isCopy = false;
  /// Exact first byte in the object, if known.
  std::optional<int64_t> first = 0;
  /// It lies in these bytes of the object.
  int64_t low = 0, high = kEnd;

  bool mayOverlap(const Place &other) const;
};

/// Where `slice`, of NIC memory, may point to.
Place placeOf(mlir::Value slice);
/// The state field that `op` names by its attribute `field`.
Place placeOfField(mlir::Operation *op);
/// `bytes` bytes from byte `offset` of the slice at `place` on.
Place partOf(const Place &place, mlir::Value offset, int64_t scale,
             std::optional<int64_t> bytes);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_PLACES_H
