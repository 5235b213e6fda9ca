// Many runs of one image, each held against its bound and nothing else: no
// reference, so that a run costs little more than its instructions.
#ifndef SPINC_TEST_FUZZ_BOUNDRUNS_H
#define SPINC_TEST_FUZZ_BOUNDRUNS_H

#include "test/Fuzz/Compare.h"

namespace spinc::fuzz {

/// Code may start at any even address of a line of 16 bytes.
constexpr unsigned kPlaces = 8;
inline unsigned codeOffset(uint64_t place) {
  return unsigned(place % kPlaces * 2);
}

struct BoundRunOptions {
  uint64_t runs = 0; // of each context
  uint64_t seed = 1; // of packets and parameters
  /// Messages of the search for a witness to begin with, for each handler.
  unsigned tries = 0;
};

/// Random packets, and changes of the dearest that were found: the first run
/// that took longer than its bound or did not end as handlers do.
Failure runAgainstBounds(const Program &program, const BoundRunOptions &options,
                         Counts &counts);

} // namespace spinc::fuzz

#endif // SPINC_TEST_FUZZ_BOUNDRUNS_H
