// What every tool does at its end: a full disk or a closed pipe is said once.
#ifndef SPINC_RUNTIME_SUPPORT_STANDARDOUTPUT_H
#define SPINC_RUNTIME_SUPPORT_STANDARDOUTPUT_H

#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace spinc {

/// Writes what is left; the error's text if something could not be written.
inline std::optional<std::string> finishStandardOutput() {
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  if (!error)
    return std::nullopt;
  llvm::outs().clear_error();
  return "cannot write the standard output: " + error.message();
}

} // namespace spinc

#endif // SPINC_RUNTIME_SUPPORT_STANDARDOUTPUT_H
