// How a specialised handler walks a layout: parts one after the other, each a
// nest of rows around runs, around a list of equal runs, or around a list of
// runs with lengths of their own.
#ifndef SPINC_COMPILER_DDT_PLAN_PLAN_H
#define SPINC_COMPILER_DDT_PLAN_PLAN_H

#include "compiler/Ddt/Layout/Layout.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace spinc::ddt {

struct Level {
  int64_t count;
  int64_t stride;
};

/// A piece of the stream, [begin, begin + bytes), and the loops that place it.
struct Part {
  int64_t begin = 0;
  int64_t bytes = 0;
  int64_t place = 0;         ///< of its first byte, from the lowest byte on
  std::vector<Level> levels; ///< outermost first; counts are at least 2

  /// Bytes of one run; of the longest one where `starts` is not empty.
  int64_t run = 0;
  /// Where runs of the innermost level go, relative to it; empty: one run.
  std::vector<int64_t> places;
  /// For runs that differ in length: where each begins in the stream of the
  /// list, and the end of the last.
  std::vector<int64_t> starts;
  /// With `starts`: for each `grain` bytes of the stream of the list the run
  /// that holds the first of them; one more for the end.
  int64_t grain = 0;
  std::vector<int64_t> grains;
  int64_t shortest = 0; ///< bytes of the shortest run

  int64_t listBytes() const {
    if (!starts.empty())
      return starts.back();
    return places.empty() ? run : run * static_cast<int64_t>(places.size());
  }
};

struct Plan {
  std::vector<Part> parts;
  int64_t bytes = 0;
  int64_t runs = 0;
  /// Place of the lowest byte from the buffer's address on, and how many bytes
  /// from there to the end of the highest.
  int64_t low = 0, span = 0;
  int64_t tableWords = 0;
};

/// Offsets into host memory have 32 bits, and so have those of a message.
constexpr int64_t largestSpan = (int64_t(1) << 32) - (1 << 16) - 1;

struct PlanLimits {
  /// More are better off as one list of runs, in time to compile as well.
  size_t parts = 8;
  int64_t tableWords = 200000; ///< of 32 bits, in the L1 of each cluster
};

/// The plan of a specialised handler, or why there is none.
llvm::Expected<Plan> makePlan(Placed layout, const PlanLimits &limits = {});

/// What a message costs when it is cut into packets of `payload` bytes.
struct Traffic {
  int64_t packets = 0;
  int64_t commands = 0; ///< DMA writes
  int64_t mostPerPacket = 0;
};
Traffic trafficOf(Placed layout, int64_t payload);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_PLAN_PLAN_H
