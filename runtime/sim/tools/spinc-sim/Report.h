//===- Report.h - The results of a run, for people and programs -----------===//
//
// Prints what spinsim.h counts as a table or as JSON.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_REPORT_H
#define SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_REPORT_H

#include "runtime/sim/spinsim.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace spinc::sim {

void printReport(const SpinSim *sim, llvm::raw_ostream &os);
llvm::json::Value reportToJson(const SpinSim *sim);

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_REPORT_H
