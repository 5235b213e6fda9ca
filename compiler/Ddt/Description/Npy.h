// Lists of integers in files as numpy writes them (.npy, version 1 to 3).
#ifndef SPINC_COMPILER_DDT_DESCRIPTION_NPY_H
#define SPINC_COMPILER_DDT_DESCRIPTION_NPY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <vector>

namespace spinc::ddt {

/// One dimension of little-endian integers with 4 or 8 bytes. `file` is
/// relative to `folder`, and has no way out of it.
llvm::Expected<std::vector<int64_t>> readNpy(llvm::StringRef folder,
                                             llvm::StringRef file);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_DESCRIPTION_NPY_H
