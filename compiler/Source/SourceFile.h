// Source texts and places in them. Every later stage names a place by a
// SourceRange: a file and two byte offsets. A SourceFile is immutable and lives
// as long as its SourceManager, so ranges may hold a plain pointer to it.
#ifndef SPINC_SOURCE_SOURCEFILE_H
#define SPINC_SOURCE_SOURCEFILE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace spinc {

class SourceFile;

/// Half-open range of bytes of one file. An empty range is a place.
struct SourceRange {
  const SourceFile *file = nullptr;
  uint32_t begin = 0;
  uint32_t end = 0;

  bool isValid() const { return file != nullptr; }
  /// The source text that the range covers; empty for an invalid range.
  llvm::StringRef text() const;
  bool operator==(const SourceRange &other) const {
    return file == other.file && begin == other.begin && end == other.end;
  }
};

/// From the begin of `first` to the end of `last`; both in the same file.
SourceRange join(SourceRange first, SourceRange last);

/// Line and column as people count them: from 1, columns in bytes.
struct LineColumn {
  unsigned line = 0;
  unsigned column = 0;
};

class SourceFile {
public:
  SourceFile(std::string path, std::string text);

  llvm::StringRef path() const { return filePath; }
  llvm::StringRef text() const { return contents; }
  uint32_t size() const { return static_cast<uint32_t>(contents.size()); }

  LineColumn lineColumn(uint32_t offset) const;
  SourceRange range(uint32_t begin, uint32_t end) const {
    return {this, begin, end};
  }

  /// Offset of the first byte that is not part of valid UTF-8.
  std::optional<uint32_t> firstInvalidByte() const;

private:
  std::string filePath;
  std::string contents;
  std::vector<uint32_t> lineStarts;
};

/// Byte offset of each code point of a valid UTF-8 text. ANTLR counts code
/// points, LLVM counts bytes; this is the only place that knows both.
class CodePointMap {
public:
  explicit CodePointMap(llvm::StringRef text);

  /// `codePoint` may be one past the last code point.
  uint32_t byteOffset(size_t codePoint) const {
    return offsets.empty() ? static_cast<uint32_t>(codePoint)
                           : offsets[codePoint];
  }

private:
  /// Empty for a pure ASCII text, where the map is the identity.
  std::vector<uint32_t> offsets;
};

/// Owns all source files of one compilation.
class SourceManager {
public:
  /// Adds a text that is already in memory.
  const SourceFile &add(std::string path, std::string text);

  /// Reads `path`, or returns the file read before under that path.
  const SourceFile *load(llvm::StringRef path, std::error_code &error);

  /// In the order in which they were read: the program, then its imports.
  const std::vector<std::unique_ptr<SourceFile>> &all() const { return files; }

private:
  std::vector<std::unique_ptr<SourceFile>> files;
};

} // namespace spinc

#endif // SPINC_SOURCE_SOURCEFILE_H
