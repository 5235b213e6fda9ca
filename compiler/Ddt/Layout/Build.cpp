// The layout of a type, constructor by constructor. `repeated` and
// `inSequence` do the rewrites.
#include "compiler/Ddt/Layout/Normalise.h"

#include <algorithm>

using namespace spinc::ddt;

Placed spinc::ddt::repeated(LayoutPool &pool, Placed child, int64_t count,
                            int64_t stride) {
  if (count == 0 || !child.layout)
    return {};
  if (count == 1)
    return child;
  const Layout &inner = *child.layout;
  // Copies that adjoin are one run; rows that continue each other one row.
  if (inner.kind == LayoutKind::Run && stride == inner.length)
    return {child.place, pool.run(count * inner.length)};
  if (inner.kind == LayoutKind::Repeat && stride == inner.count * inner.stride)
    return {child.place,
            pool.repeat(count * inner.count, inner.stride, inner.child)};
  return {child.place, pool.repeat(count, stride, child.layout)};
}

namespace {

class Builder {
public:
  explicit Builder(LayoutPool &pool) : pool(pool) {}

  /// A layout that is what `inSequence` makes of its runs, if one is known.
  const Layout *folded = nullptr;

  Placed build(const Type &type) {
    if (type.size == 0)
      return {};
    switch (type.form()) {
    case Form::Basic:
      return buildBasic(type);
    case Form::Same:
      return build(*type.children[0]);
    case Form::Strided: {
      Placed block = repeated(pool, build(*type.children[0]), type.blocklen,
                              type.steps[0]);
      return repeated(pool, block, type.count, type.stride);
    }
    case Form::Listed:
    case Form::Several:
      return buildBlocks(type);
    case Form::Subarray:
    case Form::Darray:
      return buildArray(type);
    }
    return {};
  }

private:
  Placed buildBasic(const Type &type) {
    std::vector<Placed> runs;
    for (Bytes bytes : type.map)
      if (bytes.length != 0)
        runs.push_back({bytes.place, pool.run(bytes.length)});
    return inSequence(pool, std::move(runs));
  }

  Placed buildBlocks(const Type &type) {
    std::vector<Placed> items;
    items.reserve(type.places.size());
    bool allRuns = true;
    Placed child, block;
    int64_t length = -1;
    for (size_t i = 0; i < type.places.size(); ++i) {
      bool several = type.form() == Form::Several;
      if (i == 0 || several)
        child = build(*type.children[several ? i : 0]);
      // Long lists have few lengths, most of them in a row.
      if (several || type.blockLength(i) != length) {
        length = type.blockLength(i);
        block = repeated(pool, child, length, type.steps[several ? i : 0]);
      }
      if (!block.layout)
        continue;
      items.push_back({type.places[i] + block.place, block.layout});
      allRuns &= block.layout->kind == LayoutKind::Run;
    }
    Placed made = inSequence(pool, std::move(items));
    if (allRuns)
      folded = made.layout;
    return made;
  }

  Placed buildArray(const Type &type) {
    const Type &child = *type.children[0];
    Placed inner = build(child);
    int64_t step = child.extent;
    for (size_t i = type.dims.size(); i-- > 0;) {
      const ArrayDim &dim = type.dims[i];
      inner = type.form() == Form::Subarray
                  ? part(inner, step, dim.start, dim.subsize)
                  : blocks(inner, step, dim);
      step *= dim.size;
    }
    return inner;
  }

  Placed part(Placed inner, int64_t step, int64_t start, int64_t count) {
    Placed made = repeated(pool, inner, count, step);
    made.place += start * step;
    return made;
  }

  Placed blocks(Placed inner, int64_t step, const ArrayDim &dim) {
    int64_t first = dim.blockSize * dim.coordinate;
    int64_t round = dim.blockSize * dim.processes;
    int64_t whole =
        std::max<int64_t>(0, (dim.size - first - dim.blockSize) / round + 1);
    if (dim.size < first + dim.blockSize)
      whole = 0;
    Placed rows = repeated(pool, part(inner, step, first, dim.blockSize), whole,
                           round * step);
    int64_t tail = first + whole * round;
    std::vector<Placed> parts;
    if (rows.layout)
      parts.push_back(rows);
    if (tail < dim.size)
      parts.push_back(part(inner, step, tail, dim.size - tail));
    return inSequence(pool, std::move(parts));
  }

  LayoutPool &pool;
};

} // namespace

Placed spinc::ddt::normalise(const Description &description, LayoutPool &pool,
                             const NormaliseOptions &options) {
  const Type &type = *description.type;
  Builder builder(pool);
  Placed whole =
      repeated(pool, builder.build(type), description.count, type.extent);
  if (!whole.layout || whole.layout == builder.folded ||
      whole.layout->runs > options.flattenLimit)
    return whole;
  std::vector<Placed> runs;
  runs.reserve(whole.layout->runs);
  int64_t length = 0;
  const Layout *run = nullptr;
  forEachRun(whole, [&](int64_t place, int64_t bytes) {
    if (bytes != length)
      run = pool.run(length = bytes);
    runs.push_back({place, run});
  });
  return inSequence(pool, std::move(runs));
}
