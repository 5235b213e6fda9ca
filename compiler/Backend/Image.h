// The image of the card: linking with the device runtime, changing CORE-V
// encodings to those of PsPIN, checking every instruction, and writing the
// metadata. An image is a 32-bit little-endian ELF file in memory.
#ifndef SPINC_COMPILER_BACKEND_IMAGE_H
#define SPINC_COMPILER_BACKEND_IMAGE_H

#include "runtime/isa/Isa.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace spinc::backend {

using Bytes = llvm::SmallVector<char, 0>;

inline llvm::StringRef asText(const Bytes &bytes) {
  return {bytes.data(), bytes.size()};
}

/// Links one object with the device runtime in `runtimeDir`. What the linker
/// says is in the error.
/// `codeOffset` bytes, an even number, are left before the handlers. With
/// `allRoutines` the image has every routine of the device runtime.
llvm::Expected<Bytes> linkImage(llvm::StringRef object,
                                llvm::StringRef runtimeDir,
                                isa::InstructionSet set, unsigned codeOffset,
                                bool allRoutines);

/// Replaces each XCV instruction of a freshly linked image by the Xpulp
/// instruction of the same meaning. Once only: the maps overlap.
llvm::Error reencodeImage(llvm::MutableArrayRef<char> image);

/// Refuses an image with an instruction that the cores do not have or that
/// hangs them. Names the function and the instruction.
llvm::Error checkInstructions(llvm::StringRef image, isa::InstructionSet set);

/// Refuses an image with a hardware loop that breaks a rule of the card: a body
/// of one instruction, an end that is no plain instruction, a way in that
/// passes the set-up by, loops of one level within each other, calls of
/// functions with loops. CV32E40P also wants nothing in them that jumps, fences
/// or has 16 bits, three instructions, and two between the ends of two.
llvm::Error checkHardwareLoops(llvm::StringRef image, isa::InstructionSet set);

struct ImageSymbol {
  uint64_t address = 0;
  uint64_t size = 0;
};

/// Where things ended up: all symbols with a name.
struct ImageLayout {
  llvm::StringMap<ImageSymbol> symbols;
  /// Parameter blocks: from the address that handlers see to the address in
  /// L2 that the host writes.
  uint64_t loadAddress(uint64_t parameterAddress) const;
};

llvm::Expected<ImageLayout> readLayout(llvm::StringRef image);

/// The image with section .spin.meta holding `metadata` (replacing one that is
/// there) and, without `keepDebugInfo`, without DWARF.
llvm::Expected<Bytes> finishImage(llvm::StringRef image,
                                  llvm::StringRef metadata, bool keepDebugInfo);

} // namespace spinc::backend

#endif // SPINC_COMPILER_BACKEND_IMAGE_H
