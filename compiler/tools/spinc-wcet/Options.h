// What spinc-wcet was asked to do: the command line as a struct, checked.
#ifndef SPINC_COMPILER_TOOLS_SPINC_WCET_OPTIONS_H
#define SPINC_COMPILER_TOOLS_SPINC_WCET_OPTIONS_H

#include "compiler/Wcet/Report.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace spinc::wcet {

enum class Action { Bound, Help, Version };

struct Options {
  Action action = Action::Bound;
  std::string image;
  std::string facts;                  ///< empty: the metadata of the image
  std::vector<std::string> functions; ///< besides those of facts or metadata
  bool bare = false;
  int64_t commandLatency = isa::declaredCommandLatency;
  ReportFormat format = ReportFormat::Text;
  bool graph = false; ///< JSON only
  bool witness = false;
  unsigned witnessTries = 1000;
  std::string replay; ///< a report with witnesses; empty: none
};

/// Nothing after a mistake, which is said on `errs`.
std::optional<Options> parseOptions(llvm::ArrayRef<const char *> args,
                                    llvm::raw_ostream &errs);

void printHelp(llvm::raw_ostream &os);

} // namespace spinc::wcet

#endif // SPINC_COMPILER_TOOLS_SPINC_WCET_OPTIONS_H
