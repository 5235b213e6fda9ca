// Walks a description element by element.
#include "compiler/Ddt/Verify/Reference.h"

#include <algorithm>

using namespace spinc::ddt;

namespace {

class Flattener {
public:
  std::vector<Stretch> stretches;

  void walk(const Type &type, int64_t at) {
    switch (type.form()) {
    case Form::Basic:
      for (Bytes bytes : type.map)
        take(at + bytes.place, bytes.length);
      return;
    case Form::Same:
      return walk(*type.children[0], at);
    case Form::Strided:
      for (int64_t i = 0; i < type.count; ++i)
        block(type, 0, at + i * type.stride, type.blocklen);
      return;
    case Form::Listed:
    case Form::Several:
      for (size_t i = 0; i < type.places.size(); ++i)
        block(type, type.form() == Form::Several ? i : 0, at + type.places[i],
              type.blockLength(i));
      return;
    case Form::Subarray:
    case Form::Darray:
      return array(type, 0, at, 0);
    }
  }

private:
  void block(const Type &type, size_t child, int64_t at, int64_t length) {
    if (type.children[child]->size == 0)
      return;
    for (int64_t j = 0; j < length; ++j)
      walk(*type.children[child], at + j * type.steps[child]);
  }

  /// `index` counts the elements of the slower dimensions.
  void array(const Type &type, size_t dimension, int64_t at, int64_t index) {
    if (dimension == type.dims.size())
      return walk(*type.children[0], at + index * type.children[0]->extent);
    const ArrayDim &dim = type.dims[dimension];
    for (int64_t i = 0; i < dim.size; ++i)
      if (isMine(type, dim, i))
        array(type, dimension + 1, at, index * dim.size + i);
  }

  static bool isMine(const Type &type, const ArrayDim &dim, int64_t i) {
    if (type.form() == Form::Subarray)
      return dim.start <= i && i < dim.start + dim.subsize;
    return i / dim.blockSize % dim.processes == dim.coordinate;
  }

  void take(int64_t place, int64_t length) {
    if (length != 0)
      stretches.push_back({stream, place, length});
    stream += length;
  }

  int64_t stream = 0;
};

} // namespace

std::vector<Stretch> spinc::ddt::flatten(const Description &description) {
  Flattener flattener;
  if (description.type->size != 0)
    for (int64_t i = 0; i < description.count; ++i)
      flattener.walk(*description.type, i * description.type->extent);
  return std::move(flattener.stretches);
}

bool spinc::ddt::overlaps(std::vector<Stretch> stretches) {
  std::sort(
      stretches.begin(), stretches.end(),
      [](const Stretch &a, const Stretch &b) { return a.place < b.place; });
  for (size_t i = 1; i < stretches.size(); ++i)
    if (stretches[i].place < stretches[i - 1].place + stretches[i - 1].length)
      return true;
  return false;
}
