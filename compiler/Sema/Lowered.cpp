// low-1: what the language has and this version does not lower. One report a
// construct and program; nothing behind it is looked at, so nothing behind it
// can be half supported.
#include "compiler/Sema/Analyzer.h"

namespace spinc::sema {

const Type *Analyzer::notLowered(llvm::StringRef construct, SourceRange range) {
  if (reportedConstructs.insert(construct.str()).second)
    diagnostics.report(diag::NotLowered, range, construct);
  return poison();
}

} // namespace spinc::sema
