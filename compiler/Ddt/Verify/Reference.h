// Where the bytes of a message go, straight from the description and by its
// letter: slow, and shares nothing with the normal form it is compared with.
#ifndef SPINC_COMPILER_DDT_VERIFY_REFERENCE_H
#define SPINC_COMPILER_DDT_VERIFY_REFERENCE_H

#include "compiler/Ddt/Description/Type.h"

#include <vector>

namespace spinc::ddt {

/// Bytes [begin, begin + length) of the stream go to `place` on.
struct Stretch {
  int64_t begin;
  int64_t place;
  int64_t length;
};

/// In stream order; not joined where they adjoin.
std::vector<Stretch> flatten(const Description &description);

/// True if two bytes of the message go to one place.
bool overlaps(std::vector<Stretch> stretches);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_VERIFY_REFERENCE_H
