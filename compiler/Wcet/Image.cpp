// See Image.h. The image is little-endian ELF32 for RISC-V, fully linked.
#include "compiler/Wcet/Image.h"
#include "compiler/Wcet/Wcet.h"
#include "runtime/abi/LockSites.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

Image::Image() = default;
Image::~Image() = default;
Image::Image(Image &&) = default;

bool SourceLine::operator<(const SourceLine &other) const {
  return std::tie(file, line) < std::tie(other.file, other.line);
}

static Error badElf(const Twine &message) {
  return make_error<WcetError>(WcetError::Kind::BadElf, message.str());
}

/// The iterators over symbols end the program where a table is damaged.
static Error checkSymbolTables(const object::ELF32LEObjectFile &object) {
  const object::ELF32LEFile &file = object.getELFFile();
  auto sections = file.sections();
  if (!sections)
    return badElf(toString(sections.takeError()));
  for (const auto &section : *sections) {
    if (section.sh_type != ELF::SHT_SYMTAB &&
        section.sh_type != ELF::SHT_DYNSYM)
      continue;
    auto symbols = file.symbols(&section);
    if (!symbols)
      return badElf(toString(symbols.takeError()));
  }
  return Error::success();
}

Expected<Image> Image::parse(StringRef elf) {
  Image image;
  Expected<std::unique_ptr<object::ObjectFile>> object =
      object::ObjectFile::createELFObjectFile(MemoryBufferRef(elf, "image"));
  if (!object)
    return badElf("not an ELF file: " + toString(object.takeError()));
  image.object = std::move(*object);
  auto *file = dyn_cast<object::ELF32LEObjectFile>(image.object.get());
  if (!file || file->getELFFile().getHeader().e_machine != ELF::EM_RISCV)
    return badElf("not a 32-bit RISC-V ELF file");

  if (Error error = checkSymbolTables(*file))
    return std::move(error);
  for (const object::ELFSectionRef section : file->sections()) {
    Expected<StringRef> name = section.getName();
    if (!name)
      return badElf(toString(name.takeError()));
    if (section.getType() == ELF::SHT_NOBITS)
      continue;
    Expected<StringRef> bytes = section.getContents();
    if (!bytes)
      return badElf(toString(bytes.takeError()));
    if (section.getFlags() & ELF::SHF_EXECINSTR)
      image.code.push_back({uint32_t(section.getAddress()), *bytes});
    else if (*name == ".spin.meta")
      image.meta = *bytes;
    else if (*name == ".spin.loops") {
      if (Error error = image.readMarkers(*bytes))
        return std::move(error);
    } else if (*name == ".spin.locks") {
      if (Error error = image.readLocks(*bytes))
        return std::move(error);
    }
  }

  for (const object::ELFSymbolRef symbol : file->symbols()) {
    uint8_t type = symbol.getELFType();
    if (type != ELF::STT_FUNC && type != ELF::STT_NOTYPE)
      continue;
    Expected<StringRef> name = symbol.getName();
    Expected<uint64_t> address = symbol.getAddress();
    if (!name || !address) {
      consumeError(name.takeError());
      consumeError(address.takeError());
      return badElf("broken symbol table");
    }
    if (*name == isa::corevNote)
      image.set = isa::InstructionSet::Corev;
    bool isLocalLabel =
        name->empty() || name->starts_with(".L") || name->starts_with("$");
    if (isLocalLabel || !image.codeAt(uint32_t(*address)))
      continue;
    image.functions.try_emplace(name->str(), uint32_t(*address));
    std::string &label = image.names[uint32_t(*address)];
    if (label.empty() || type == ELF::STT_FUNC)
      label = name->str();
  }
  image.dwarf = DWARFContext::create(*image.object);
  return std::move(image);
}

/// Pairs of words: address of the marked instruction, loop id.
Error Image::readMarkers(StringRef bytes) {
  if (bytes.size() % 8 != 0)
    return badElf("section .spin.loops does not hold pairs of words");
  for (size_t at = 0; at < bytes.size(); at += 8) {
    uint32_t address = support::endian::read32le(bytes.data() + at);
    uint32_t id = support::endian::read32le(bytes.data() + at + 4);
    markers[address].push_back(id);
  }
  return Error::success();
}

/// Pairs of words: address of the instruction, lock and place.
Error Image::readLocks(StringRef bytes) {
  if (bytes.size() % 8 != 0)
    return badElf("section .spin.locks does not hold pairs of words");
  for (size_t at = 0; at < bytes.size(); at += 8) {
    uint32_t address = support::endian::read32le(bytes.data() + at);
    uint32_t what = support::endian::read32le(bytes.data() + at + 4);
    LockSites &sites = locks[what / SPIN_LOCK_PLACES];
    switch (what % SPIN_LOCK_PLACES) {
    case SPIN_LOCK_BEGIN:
      sites.begins.push_back(address);
      break;
    case SPIN_LOCK_END:
    case SPIN_LOCK_OTHER_END:
      sites.ends.push_back(address);
      break;
    case SPIN_LOCK_LINK_BEGIN:
      sites.linkBegins.push_back(address);
      break;
    case SPIN_LOCK_LINK_END:
      sites.linkEnds.push_back(address);
      break;
    default:
      return badElf("section .spin.locks names a place that locks do not have");
    }
  }
  return Error::success();
}

std::optional<uint16_t> Image::codeAt(uint32_t address) const {
  for (const CodeRange &range : code) {
    uint64_t offset = uint64_t(address) - range.address;
    if (address >= range.address && offset + 2 <= range.bytes.size())
      return support::endian::read16le(range.bytes.data() + offset);
  }
  return std::nullopt;
}

std::vector<std::pair<uint32_t, uint32_t>> Image::codeRanges() const {
  std::vector<std::pair<uint32_t, uint32_t>> ranges;
  for (const CodeRange &range : code)
    ranges.emplace_back(range.address,
                        range.address + uint32_t(range.bytes.size()));
  return ranges;
}

std::string Image::functionBeginningAt(uint32_t address) const {
  auto at = names.find(address);
  return at == names.end() ? "" : at->second;
}

std::optional<uint32_t> Image::findFunction(StringRef name) const {
  auto at = functions.find(name.str());
  if (at == functions.end())
    return std::nullopt;
  return at->second;
}

std::string Image::functionAt(uint32_t address) const {
  auto at = names.upper_bound(address);
  return at == names.begin() ? "<no symbol>" : std::prev(at)->second;
}

std::vector<uint32_t> Image::addressesOf(int64_t marker) const {
  std::vector<uint32_t> found;
  for (const auto &[address, ids] : markers)
    if (is_contained(ids, marker))
      found.push_back(address);
  return found;
}

ArrayRef<int64_t> Image::markersAt(uint32_t address) const {
  auto at = markers.find(address);
  if (at == markers.end())
    return {};
  return at->second;
}

void Image::addMarker(uint32_t address, int64_t id) {
  markers[address].push_back(id);
}

SourceLine Image::lineAt(uint32_t address) const {
  std::optional<DILineInfo> info = dwarf->getLineInfoForAddress(
      {address, object::SectionedAddress::UndefSection},
      DILineInfoSpecifier(
          DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath));
  if (!info || info->FileName == DILineInfo::BadString)
    return {};
  return {info->FileName, int64_t(info->Line)};
}
