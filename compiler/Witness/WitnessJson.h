// Witnesses as JSON, to be kept and replayed; docs/cycle-bounds.md lists the
// keys.
#ifndef SPINC_COMPILER_WITNESS_WITNESSJSON_H
#define SPINC_COMPILER_WITNESS_WITNESSJSON_H

#include "compiler/Witness/Search.h"

namespace spinc::witness {

llvm::json::Object toJSON(const Witness &witness, int64_t worst);
/// The stimulus of a witness; an error says which key is missing or wrong.
llvm::Expected<Stimulus> stimulusFrom(const llvm::json::Object &object);

/// worst / replayed with three digits, rounded up.
std::string tightness(int64_t worst, int64_t replayed);

} // namespace spinc::witness

#endif // SPINC_COMPILER_WITNESS_WITNESSJSON_H
