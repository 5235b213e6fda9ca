// "did you mean …": the spelling suggestion that all stages share.
#ifndef SPINC_DIAGNOSTICS_SUGGEST_H
#define SPINC_DIAGNOSTICS_SUGGEST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace spinc {

/// The candidate nearest to `word` within edit distance 2 (1 for words of up
/// to three letters); the first of equals. None if all are further away.
std::optional<llvm::StringRef>
suggest(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace spinc

#endif // SPINC_DIAGNOSTICS_SUGGEST_H
