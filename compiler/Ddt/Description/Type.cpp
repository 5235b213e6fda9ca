// Sizes and bounds of a datatype from those of its parts: MPI-4.0, 5.1.7.
#include "compiler/Ddt/Description/Type.h"

#include "llvm/ADT/StringSwitch.h"

#include <algorithm>
#include <numeric>

using namespace spinc::ddt;

Form spinc::ddt::formOf(Combiner combiner) {
  switch (combiner) {
#define COMBINER(id, spelling, form)                                           \
  case Combiner::id:                                                           \
    return Form::form;
#include "compiler/Ddt/Description/Combiners.def"
  }
  return Form::Basic;
}

llvm::StringRef spinc::ddt::spellingOf(Combiner combiner) {
  switch (combiner) {
#define COMBINER(id, spelling, form)                                           \
  case Combiner::id:                                                           \
    return spelling;
#include "compiler/Ddt/Description/Combiners.def"
  }
  return "";
}

std::optional<Combiner> spinc::ddt::combinerOf(llvm::StringRef spelling) {
  return llvm::StringSwitch<std::optional<Combiner>>(spelling)
#define COMBINER(id, spelling, form) .Case(spelling, Combiner::id)
#include "compiler/Ddt/Description/Combiners.def"
      .Default(std::nullopt);
}

namespace {

/// An interval that grows by what it must hold.
struct Hull {
  bool empty = true;
  int64_t low = 0, high = 0;

  void add(int64_t from, int64_t to) {
    low = empty ? from : std::min(low, from);
    high = empty ? to : std::max(high, to);
    empty = false;
  }
};

/// Collects the blocks of a type one after the other.
class Collector {
public:
  explicit Collector(Type &type) : type(type) {}

  /// `rounds` blocks of `count` elements of a child, from byte `place` on,
  /// `stride` bytes apart.
  void add(const Type &child, int64_t step, Exact place, int64_t count,
           int64_t rounds = 1, int64_t stride = 0) {
    if (count == 0 || rounds == 0)
      return;
    Exact inBlock = Exact(step) * Exact(count - 1);
    Exact between = Exact(stride) * Exact(rounds - 1);
    addHulls(child, place, inBlock, between);
    size = size + Exact(child.size) * Exact(count) * Exact(rounds);
    if (child.size != 0 || child.hasMarkers)
      alignment = std::max(alignment, child.alignment);
  }

  bool finish() {
    if (!fine || !size.ok())
      return false;
    const Hull &bounds = marked.empty ? unmarked : marked;
    type.hasMarkers = !marked.empty;
    type.size = size.value();
    type.lb = bounds.low;
    type.extent = bounds.high - bounds.low;
    type.trueLb = data.low;
    type.trueUb = data.high;
    type.alignment = alignment;
    return Exact(type.extent).ok();
  }

private:
  void addHulls(const Type &child, Exact place, Exact inBlock, Exact between) {
    for (Exact first : {place, place + inBlock})
      for (Exact at : {first, first + between}) {
        Exact ends[4] = {at + child.lb, at + child.ub(), at + child.trueLb,
                         at + child.trueUb};
        if (!std::all_of(ends, ends + 4, [](Exact e) { return e.ok(); })) {
          fine = false;
          return;
        }
        if (child.hasMarkers)
          marked.add(ends[0].value(), ends[1].value());
        if (child.size == 0)
          continue;
        unmarked.add(ends[0].value(), ends[1].value());
        data.add(ends[2].value(), ends[3].value());
      }
  }

  Type &type;
  Hull marked, unmarked, data;
  Exact size{0};
  int64_t alignment = 1;
  bool fine = true;
};

} // namespace

static bool deriveBasic(Type &type) {
  Hull data;
  for (Bytes bytes : type.map)
    if (bytes.length != 0)
      data.add(bytes.place, bytes.place + bytes.length);
  type.trueLb = data.low;
  type.trueUb = data.high;
  return true;
}

static bool deriveSame(Type &type) {
  const Type &child = *type.children[0];
  type.size = child.size;
  type.lb = child.lb;
  type.extent = child.extent;
  type.trueLb = child.trueLb;
  type.trueUb = child.trueUb;
  type.alignment = child.alignment;
  type.hasMarkers = child.hasMarkers;
  if (type.combiner == Combiner::Resized) {
    type.lb = type.newLb;
    type.extent = type.newExtent;
    type.hasMarkers = true;
  }
  return (Exact(type.lb) + type.extent).ok();
}

static bool deriveLists(Type &type) {
  Collector collector(type);
  for (size_t block = 0; block < type.places.size(); ++block) {
    size_t child = type.form() == Form::Several ? block : 0;
    collector.add(*type.children[child], type.steps[child], type.places[block],
                  type.blockLength(block));
  }
  if (!collector.finish())
    return false;
  if (type.combiner != Combiner::Struct || type.hasMarkers)
    return true;
  // The extent of a C struct is a multiple of its alignment.
  int64_t rest = type.extent % type.alignment;
  type.extent += rest == 0 ? 0 : type.alignment - rest;
  return true;
}

/// Elements of a dimension that belong to the type, and the first and the last
/// of them.
static int64_t selected(const Type &type, const ArrayDim &dim, int64_t &first,
                        int64_t &last) {
  if (type.form() == Form::Subarray) {
    first = dim.start;
    last = dim.start + dim.subsize - 1;
    return dim.subsize;
  }
  int64_t total = 0;
  int64_t round = dim.blockSize * dim.processes;
  first = dim.blockSize * dim.coordinate;
  if (first >= dim.size)
    return 0;
  int64_t rounds = (dim.size - first + round - 1) / round;
  int64_t lastBlock = first + (rounds - 1) * round;
  int64_t lastLength = std::min(dim.blockSize, dim.size - lastBlock);
  total = (rounds - 1) * dim.blockSize + lastLength;
  last = lastBlock + lastLength - 1;
  return total;
}

static bool deriveArray(Type &type) {
  const Type &child = *type.children[0];
  Exact elements(1), size(child.size), first(0), last(0);
  bool nothing = child.size == 0;
  for (const ArrayDim &dim : type.dims) {
    int64_t from = 0, to = 0;
    int64_t chosen = selected(type, dim, from, to);
    nothing |= chosen == 0;
    elements = elements * dim.size;
    size = size * chosen;
    first = first * dim.size + from;
    last = last * dim.size + to;
  }
  // The bounds are those of the whole array, whatever the part.
  Exact extent = elements * child.extent;
  if (!extent.ok() || !size.ok())
    return false;
  type.extent = extent.value();
  type.lb = 0;
  type.hasMarkers = true;
  type.alignment = child.alignment;
  type.size = nothing ? 0 : size.value();
  if (nothing)
    return true;
  Hull data;
  for (Exact at : {first * child.extent, last * child.extent}) {
    Exact low = at + child.trueLb, high = at + child.trueUb;
    if (!low.ok() || !high.ok())
      return false;
    data.add(low.value(), high.value());
  }
  type.trueLb = data.low;
  type.trueUb = data.high;
  return true;
}

bool spinc::ddt::deriveBounds(Type &type) {
  switch (type.form()) {
  case Form::Basic:
    return deriveBasic(type);
  case Form::Same:
    return deriveSame(type);
  case Form::Strided: {
    Collector collector(type);
    collector.add(*type.children[0], type.steps[0], 0, type.blocklen,
                  type.count, type.stride);
    return collector.finish();
  }
  case Form::Listed:
  case Form::Several:
    return deriveLists(type);
  case Form::Subarray:
  case Form::Darray:
    return deriveArray(type);
  }
  return false;
}
