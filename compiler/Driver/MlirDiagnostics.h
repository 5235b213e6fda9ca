// Messages of MLIR passes as messages of spinc. Our passes write them so:
// the text begins with the code, "E0401: index may be 1024", and attached notes
// that begin with "reason: ", "witness: " or "fix: " are supporting lines.
#ifndef SPINC_COMPILER_DRIVER_MLIRDIAGNOSTICS_H
#define SPINC_COMPILER_DRIVER_MLIRDIAGNOSTICS_H

#include "compiler/AST/Ast.h"
#include "compiler/Diagnostics/Engine.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/StringSaver.h"

namespace spinc::driver {

/// False, and nothing is reported, for an error without a code: no program
/// can cause it, so the compiler has erred. The engine refers to codes, which
/// `codes` keeps. With the `program` that the IR was made from, the diagnostic
/// gets the repairs that Repairs.h finds in it; `program` may be null. With
/// `keepsRejected` what the prover rejects is a warning.
bool reportMlirDiagnostic(mlir::Diagnostic &diagnostic, SourceManager &sources,
                          DiagnosticEngine &engine, llvm::StringSaver &codes,
                          const ast::Program *program,
                          bool keepsRejected = false);

/// The place in a source that `location` names; invalid if it names none.
SourceRange sourceRange(mlir::Location location, SourceManager &sources);

} // namespace spinc::driver

#endif // SPINC_COMPILER_DRIVER_MLIRDIAGNOSTICS_H
