// From a described type to its layout in normal form. Every step keeps the
// order of the stream. docs/datatypes.md, "Normal form", lists the rewrites.
#ifndef SPINC_COMPILER_DDT_LAYOUT_NORMALISE_H
#define SPINC_COMPILER_DDT_LAYOUT_NORMALISE_H

#include "compiler/Ddt/Description/Type.h"
#include "compiler/Ddt/Layout/Layout.h"

namespace spinc::ddt {

struct NormaliseOptions {
  /// Layouts with at most so many runs are looked at run by run, so that equal
  /// ones come out equal however they were spelled. Larger ones are rewritten
  /// as trees only.
  int64_t flattenLimit = int64_t(1) << 22;
};

/// The layout of a whole message.
Placed normalise(const Description &description, LayoutPool &pool,
                 const NormaliseOptions &options = {});

/// `count` copies, `stride` bytes apart, as few levels as possible.
Placed repeated(LayoutPool &pool, Placed child, int64_t count, int64_t stride);

/// The items one after the other, with what repeats found: rows of equal
/// items at a constant distance, and patterns of several items.
Placed inSequence(LayoutPool &pool, std::vector<Placed> items);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_LAYOUT_NORMALISE_H
