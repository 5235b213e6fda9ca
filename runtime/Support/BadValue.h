// What every tool says of an option's value that it cannot take.
#ifndef SPINC_RUNTIME_SUPPORT_BADVALUE_H
#define SPINC_RUNTIME_SUPPORT_BADVALUE_H

#include "llvm/ADT/Twine.h"

namespace spinc {

/// The message without the name of the program. `takes` says which values
/// there are ("receive or send"), unless the value that was meant is known.
inline std::string describeBadValue(const llvm::Twine &value,
                                    const llvm::Twine &option,
                                    const llvm::Twine &takes,
                                    llvm::StringRef meant = "") {
  std::string what = ("'" + value + "' is not a value of " + option).str();
  return meant.empty() ? what + "; it takes " + takes.str()
                       : what + "; did you mean '" + meant.str() + "'?";
}

} // namespace spinc

#endif // SPINC_RUNTIME_SUPPORT_BADVALUE_H
