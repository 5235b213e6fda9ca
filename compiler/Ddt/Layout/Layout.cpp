// The pool of layouts and walks over their runs.
#include "compiler/Ddt/Layout/Layout.h"

#include "llvm/ADT/Hashing.h"

#include <algorithm>

using namespace spinc::ddt;

static void setSizes(Layout &layout) {
  auto extend = [&](int64_t place, const Layout &part) {
    layout.low = std::min(layout.low, place + part.low);
    layout.high = std::max(layout.high, place + part.high);
  };
  switch (layout.kind) {
  case LayoutKind::Run:
    layout.bytes = layout.high = layout.length;
    layout.runs = layout.words = 1;
    return;
  case LayoutKind::Repeat:
    layout.bytes = layout.count * layout.child->bytes;
    layout.runs = layout.count * layout.child->runs;
    layout.words = 2 + layout.child->words;
    layout.depth = layout.child->depth + 1;
    extend(0, *layout.child);
    extend((layout.count - 1) * layout.stride, *layout.child);
    return;
  case LayoutKind::List: {
    int64_t n = static_cast<int64_t>(layout.places.size());
    layout.bytes = n * layout.child->bytes;
    layout.runs = n * layout.child->runs;
    layout.words = n + layout.child->words;
    layout.depth = layout.child->depth + 1;
    for (int64_t place : layout.places)
      extend(place, *layout.child);
    return;
  }
  case LayoutKind::RunsList:
    layout.runs = static_cast<int64_t>(layout.places.size());
    layout.words = 2 * layout.runs;
    layout.depth = 1;
    for (size_t i = 0; i < layout.places.size(); ++i) {
      layout.bytes += layout.lengths[i];
      layout.low = std::min(layout.low, layout.places[i]);
      layout.high = std::max(layout.high, layout.places[i] + layout.lengths[i]);
    }
    return;
  case LayoutKind::Sequence:
    for (const Placed &part : layout.parts) {
      layout.bytes += part.layout->bytes;
      layout.runs += part.layout->runs;
      layout.words += 2 + part.layout->words;
      layout.depth = std::max(layout.depth, part.layout->depth + 1);
      extend(part.place, *part.layout);
    }
    return;
  }
}

static size_t hashOf(const Layout &layout) {
  llvm::hash_code hash = llvm::hash_combine(
      static_cast<int>(layout.kind), layout.length, layout.count, layout.stride,
      layout.child,
      llvm::hash_combine_range(layout.places.begin(), layout.places.end()),
      llvm::hash_combine_range(layout.lengths.begin(), layout.lengths.end()));
  for (const Placed &part : layout.parts)
    hash = llvm::hash_combine(hash, part.place, part.layout);
  return hash;
}

static bool same(const Layout &a, const Layout &b) {
  return a.kind == b.kind && a.length == b.length && a.count == b.count &&
         a.stride == b.stride && a.child == b.child && a.places == b.places &&
         a.lengths == b.lengths && a.parts == b.parts;
}

const Layout *LayoutPool::keep(Layout layout) {
  size_t hash = hashOf(layout);
  auto [begin, end] = byHash.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (same(*it->second, layout))
      return it->second;
  setSizes(layout);
  layouts.push_back(std::move(layout));
  byHash.emplace(hash, &layouts.back());
  return &layouts.back();
}

const Layout *LayoutPool::run(int64_t length) {
  Layout layout;
  layout.length = length;
  return keep(std::move(layout));
}

const Layout *LayoutPool::repeat(int64_t count, int64_t stride,
                                 const Layout *child) {
  Layout layout;
  layout.kind = LayoutKind::Repeat;
  layout.count = count;
  layout.stride = stride;
  layout.child = child;
  return keep(std::move(layout));
}

const Layout *LayoutPool::list(std::vector<int64_t> places,
                               const Layout *child) {
  Layout layout;
  layout.kind = LayoutKind::List;
  layout.places = std::move(places);
  layout.child = child;
  return keep(std::move(layout));
}

const Layout *LayoutPool::runsList(std::vector<int64_t> places,
                                   std::vector<int64_t> lengths) {
  Layout layout;
  layout.kind = LayoutKind::RunsList;
  layout.places = std::move(places);
  layout.lengths = std::move(lengths);
  return keep(std::move(layout));
}

const Layout *LayoutPool::sequence(std::vector<Placed> parts) {
  Layout layout;
  layout.kind = LayoutKind::Sequence;
  layout.parts = std::move(parts);
  return keep(std::move(layout));
}

namespace {

/// Joins runs that adjoin before it passes them on.
class RunWalk {
public:
  explicit RunWalk(llvm::function_ref<void(int64_t, int64_t)> take)
      : take(take) {}

  void walk(int64_t place, const Layout &layout) {
    switch (layout.kind) {
    case LayoutKind::Run:
      return add(place, layout.length);
    case LayoutKind::Repeat:
      for (int64_t i = 0; i < layout.count; ++i)
        walk(place + i * layout.stride, *layout.child);
      return;
    case LayoutKind::List:
      for (int64_t offset : layout.places)
        walk(place + offset, *layout.child);
      return;
    case LayoutKind::RunsList:
      for (size_t i = 0; i < layout.places.size(); ++i)
        add(place + layout.places[i], layout.lengths[i]);
      return;
    case LayoutKind::Sequence:
      for (const Placed &part : layout.parts)
        walk(place + part.place, *part.layout);
      return;
    }
  }

  void finish() {
    if (length != 0)
      take(begin, length);
  }

private:
  void add(int64_t place, int64_t bytes) {
    if (length != 0 && begin + length == place) {
      length += bytes;
      return;
    }
    finish();
    begin = place;
    length = bytes;
  }

  llvm::function_ref<void(int64_t, int64_t)> take;
  int64_t begin = 0, length = 0;
};

} // namespace

void spinc::ddt::forEachRun(Placed layout,
                            llvm::function_ref<void(int64_t, int64_t)> take) {
  if (!layout.layout)
    return;
  RunWalk walk(take);
  walk.walk(layout.place, *layout.layout);
  walk.finish();
}

/// A chain of repeats over a run is free of overlap if its strides, by size,
/// each reach beyond all that is inside. True if that holds.
static bool isSpacedNest(const Layout &layout) {
  std::vector<std::pair<int64_t, int64_t>> levels;
  const Layout *inner = &layout;
  for (; inner->kind == LayoutKind::Repeat; inner = inner->child)
    levels.emplace_back(std::abs(inner->stride), inner->count);
  if (inner->kind != LayoutKind::Run)
    return false;
  std::sort(levels.begin(), levels.end());
  int64_t reach = inner->length;
  for (auto [stride, count] : levels) {
    if (stride < reach)
      return false;
    reach += stride * (count - 1);
  }
  return true;
}

bool spinc::ddt::overlaps(Placed layout) {
  if (!layout.layout || isSpacedNest(*layout.layout))
    return false;
  std::vector<std::pair<int64_t, int64_t>> runs;
  runs.reserve(layout.layout->runs);
  bool sorted = true;
  forEachRun(layout, [&](int64_t place, int64_t length) {
    sorted &= runs.empty() || place >= runs.back().second;
    runs.emplace_back(place, place + length);
  });
  if (sorted)
    return false;
  std::sort(runs.begin(), runs.end());
  for (size_t i = 1; i < runs.size(); ++i)
    if (runs[i].first < runs[i - 1].second)
      return true;
  return false;
}
