// The report on handler costs for programs: what `--report=json` prints and
// what the image's metadata holds of it.
#ifndef SPINC_COMPILER_WCET_REPORTJSON_H
#define SPINC_COMPILER_WCET_REPORTJSON_H

#include "compiler/Wcet/Report.h"
#include "llvm/Support/JSON.h"

namespace spinc {

llvm::json::Array toJSON(llvm::ArrayRef<SymbolicCount> counts);
llvm::json::Array toJSON(llvm::ArrayRef<LoopAttempt> attempts);

/// Figures besides the active cycles, by name.
llvm::json::Object figuresToJSON(const HandlerBound &bound);

/// Everything that the text of the report says of one handler.
llvm::json::Object reportToJSON(const HandlerReport &handler,
                                const LinkSpec &link, bool budgetHolds);

} // namespace spinc

#endif // SPINC_COMPILER_WCET_REPORTJSON_H
