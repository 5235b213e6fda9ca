// Where the bytes of a message go, in stream order and nothing else: types,
// bounds and spellings are gone. Equal layouts are one object of a pool, so
// they are compared by address.
#ifndef SPINC_COMPILER_DDT_LAYOUT_LAYOUT_H
#define SPINC_COMPILER_DDT_LAYOUT_LAYOUT_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace spinc::ddt {

struct Layout;

/// A layout whose first byte of the stream goes to byte `place`. Without a
/// layout: no bytes.
struct Placed {
  int64_t place = 0;
  const Layout *layout = nullptr;

  bool operator==(const Placed &other) const {
    return place == other.place && layout == other.layout;
  }
};

enum class LayoutKind {
  Run,      ///< `length` consecutive bytes
  Repeat,   ///< `count` children, `stride` bytes apart
  List,     ///< the child at each of `places`
  RunsList, ///< a run of lengths[i] bytes at places[i]
  Sequence  ///< `parts`, one after the other
};

/// Immutable. Places are relative to where the first byte of the stream goes,
/// so the first place of a list is 0.
struct Layout {
  LayoutKind kind = LayoutKind::Run;
  int64_t length = 0;
  int64_t count = 0, stride = 0;
  const Layout *child = nullptr;
  std::vector<int64_t> places, lengths;
  std::vector<Placed> parts;

  // The same for equal layouts.
  int64_t bytes = 0; ///< of the stream
  int64_t runs = 0;
  int64_t low = 0, high = 0; ///< first byte and one past the last, by address
  int64_t words = 0;         ///< numbers that describe it
  unsigned depth = 0;        ///< levels of dataloops
};

/// Owns layouts; keeps one of each.
class LayoutPool {
public:
  const Layout *run(int64_t length);
  const Layout *repeat(int64_t count, int64_t stride, const Layout *child);
  const Layout *list(std::vector<int64_t> places, const Layout *child);
  const Layout *runsList(std::vector<int64_t> places,
                         std::vector<int64_t> lengths);
  const Layout *sequence(std::vector<Placed> parts);

private:
  const Layout *keep(Layout layout);

  std::deque<Layout> layouts;
  std::unordered_multimap<size_t, const Layout *> byHash;
};

/// Calls `take(place, length)` for the longest runs in stream order: bytes
/// that follow each other in the stream and in memory.
void forEachRun(Placed layout, llvm::function_ref<void(int64_t, int64_t)> take);

/// True if two bytes of the message go to one place.
bool overlaps(Placed layout);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_LAYOUT_LAYOUT_H
