// --verify-diagnostics: tests of messages inside the program that causes them.
// A comment such as
//     // expected-error {{may be out of bounds}}
// expects an error with that text on its line; @+N, @-N, @above and @below move
// the line, expected-warning expects a warning, and expected-reason, -witness,
// -fix and -note expect supporting lines anywhere in the message of that line.
#ifndef SPINC_COMPILER_DRIVER_VERIFYDIAGNOSTICS_H
#define SPINC_COMPILER_DRIVER_VERIFYDIAGNOSTICS_H

#include "compiler/Diagnostics/Engine.h"

namespace spinc::driver {

/// True if every expectation of every source is met and every error and
/// warning was expected; says on `out` what is not so.
bool verifyDiagnostics(const SourceManager &sources,
                       const DiagnosticEngine &engine, llvm::raw_ostream &out);

} // namespace spinc::driver

#endif // SPINC_COMPILER_DRIVER_VERIFYDIAGNOSTICS_H
