// From the typed AST to the spin dialect. Sema has accepted the program, so
// nothing here reports an error: what the program may not do is either gone or
// an obligation on an operation, which spin-prove-bounds discharges.
#ifndef SPINC_IRGEN_IRGEN_H
#define SPINC_IRGEN_IRGEN_H

#include "compiler/AST/Ast.h"
#include "compiler/Sema/Info.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace spinc {

/// One module with a `spin.context` for each context of the program. Operations
/// carry the source range they come from; values that the user named carry a
/// NameLoc. The module has the attribute `spin.clusters`.
mlir::OwningOpRef<mlir::ModuleOp> generateSpin(const sema::ProgramInfo &program,
                                               const SourceFile &file,
                                               unsigned clusters, unsigned hpus,
                                               mlir::MLIRContext &context);

} // namespace spinc

#endif // SPINC_IRGEN_IRGEN_H
