// What is left of a program whose mistakes lie in the bodies of handlers and
// functions: the handlers that none of them touches.
#pragma once

#include "compiler/Sema/Info.h"

namespace spinc {

class DiagnosticEngine;

namespace sema {

/// Removes from `info` each handler that holds one of the errors, or calls a
/// function that does, or comes after a header handler that does: what that one
/// leaves in the state, nobody knows. Contexts without a handler go as well.
/// What remains is as after an analyze() that returned true.
///
/// False if nothing remains, or if it cannot be told: an error lies elsewhere,
/// or was not kept.
bool keepWholeHandlers(const ast::Program &program, ProgramInfo &info,
                       const DiagnosticEngine &diagnostics);

} // namespace sema
} // namespace spinc
