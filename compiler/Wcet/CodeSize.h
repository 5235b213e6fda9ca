// Where the bytes of an image's code come from: functions and source lines, and
// what of it runs for one handler, which has to share the instruction cache.
#ifndef SPINC_COMPILER_WCET_CODESIZE_H
#define SPINC_COMPILER_WCET_CODESIZE_H

#include "compiler/Wcet/Image.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace spinc {

struct LineSize {
  wcet::SourceLine line;
  unsigned bytes = 0;
};

struct FunctionSize {
  std::string name;
  unsigned bytes = 0;
  /// By place; code without a line is in none.
  std::vector<LineSize> lines;
};

/// The code that runs for packet after packet of one handler.
struct HandlerSize {
  std::string symbol;
  unsigned bytes = 0;
  /// With what the handler calls and the runtime's loop between two handlers.
  unsigned withRuntime = 0;
  /// The same in whole lines of the instruction cache.
  unsigned cached = 0;
  bool fits() const;
};

struct CodeSize {
  unsigned bytes = 0; ///< from the begin of program memory
  std::vector<FunctionSize> functions;
  std::vector<HandlerSize> handlers;
};

/// The sizes of an image whose handlers have the given symbols.
llvm::Expected<CodeSize> measureCode(llvm::StringRef elf,
                                     llvm::ArrayRef<std::string> handlers);

/// `sourceText` gives the text of a line, empty without the file.
void printCodeSize(
    llvm::raw_ostream &out, const CodeSize &size,
    llvm::function_ref<std::string(llvm::StringRef, int64_t)> sourceText);

llvm::json::Object codeSizeToJSON(const CodeSize &size);

} // namespace spinc

#endif // SPINC_COMPILER_WCET_CODESIZE_H
