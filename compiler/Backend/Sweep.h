// Visits the instructions of a linked image.
#ifndef SPINC_COMPILER_BACKEND_SWEEP_H
#define SPINC_COMPILER_BACKEND_SWEEP_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Error.h"
#include <string>

namespace spinc::backend {

using InstructionVisit = llvm::function_ref<llvm::Error(
    uint64_t address, uint64_t fileOffset, unsigned length)>;

/// Every instruction of the executable sections, in the order of addresses
/// within each.
llvm::Error sweepImage(llvm::StringRef image, InstructionVisit visit);

/// The instruction of `length` bytes, 2 or 4, that a visit is about.
inline uint32_t instructionAt(llvm::StringRef image, uint64_t fileOffset,
                              unsigned length) {
  const char *bytes = image.data() + fileOffset;
  return length == 4 ? llvm::support::endian::read32le(bytes)
                     : llvm::support::endian::read16le(bytes);
}

/// Name of the function that holds `address`.
std::string codeOwner(llvm::StringRef image, uint64_t address);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_SWEEP_H
