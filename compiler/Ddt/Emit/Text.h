// The forms of a layout that other programs read: --emit=dataloop and
// --emit=blocks. docs/datatypes.md describes both.
#ifndef SPINC_COMPILER_DDT_EMIT_TEXT_H
#define SPINC_COMPILER_DDT_EMIT_TEXT_H

#include "compiler/Ddt/Layout/Layout.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace spinc::ddt {

/// A description that spinc-ddt reads again, made of dataloops over bytes.
void printDataloop(llvm::raw_ostream &out, llvm::StringRef name, Placed layout);

/// One JSON object with the longest runs in stream order:
/// [stream offset, host offset, length].
void printBlocks(llvm::raw_ostream &out, llvm::StringRef name, Placed layout);

/// FNV-1a of 64 bits, from 1469598103934665603 on, over the runs, each as three
/// little-endian numbers of 64 bits.
uint64_t hashOfRuns(Placed layout);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_EMIT_TEXT_H
