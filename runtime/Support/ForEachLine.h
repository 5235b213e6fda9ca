// Tools that answer each line of a file with a line.
#ifndef SPINC_RUNTIME_SUPPORT_FOREACHLINE_H
#define SPINC_RUNTIME_SUPPORT_FOREACHLINE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace spinc {

/// Calls `take` with each line of `file` that is not empty, and writes out at
/// once what it prints: when it crashes, the case behind the last line did.
/// False, with a message from `tool`, if the file cannot be read.
template <typename Take>
bool forEachLine(llvm::StringRef tool, llvm::StringRef file, Take take) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file);
  if (!buffer) {
    llvm::errs() << tool << ": " << file << ": " << buffer.getError().message()
                 << '\n';
    return false;
  }
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    take(line);
    llvm::outs().flush();
  }
  return true;
}

} // namespace spinc

#endif // SPINC_RUNTIME_SUPPORT_FOREACHLINE_H
