//===- Image.h - The ELF file that a card or a bare machine runs ----------===//
//
// Reads 32-bit RISC-V executables, checks everything it uses, and answers
// with one sentence if the file is something else or damaged.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_IMAGE_H
#define SPINC_RUNTIME_SIM_IMAGE_H

#include "runtime/isa/Isa.h"
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class DWARFContext;
namespace object {
class ObjectFile;
}
} // namespace llvm

namespace spinc::sim {

struct Segment {
  uint32_t address;
  uint32_t memorySize; // at least bytes.size(); the rest is zero
  std::vector<uint8_t> bytes;
  bool executable;
};

class Image {
public:
  Image();
  ~Image();
  Image(Image &&);
  Image &operator=(Image &&);

  /// Reads `size` bytes. Returns false and says why in `error`.
  bool read(const void *bytes, size_t size, std::string &error);

  uint32_t entry = 0;
  std::vector<Segment> segments;
  std::map<std::string, uint32_t> symbols;
  std::map<std::string, uint32_t> symbolSizes;
  std::string metadata; // of section .spin.meta, empty if there is none
  /// Pspin unless the image says otherwise.
  isa::InstructionSet instructionSet() const;

  /// "at file:line" of an address, "near file:line" if only the code before it
  /// has a line, or empty without debug information.
  std::string sourceLine(uint32_t pc) const;
  /// Where an instruction comes from: its line, and the functions that contain
  /// it, inlined ones last. Empty without debug information. Kept, so asking
  /// again is cheap.
  struct Place {
    std::string file; // as the compiler was given it, or absolute
    uint32_t line = 0;
    std::vector<std::string> functions;
  };
  const Place &placeOf(uint32_t pc) const;
  /// The function that contains an address, or empty.
  std::string functionAt(uint32_t pc) const;

private:
  llvm::DWARFContext &debugInfo() const;
  bool readSegments(std::string &error);
  bool readSections(std::string &error);

  std::vector<char> file;
  std::unique_ptr<llvm::object::ObjectFile> object;
  mutable std::unique_ptr<llvm::DWARFContext> dwarf;
  mutable std::map<uint32_t, Place> places;  // found so far
  std::map<uint32_t, std::string> functions; // by start
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_IMAGE_H
