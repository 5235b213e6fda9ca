//===- Report.h - The results of a run, for people ------------------------===//
//
// Prints what spinsim.h counts as a table.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_REPORT_H
#define SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_REPORT_H

#include "runtime/sim/spinsim.h"
#include "llvm/Support/raw_ostream.h"

namespace spinc::sim {

void printReport(const SpinSim *sim, llvm::raw_ostream &os);

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_REPORT_H
