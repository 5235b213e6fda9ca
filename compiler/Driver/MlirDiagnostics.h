// Messages of MLIR passes as messages of spinc. Our passes write them so:
// the text ends in the code, "index may be 1024 [E0401]", and attached notes
// that begin with "reason: ", "witness: " or "fix: " are supporting lines.
#ifndef SPINC_COMPILER_DRIVER_MLIRDIAGNOSTICS_H
#define SPINC_COMPILER_DRIVER_MLIRDIAGNOSTICS_H

#include "compiler/Diagnostics/Engine.h"
#include "mlir/IR/Diagnostics.h"

namespace spinc::driver {

/// False, and nothing is reported, for an error without a code: no program
/// can cause it, so the compiler has erred.
bool reportMlirDiagnostic(mlir::Diagnostic &diagnostic, SourceManager &sources,
                          DiagnosticEngine &engine);

/// The place in a source that `location` names; invalid if it names none.
SourceRange sourceRange(mlir::Location location, SourceManager &sources);

} // namespace spinc::driver

#endif // SPINC_COMPILER_DRIVER_MLIRDIAGNOSTICS_H
