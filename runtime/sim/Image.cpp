//===- Image.cpp - Reading ELF files --------------------------------------===//
//
// Uses LLVM's object reader, and checks ranges before it touches bytes.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/Image.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace spinc;
using namespace spinc::sim;
using namespace llvm;
using namespace llvm::object;

Image::Image() = default;
Image::~Image() = default;
Image::Image(Image &&) = default;
Image &Image::operator=(Image &&) = default;

/// Takes the text out of an LLVM error.
static bool fail(std::string &error, const char *what, Error reason) {
  error = formatv("{0}: {1}", what, toString(std::move(reason)));
  return false;
}

bool Image::read(const void *bytes, size_t size, std::string &error) {
  file.assign(static_cast<const char *>(bytes),
              static_cast<const char *>(bytes) + size);
  StringRef content(file.data(), file.size());
  if (!content.starts_with(ELF::ElfMagic)) {
    error = size == 0 ? "the file is empty" : "not an ELF file";
    return false;
  }
  if (size < sizeof(ELF::Elf32_Ehdr)) {
    error = formatv("truncated ELF file: {0} bytes are no ELF header", size);
    return false;
  }
  if (content[ELF::EI_CLASS] != ELF::ELFCLASS32 ||
      content[ELF::EI_DATA] != ELF::ELFDATA2LSB) {
    error = "the ELF file is not for a 32-bit little-endian machine; expected "
            "RISC-V (rv32)";
    return false;
  }
  Expected<std::unique_ptr<ObjectFile>> parsed =
      ObjectFile::createELFObjectFile(MemoryBufferRef(content, "image"));
  if (!parsed)
    return fail(error, "damaged ELF file", parsed.takeError());
  object = std::move(*parsed);
  const auto *elf = dyn_cast<ELF32LEObjectFile>(object.get());
  if (!elf) {
    error = "damaged ELF file";
    return false;
  }
  const auto &header = elf->getELFFile().getHeader();
  if (header.e_machine != ELF::EM_RISCV) {
    error = formatv("the ELF file is for machine {0}; expected RISC-V ({1})",
                    unsigned(header.e_machine), unsigned(ELF::EM_RISCV));
    return false;
  }
  if (header.e_type != ELF::ET_EXEC) {
    error = header.e_type == ELF::ET_REL
                ? "the ELF file is a relocatable object, not a linked image"
                : "the ELF file is no executable with fixed addresses";
    return false;
  }
  entry = header.e_entry;
  return readSegments(error) && readSections(error);
}

bool Image::readSegments(std::string &error) {
  const auto &elf = cast<ELF32LEObjectFile>(object.get())->getELFFile();
  auto headers = elf.program_headers();
  if (!headers)
    return fail(error, "truncated ELF file", headers.takeError());
  for (const auto &header : *headers) {
    if (header.p_type != ELF::PT_LOAD || header.p_memsz == 0)
      continue;
    uint64_t end = uint64_t(header.p_offset) + header.p_filesz;
    if (end > file.size()) {
      error = formatv("truncated ELF file: a segment ends at byte {0}, the "
                      "file at {1}",
                      end, file.size());
      return false;
    }
    uint64_t last = uint64_t(header.p_paddr) + header.p_memsz;
    if (header.p_filesz > header.p_memsz || last > (1ull << 32)) {
      error = "damaged ELF file: a segment's sizes contradict each other";
      return false;
    }
    const char *first = file.data() + header.p_offset;
    segments.push_back({header.p_paddr, header.p_memsz,
                        std::vector<uint8_t>(first, first + header.p_filesz),
                        (header.p_flags & ELF::PF_X) != 0});
  }
  if (segments.empty()) {
    error = "the ELF file has nothing to load";
    return false;
  }
  return true;
}

bool Image::readSections(std::string &error) {
  const auto *elf = cast<ELF32LEObjectFile>(object.get());
  auto sections = elf->getELFFile().sections();
  if (!sections)
    return fail(error, "truncated ELF file", sections.takeError());
  for (const SectionRef &section : object->sections()) {
    Expected<StringRef> name = section.getName();
    if (!name)
      return fail(error, "damaged ELF file", name.takeError());
    if (*name != ".spin.meta")
      continue;
    Expected<StringRef> contents = section.getContents();
    if (!contents)
      return fail(error, "truncated ELF file", contents.takeError());
    metadata = contents->str();
  }
  for (const ELFSymbolRef symbol : elf->symbols()) {
    Expected<StringRef> name = symbol.getName();
    if (!name)
      return fail(error, "damaged ELF file", name.takeError());
    Expected<uint64_t> value = symbol.getValue();
    if (!value)
      return fail(error, "damaged ELF file", value.takeError());
    if (name->empty())
      continue;
    symbols[name->str()] = uint32_t(*value);
    symbolSizes[name->str()] = uint32_t(symbol.getSize());
    if (symbol.getELFType() == ELF::STT_FUNC)
      functions[uint32_t(*value)] = name->str();
  }
  return true;
}

isa::InstructionSet Image::instructionSet() const {
  return symbols.count(isa::corevNote) ? isa::InstructionSet::Corev
                                       : isa::InstructionSet::Pspin;
}

DWARFContext &Image::debugInfo() const {
  if (!dwarf)
    dwarf = DWARFContext::create(
        *object, DWARFContext::ProcessDebugRelocations::Process, nullptr, "",
        [](Error error) { consumeError(std::move(error)); },
        [](Error warning) { consumeError(std::move(warning)); });
  return *dwarf;
}

const Image::Place &Image::placeOf(uint32_t pc) const {
  auto [found, isNew] = places.try_emplace(pc);
  Place &place = found->second;
  if (!isNew || !object)
    return place;
  DIInliningInfo frames = debugInfo().getInliningInfoForAddress(
      {pc, SectionedAddress::UndefSection},
      DILineInfoSpecifier(
          DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
          DILineInfoSpecifier::FunctionNameKind::ShortName));
  for (uint32_t i = 0; i < frames.getNumberOfFrames(); ++i) {
    const DILineInfo &frame = frames.getFrame(i);
    if (i == 0 && frame.Line != 0) {
      place.file = frame.FileName;
      place.line = frame.Line;
    }
    if (frame.FunctionName != DILineInfo::BadString)
      place.functions.insert(place.functions.begin(), frame.FunctionName);
  }
  return place;
}

std::string Image::sourceLine(uint32_t pc) const {
  if (!object)
    return "";
  // Code that the compiler merged from several lines has none; the code
  // before it, within the function, is near.
  auto function = functions.upper_bound(pc);
  uint32_t begin =
      function == functions.begin() ? pc : std::prev(function)->first;
  for (uint32_t at = pc; at >= begin && at <= pc; at -= 2) {
    std::optional<DILineInfo> line = debugInfo().getLineInfoForAddress(
        {at, SectionedAddress::UndefSection},
        DILineInfoSpecifier(
            DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath,
            DILineInfoSpecifier::FunctionNameKind::None));
    if (!line)
      return "";
    if (line->Line != 0)
      return formatv("{0} {1}:{2}", at == pc ? "at" : "near",
                     sys::path::filename(line->FileName), line->Line);
  }
  return "";
}

std::string Image::functionAt(uint32_t pc) const {
  auto after = functions.upper_bound(pc);
  return after == functions.begin() ? "" : std::prev(after)->second;
}
