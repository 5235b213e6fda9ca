// What spinc-objdump was asked to do: the command line as a struct, checked.
#ifndef SPINC_COMPILER_TOOLS_SPINC_OBJDUMP_OPTIONS_H
#define SPINC_COMPILER_TOOLS_SPINC_OBJDUMP_OPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace spinc::objdump {

enum class Action { List, Help, Version };

struct Options {
  Action action = Action::List;
  std::string image;
  std::vector<std::string> functions; ///< empty: all
  bool source = true;
  bool cycles = true;
};

/// Nothing after a mistake, which is said on `errs`.
std::optional<Options> parseOptions(llvm::ArrayRef<const char *> args,
                                    llvm::raw_ostream &errs);

void printHelp(llvm::raw_ostream &os);

} // namespace spinc::objdump

#endif // SPINC_COMPILER_TOOLS_SPINC_OBJDUMP_OPTIONS_H
