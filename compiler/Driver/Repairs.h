// Repairs for what the prover rejects. The prover speaks of operations; which
// statement or operator has to change is only seen in the program's text, so
// its messages get their replacements here.
#ifndef SPINC_COMPILER_DRIVER_REPAIRS_H
#define SPINC_COMPILER_DRIVER_REPAIRS_H

#include "compiler/AST/Ast.h"
#include "compiler/Diagnostics/Engine.h"

namespace spinc::driver {

/// The replacements that would make `diagnostic` go away, if a machine can find
/// them: the guard or check in backquotes of its "fix" line before the
/// statement it is about, the wrapping operator, a mask. None for a diagnostic
/// that is about another file or has repairs already.
std::vector<FixIt> findRepairs(const Diagnostic &diagnostic,
                               const ast::Program &program);

} // namespace spinc::driver

#endif // SPINC_COMPILER_DRIVER_REPAIRS_H
