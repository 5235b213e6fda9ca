// The report on handler costs as one page: bounds, and the source with the
// cycles of each line on the worst path.
#ifndef SPINC_COMPILER_WCET_REPORTHTML_H
#define SPINC_COMPILER_WCET_REPORTHTML_H

#include "compiler/Wcet/CodeSize.h"
#include "compiler/Wcet/Report.h"
#include "compiler/Wcet/StateSize.h"

namespace spinc {

/// Text of a source file, empty if it is not at hand.
using FileText = std::function<std::string(llvm::StringRef file)>;

/// A page that needs nothing else: no script, no font, no picture. Of `state`
/// nothing is said if it is empty.
void printHtmlReport(llvm::raw_ostream &out, llvm::StringRef title,
                     llvm::ArrayRef<HandlerReport> handlers,
                     const LinkSpec &link, const StateSize &state,
                     const CodeSize &size, const FileText &source);

} // namespace spinc

#endif // SPINC_COMPILER_WCET_REPORTHTML_H
