// A datatype as it was described: one node for each MPI constructor or
// dataloop, with the sizes and bounds that the description says or that the
// formulas of MPI give. docs/datatypes.md is the form of the files.
#ifndef SPINC_COMPILER_DDT_DESCRIPTION_TYPE_H
#define SPINC_COMPILER_DDT_DESCRIPTION_TYPE_H

#include "compiler/Ddt/Description/Exact.h"

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace spinc::ddt {

enum class Combiner {
#define COMBINER(id, spelling, form) id,
#include "compiler/Ddt/Description/Combiners.def"
};

/// What the stages behind the reader tell apart; Combiners.def explains them.
enum class Form { Basic, Same, Strided, Listed, Several, Subarray, Darray };

Form formOf(Combiner combiner);
/// As in a file, such as "indexed_block".
llvm::StringRef spellingOf(Combiner combiner);
std::optional<Combiner> combinerOf(llvm::StringRef spelling);

enum class Distribution { Block, Cyclic, None };

struct ArrayDim {
  int64_t size = 0;
  // of a subarray
  int64_t subsize = 0, start = 0;
  // of a darray; a block has `blockSize` elements, process `coordinate` of
  // `processes` has every `processes`-th block from `coordinate` on
  int64_t blockSize = 0, processes = 1, coordinate = 0;
};

/// `length` bytes of data at byte `place`.
struct Bytes {
  int64_t place;
  int64_t length;
};

struct Type {
  Combiner combiner = Combiner::Named;
  std::string name; ///< of a basic type

  /// Children: one, or as many as blocks in a `Several`, or none.
  std::vector<std::unique_ptr<Type>> children;
  /// Bytes between elements of a child in one block, for each child.
  std::vector<int64_t> steps;

  // Strided
  int64_t count = 0, blocklen = 0;
  int64_t stride = 0; ///< bytes
  // Listed and Several; `blocklens` has one entry if all are the same
  std::vector<int64_t> blocklens;
  std::vector<int64_t> places; ///< bytes
  // Subarray and Darray: slowest dimension first
  std::vector<ArrayDim> dims;
  // Basic
  std::vector<Bytes> map;
  // Resized
  int64_t newLb = 0, newExtent = 0;

  int64_t size = 0; ///< bytes of data
  int64_t lb = 0, extent = 0;
  /// First and one past the last byte of data; both 0 if there is none.
  int64_t trueLb = 0, trueUb = 0;
  int64_t alignment = 1;
  /// Bounds were set by `resized` here or below (MPI-4.0, 5.1.7).
  bool hasMarkers = false;

  Form form() const { return formOf(combiner); }
  int64_t ub() const { return lb + extent; }
  int64_t blockLength(size_t block) const {
    return blocklens.size() == 1 ? blocklens[0] : blocklens[block];
  }
};

/// Sets size, bounds and alignment from the children by the formulas of MPI.
/// False if one leaves the range of `Exact`.
bool deriveBounds(Type &type);

/// A message: `count` elements of a type.
struct Description {
  std::string name;
  std::string source; ///< who wrote it; empty if it is not said
  int64_t count = 1;
  std::unique_ptr<Type> type;

  int64_t size() const { return count * type->size; }
};

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_DESCRIPTION_TYPE_H
