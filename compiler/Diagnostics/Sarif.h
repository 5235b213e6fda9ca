// `--diagnostics=sarif`: the diagnostics of one run as a SARIF 2.1.0 log, which
// editors and code-scanning services read. The text that people read and this
// log are made from the same Diagnostic values.
#ifndef SPINC_DIAGNOSTICS_SARIF_H
#define SPINC_DIAGNOSTICS_SARIF_H

#include "compiler/Diagnostics/Engine.h"

namespace spinc {

/// What a log says beside the diagnostics.
struct SarifRun {
  std::string toolVersion;
  /// Says why the compiler itself failed; empty if it did not.
  std::string internalError;
};

/// Writes one log with one run. A diagnostic becomes a result: code, level,
/// region, notes as related locations, repairs as one fix, and `reasons`,
/// `witnesses` and `advice` as properties. Each code that occurs is a rule
/// whose help is its page of docs/errors.
void writeSarif(llvm::raw_ostream &out, const DiagnosticEngine &engine,
                const SarifRun &run);

} // namespace spinc

#endif // SPINC_DIAGNOSTICS_SARIF_H
