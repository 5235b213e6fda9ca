// The instructions of a linked image: from CORE-V encodings to those of PsPIN,
// and the last look at every one of them. Executable sections hold nothing but
// code, so a linear sweep meets each instruction once.
#include "compiler/Backend/Image.h"
#include "compiler/Backend/Sweep.h"
#include "runtime/isa/Isa.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace llvm::object;
using namespace spinc;
using namespace spinc::backend;

/// Calls `visit` for each instruction of one section.
static Error sweepSection(const ELFSectionRef &section, StringRef image,
                          InstructionVisit visit) {
  uint64_t start = section.getOffset();
  uint64_t size = section.getSize();
  for (uint64_t at = 0; at < size;) {
    uint64_t left = size - at;
    const char *bytes = image.data() + start + at;
    bool isLong = left >= 2 && (support::endian::read16le(bytes) & 3) == 3;
    unsigned length = isLong ? 4 : 2;
    if (left < length)
      return createStringError("the code of the image ends in the middle of "
                               "an instruction");
    if (Error error = visit(section.getAddress() + at, start + at, length))
      return error;
    at += length;
  }
  return Error::success();
}

Error spinc::backend::sweepImage(StringRef image, InstructionVisit visit) {
  auto file = ELFObjectFile<ELF32LE>::create(MemoryBufferRef(image, "image"));
  if (!file)
    return file.takeError();
  for (ELFSectionRef section : file->sections())
    if (section.isText() && section.getType() == ELF::SHT_PROGBITS)
      if (Error error = sweepSection(section, image, visit))
        return error;
  return Error::success();
}

std::string spinc::backend::codeOwner(StringRef image, uint64_t address) {
  auto file =
      cantFail(ELFObjectFile<ELF32LE>::create(MemoryBufferRef(image, "image")));
  for (const ELFSymbolRef &symbol : file.symbols()) {
    Expected<SymbolRef::Type> type = symbol.getType();
    Expected<StringRef> name = symbol.getName();
    Expected<uint64_t> start = symbol.getAddress();
    if (type && name && start && *type == SymbolRef::ST_Function &&
        *start <= address && address < *start + symbol.getSize())
      return name->str();
    consumeError(type.takeError());
    consumeError(name.takeError());
    consumeError(start.takeError());
  }
  return "the runtime";
}

namespace {

/// LOAD-FP, STORE-FP, the four fused opcodes and OP-FP.
bool isFloatingPoint(uint32_t word) {
  static constexpr uint32_t opcodes[] = {0x07, 0x27, 0x43, 0x47,
                                         0x4b, 0x4f, 0x53};
  return is_contained(opcodes, word & 0x7f);
}

} // namespace

Error spinc::backend::reencodeImage(MutableArrayRef<char> image) {
  return sweepImage(
      StringRef(image.data(), image.size()),
      [&](uint64_t, uint64_t fileOffset, unsigned length) -> Error {
        if (length != 4)
          return Error::success();
        char *bytes = image.data() + fileOffset;
        uint32_t word = support::endian::read32le(bytes);
        if (std::optional<uint32_t> xpulp = isa::reencodeXcv(word))
          support::endian::write32le(bytes, *xpulp);
        return Error::success();
      });
}

Error spinc::backend::checkInstructions(StringRef image,
                                        isa::InstructionSet set) {
  const char *cores = set == isa::InstructionSet::Pspin ? "PsPIN" : "CV32E40P";
  return sweepImage(
      image,
      [&](uint64_t address, uint64_t fileOffset, unsigned length) -> Error {
        uint32_t word = instructionAt(image, fileOffset, length);
        isa::Insn insn;
        bool known = isa::decode(word, insn, set);
        if (known && !isa::isHang(insn, set))
          return Error::success();
        std::string function = codeOwner(image, address);
        if (length == 4 && isFloatingPoint(word))
          return createStringError(formatv(
              "'{0}' uses a floating-point instruction ({1:x}); the cores "
              "of {2} have no floating-point unit",
              function, word, cores));
        if (known)
          return createStringError(
              formatv("'{0}' uses '{1}', which stops a core of {2} for ever",
                      function, isa::info(insn.op).mnemonic, cores));
        return createStringError(formatv(
            "'{0}' holds {1:x} at {2:x}, which is no instruction of {3}",
            function, word, address, cores));
      });
}
