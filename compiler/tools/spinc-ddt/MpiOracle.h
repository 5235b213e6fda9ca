// Where MPI_Unpack of an installed library puts the bytes of a message.
#ifndef SPINC_COMPILER_TOOLS_SPINC_DDT_MPIORACLE_H
#define SPINC_COMPILER_TOOLS_SPINC_DDT_MPIORACLE_H

#include "compiler/Ddt/Verify/Reference.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace spinc::ddt {

/// Asks spinc-ddt-mpi-<library>, which lies beside `executable`, about the
/// description in `file`. `library` is "mpi" for the first that is there.
llvm::Expected<std::vector<Stretch>> unpackedBy(llvm::StringRef library,
                                                llvm::StringRef file,
                                                llvm::StringRef executable);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_TOOLS_SPINC_DDT_MPIORACLE_H
