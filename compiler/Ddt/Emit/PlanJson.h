// --emit=plan: the handler's parts, its bounds, and the parameters that the
// host has to give, as JSON.
#ifndef SPINC_COMPILER_DDT_EMIT_PLANJSON_H
#define SPINC_COMPILER_DDT_EMIT_PLANJSON_H

#include "compiler/Ddt/Generate/Compile.h"
#include "compiler/Ddt/Strategy/Strategy.h"

namespace spinc::ddt {

void printPlan(llvm::raw_ostream &out, const Plan &plan, StrategyKind kind,
               const Compiled &compiled, const Choice &choice);

/// C code that fills the tables of a stub's setup, `<Context>_tables`, and that
/// finds damaged ones before they are installed, `<Context>_check_tables`.
std::string tablesAsC(const Program &program);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_EMIT_PLANJSON_H
