// How the tools read files.
#ifndef SPINC_COMPILER_TOOLS_FILES_H
#define SPINC_COMPILER_TOOLS_FILES_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <string>

namespace spinc {

/// A whole file; the error names it.
inline llvm::Expected<std::string> readFile(const std::string &path) {
  // LLVM reads a folder as far as its first error, without saying which.
  if (llvm::sys::fs::is_directory(path))
    return llvm::createFileError(
        path, std::make_error_code(std::errc::is_a_directory));
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createFileError(path, buffer.getError());
  return (*buffer)->getBuffer().str();
}

/// A line of a source file, empty without the file; it is read again for each
/// line: reports are short.
inline std::string sourceText(llvm::StringRef file, int64_t line) {
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return "";
  llvm::StringRef rest = (*buffer)->getBuffer();
  for (int64_t skip = 1; skip < line && !rest.empty(); ++skip)
    rest = rest.split('\n').second;
  return rest.split('\n').first.str();
}

} // namespace spinc

#endif // SPINC_COMPILER_TOOLS_FILES_H
