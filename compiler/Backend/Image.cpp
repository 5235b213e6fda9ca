// Reading and rewriting a linked image. The metadata section is appended last
// because the cycle bounds in it are those of the linked code.
#include "compiler/Backend/Image.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::object;
using namespace spinc::backend;

namespace {

constexpr const char *metadataSection = ".spin.meta";
constexpr const char *parametersStart = "__spin_params_start";
constexpr const char *parametersLoad = "__spin_params_load";

} // namespace

uint64_t ImageLayout::loadAddress(uint64_t parameterAddress) const {
  auto start = symbols.find(parametersStart);
  auto load = symbols.find(parametersLoad);
  assert(start != symbols.end() && load != symbols.end() &&
         "the linker script defines both");
  return parameterAddress - start->second.address + load->second.address;
}

Expected<ImageLayout> spinc::backend::readLayout(StringRef image) {
  auto file = ELFObjectFile<ELF32LE>::create(MemoryBufferRef(image, "image"));
  if (!file)
    return file.takeError();
  ImageLayout layout;
  for (const ELFSymbolRef &symbol : file->symbols()) {
    Expected<StringRef> name = symbol.getName();
    Expected<uint64_t> address = symbol.getAddress();
    if (!name)
      return name.takeError();
    if (!address)
      return address.takeError();
    if (!name->empty())
      layout.symbols[*name] = {*address, symbol.getSize()};
  }
  return std::move(layout);
}

Expected<Bytes> spinc::backend::finishImage(StringRef image, StringRef metadata,
                                            bool keepDebugInfo) {
  auto file = ELFObjectFile<ELF32LE>::create(MemoryBufferRef(image, "image"));
  if (!file)
    return file.takeError();
  objcopy::ConfigManager config;
  config.Common.InputFilename = "image";
  config.Common.OutputFilename = "image";
  config.Common.StripDebug = !keepDebugInfo;
  if (Error error =
          config.Common.ToRemove.addMatcher(objcopy::NameOrPattern::create(
              metadataSection, objcopy::MatchStyle::Literal,
              [](Error error) { return error; })))
    return std::move(error);
  config.Common.AddSection.emplace_back(
      metadataSection,
      MemoryBuffer::getMemBuffer(metadata, metadataSection,
                                 /*RequiresNullTerminator=*/false));
  Bytes result;
  raw_svector_ostream out(result);
  if (Error error = objcopy::executeObjcopyOnBinary(config, *file, out))
    return std::move(error);
  return std::move(result);
}
