// `spinc --explain E0203`: the pages of docs/errors, embedded at build time.
#ifndef SPINC_DIAGNOSTICS_EXPLAIN_H
#define SPINC_DIAGNOSTICS_EXPLAIN_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <vector>

namespace spinc {

/// The page of a code, in Markdown. Letters of either case are accepted.
std::optional<llvm::StringRef> explain(llvm::StringRef code);

/// All codes that have a page, for suggestions.
std::vector<llvm::StringRef> explainedCodes();

} // namespace spinc

#endif // SPINC_DIAGNOSTICS_EXPLAIN_H
