// Witnesses as JSON, to be kept and replayed; docs/cycle-bounds.md lists the
// keys.
#ifndef SPINC_COMPILER_WITNESS_WITNESSJSON_H
#define SPINC_COMPILER_WITNESS_WITNESSJSON_H

#include "compiler/Witness/Search.h"

namespace spinc::witness {

llvm::json::Object toJSON(const Witness &witness, int64_t worst);
/// The stimulus of a witness; an error says which key is missing or wrong.
llvm::Expected<Stimulus> stimulusFrom(const llvm::json::Object &object);

/// Contents of state as they are shown.
llvm::ArrayRef<uint8_t> withoutZeros(llvm::ArrayRef<uint8_t> bytes);

/// worst / replayed with three digits, rounded up.
std::string tightness(int64_t worst, int64_t replayed);

} // namespace spinc::witness

#endif // SPINC_COMPILER_WITNESS_WITNESSJSON_H
