//===- Plot.h - Figures of reports ----------------------------------------===//
//
// `spinc-sim plot` is a module of the Python package beside the tool.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_PLOT_H
#define SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_PLOT_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace spinc::sim {

/// Runs spinsim.plot with these arguments by $SPINC_PYTHON, or python3.
/// Returns the exit status; says in `error` why if it could not be run.
int runPlot(llvm::ArrayRef<const char *> arguments,
            const std::string &executable, std::string &error);

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_PLOT_H
