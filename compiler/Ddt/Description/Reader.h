// Reads the JSON form of a datatype: docs/datatypes.md, "The description".
#ifndef SPINC_COMPILER_DDT_DESCRIPTION_READER_H
#define SPINC_COMPILER_DDT_DESCRIPTION_READER_H

#include "compiler/Ddt/Description/Type.h"

#include "llvm/Support/Error.h"

namespace spinc::ddt {

/// `file` is named in messages, and lists in files of their own are looked for
/// beside it. Errors say the place in the tree, what was expected there and
/// what was found.
llvm::Expected<Description> readDescription(llvm::StringRef text,
                                            llvm::StringRef file);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_DESCRIPTION_READER_H
