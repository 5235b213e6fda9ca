// `--fix`: which repairs of a run can be made, and the texts they give. Nothing
// here touches a file; the driver writes the texts or prints their differences.
#ifndef SPINC_DIAGNOSTICS_APPLYFIXES_H
#define SPINC_DIAGNOSTICS_APPLYFIXES_H

#include "compiler/Diagnostics/Engine.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace spinc {

/// A file as it is after the repairs.
struct FixedFile {
  const SourceFile *file;
  std::string text;
  /// Diagnostics that were repaired in it.
  unsigned count = 0;
};

struct FixResult {
  std::vector<FixedFile> files;
  /// Repaired diagnostics, and those whose repair touches the text of another.
  unsigned applied = 0;
  unsigned skipped = 0;
};

/// The repairs of a diagnostic are made all or none, in the order in which the
/// diagnostics were reported; one that overlaps an earlier one is skipped. Two
/// equal insertions at one place are one. `wanted` chooses the diagnostics.
FixResult applyFixes(const DiagnosticEngine &engine,
                     llvm::function_ref<bool(const Diagnostic &)> wanted);

/// The difference between a file and its repaired text in unified form.
void printDifference(llvm::raw_ostream &out, const FixedFile &fixed);

} // namespace spinc

#endif // SPINC_DIAGNOSTICS_APPLYFIXES_H
