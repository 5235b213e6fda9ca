// What spinc-ddt was asked to do: the command line as a struct, checked.
#ifndef SPINC_COMPILER_TOOLS_SPINC_DDT_OPTIONS_H
#define SPINC_COMPILER_TOOLS_SPINC_DDT_OPTIONS_H

#include "compiler/Ddt/Layout/Normalise.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>

namespace spinc::ddt {

enum class Action { Emit, Help, Version };
enum class Output { Dataloop, Blocks, Picture };

struct Options {
  Action action = Action::Emit;
  Output emit = Output::Dataloop;
  std::string input;
  std::string output = "-";
  NormaliseOptions normalise;
  int64_t payload = 2048; ///< bytes of a packet
};

/// Nothing after a mistake, which is said on `errs`.
std::optional<Options> parseOptions(llvm::ArrayRef<const char *> args,
                                    llvm::raw_ostream &errs);

void printHelp(llvm::raw_ostream &out);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_TOOLS_SPINC_DDT_OPTIONS_H
