// Descriptions of datatypes to live MPI datatypes, for the oracle: the reverse
// of runtime/host/mpi. Written against the MPI standard and the documented
// JSON form only; it shares no code with spinc-ddt.
#ifndef SPINC_COMPILER_TOOLS_SPINC_DDT_MPI_MPIBUILDER_H
#define SPINC_COMPILER_TOOLS_SPINC_DDT_MPI_MPIBUILDER_H

#include <llvm/Support/JSON.h>

#include <mpi.h>

#include <string>

namespace spinc::ddt {

struct BuilderOptions {
  /// Constructors with large counts, where the library has them.
  bool large = false;
};

/// The type of a description's node, for the caller to free, or
/// MPI_DATATYPE_NULL with a sentence in `error`. Sizes and extents in the
/// description are ignored: they are for the library to find.
MPI_Datatype buildType(const llvm::json::Object &node,
                       const BuilderOptions &options, std::string &error);

/// Frees a type of buildType; predefined ones stay.
void releaseType(MPI_Datatype type);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_TOOLS_SPINC_DDT_MPI_MPIBUILDER_H
