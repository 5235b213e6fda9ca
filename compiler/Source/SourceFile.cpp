// Line table, UTF-8 check and code-point map of a source text. Offsets are 32
// bits: a file of 4 GiB or more is refused by the manager.
#include "compiler/Source/SourceFile.h"

#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cassert>

namespace spinc {

llvm::StringRef SourceRange::text() const {
  return file ? file->text().slice(begin, end) : llvm::StringRef();
}

SourceRange join(SourceRange first, SourceRange last) {
  assert(first.file == last.file && "a range lies in one file");
  return {first.file, first.begin, std::max(first.end, last.end)};
}

SourceFile::SourceFile(std::string path, std::string text)
    : filePath(std::move(path)), contents(std::move(text)) {
  lineStarts.push_back(0);
  for (uint32_t at = 0; at < contents.size(); ++at)
    if (contents[at] == '\n')
      lineStarts.push_back(at + 1);
}

LineColumn SourceFile::lineColumn(uint32_t offset) const {
  auto next = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
  uint32_t start = *(next - 1);
  return {static_cast<unsigned>(next - lineStarts.begin()), offset - start + 1};
}

std::optional<uint32_t> SourceFile::firstInvalidByte() const {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(contents.data());
  const llvm::UTF8 *at = begin;
  if (llvm::isLegalUTF8String(&at, begin + contents.size()))
    return std::nullopt;
  return static_cast<uint32_t>(at - begin);
}

static bool continuesCodePoint(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

CodePointMap::CodePointMap(llvm::StringRef text) {
  if (std::none_of(text.begin(), text.end(), continuesCodePoint))
    return;
  for (uint32_t at = 0; at < text.size(); ++at)
    if (!continuesCodePoint(text[at]))
      offsets.push_back(at);
  offsets.push_back(static_cast<uint32_t>(text.size()));
}

const SourceFile &SourceManager::add(std::string path, std::string text) {
  files.push_back(
      std::make_unique<SourceFile>(std::move(path), std::move(text)));
  return *files.back();
}

const SourceFile *SourceManager::load(llvm::StringRef path,
                                      std::error_code &error) {
  for (const std::unique_ptr<SourceFile> &file : files)
    if (file->path() == path)
      return file.get();
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer) {
    error = buffer.getError();
    return nullptr;
  }
  llvm::StringRef text = (*buffer)->getBuffer();
  if (text.size() >= UINT32_MAX) {
    error = std::make_error_code(std::errc::file_too_large);
    return nullptr;
  }
  return &add(path.str(), text.str());
}

} // namespace spinc
