// What spinc-ddt was asked to do: the command line as a struct, checked.
#ifndef SPINC_COMPILER_TOOLS_SPINC_DDT_OPTIONS_H
#define SPINC_COMPILER_TOOLS_SPINC_DDT_OPTIONS_H

#include "compiler/Ddt/Generate/Source.h"
#include "compiler/Ddt/Layout/Normalise.h"
#include "compiler/Ddt/Strategy/Strategy.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>

namespace spinc::ddt {

enum class Action { Emit, Verify, Explain, Help, Version };
enum class Output { Image, Dataloop, Blocks, Picture, Spinc, Plan, Stubs };

struct Options {
  Action action = Action::Emit;
  Output emit = Output::Image;
  std::string input;
  std::string output; ///< empty: the default of the form
  NormaliseOptions normalise;
  int64_t payload = 2048; ///< bytes of a packet
  std::optional<StrategyKind> strategy;
  Direction direction = Direction::Receive;
  uint32_t seed = 1;
  /// "mpi" or a library that --verify compares with; empty: the description.
  std::string oracle;
};

/// Nothing after a mistake, which is said on `errs`.
std::optional<Options> parseOptions(llvm::ArrayRef<const char *> args,
                                    llvm::raw_ostream &errs);

void printHelp(llvm::raw_ostream &out);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_TOOLS_SPINC_DDT_OPTIONS_H
