// The linked image as the analysis reads it: instruction bytes by address,
// function symbols, loop markers and the DWARF line table.
#ifndef SPINC_COMPILER_WCET_IMAGE_H
#define SPINC_COMPILER_WCET_IMAGE_H

#include "runtime/isa/Isa.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class DWARFContext;
namespace object {
class ObjectFile;
} // namespace object
} // namespace llvm

namespace spinc::wcet {

struct SourceLine {
  std::string file;
  int64_t line = 0; ///< 0: unknown
  bool operator<(const SourceLine &other) const;
};

class Image {
public:
  ~Image();
  Image(Image &&);
  static llvm::Expected<Image> parse(llvm::StringRef elf);

  /// 16 bits of code; nothing outside executable sections.
  std::optional<uint16_t> codeAt(uint32_t address) const;
  isa::InstructionSet instructionSet() const { return set; }
  /// Begin and end of each executable section, in the order of the file.
  std::vector<std::pair<uint32_t, uint32_t>> codeRanges() const;
  /// Name of the function that begins here, empty if none does.
  std::string functionBeginningAt(uint32_t address) const;
  std::optional<uint32_t> findFunction(llvm::StringRef name) const;
  /// Name of the function symbol at or before the address, for messages.
  std::string functionAt(uint32_t address) const;
  /// Ids of the markers that sit on the instruction at this address.
  llvm::ArrayRef<int64_t> markersAt(uint32_t address) const;
  /// Where handlers queue up for a lock, and where they have given it back; of
  /// locks with a queue, the instructions that link one to the one before.
  struct LockSites {
    std::vector<uint32_t> begins, ends, linkBegins, linkEnds;
  };
  const std::map<int64_t, LockSites> &lockSites() const { return locks; }
  /// Where the marker stands.
  std::vector<uint32_t> addressesOf(int64_t marker) const;
  /// Puts a marker on an instruction that the compiler did not mark.
  void addMarker(uint32_t address, int64_t id);
  SourceLine lineAt(uint32_t address) const;
  /// JSON text of section .spin.meta, empty without one.
  llvm::StringRef metadata() const { return meta; }

private:
  Image();
  llvm::Error readMarkers(llvm::StringRef bytes);
  llvm::Error readLocks(llvm::StringRef bytes);

  struct CodeRange {
    uint32_t address;
    llvm::StringRef bytes;
  };
  std::vector<CodeRange> code;
  isa::InstructionSet set = isa::InstructionSet::Pspin;
  std::map<std::string, uint32_t> functions;
  std::map<uint32_t, std::string> names;
  std::map<uint32_t, std::vector<int64_t>> markers;
  std::map<int64_t, LockSites> locks;
  llvm::StringRef meta;
  std::unique_ptr<llvm::object::ObjectFile> object;
  std::unique_ptr<llvm::DWARFContext> dwarf;
};

} // namespace spinc::wcet

#endif // SPINC_COMPILER_WCET_IMAGE_H
