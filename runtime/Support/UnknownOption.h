// What every tool says of an option that it does not have.
#ifndef SPINC_RUNTIME_SUPPORT_UNKNOWNOPTION_H
#define SPINC_RUNTIME_SUPPORT_UNKNOWNOPTION_H

#include "llvm/Option/OptTable.h"

namespace spinc {

/// The message without the name of the program; proposes the nearest option
/// of the table if two edits lead to it.
inline std::string describeUnknownOption(const llvm::opt::OptTable &table,
                                         llvm::StringRef tool,
                                         llvm::StringRef spelling) {
  std::string near;
  bool isNear =
      table.findNearest(spelling, near, llvm::opt::Visibility(), 3, 2) <= 2;
  return "unknown option '" + spelling.str() + "'; " +
         (isNear ? "did you mean '" + near + "'?"
                 : "'" + tool.str() + " --help' lists the options");
}

} // namespace spinc

#endif // SPINC_RUNTIME_SUPPORT_UNKNOWNOPTION_H
