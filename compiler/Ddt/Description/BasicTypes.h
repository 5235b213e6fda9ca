// Basic types that every MPI has on a machine with 64-bit longs, for
// descriptions that do not say the size of a name.
#ifndef SPINC_COMPILER_DDT_DESCRIPTION_BASICTYPES_H
#define SPINC_COMPILER_DDT_DESCRIPTION_BASICTYPES_H

#include "compiler/Ddt/Description/Type.h"

namespace spinc::ddt {

struct BasicType {
  llvm::StringRef name;
  int64_t size;
  int64_t extent;
  /// As in a C struct; the largest power of two in the extent if it is 0.
  int64_t alignment = 0;
  /// Where the second member of a pair begins, and the size of the first.
  int64_t second = 0, first = 0;
};

/// Null if the name is not known. Names are MPI's, or `b<n>` for n bytes.
const BasicType *findBasicType(llvm::StringRef name);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_DESCRIPTION_BASICTYPES_H
