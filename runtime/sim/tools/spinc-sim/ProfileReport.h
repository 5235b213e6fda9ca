//===- ProfileReport.h - Where in the source the cycles go ----------------===//
//
// Annotated source, folded stacks, a page of HTML, and coverage for lcov, from
// what spinSimProfile counted.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_PROFILEREPORT_H
#define SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_PROFILEREPORT_H

#include "runtime/sim/spinsim.h"
#include <string>

namespace spinc::sim {

/// Writes source.txt, source.html, stacks.folded and coverage.info to
/// `folder`, which is made. Returns false and says why not.
bool writeProfile(SpinSim *sim, const std::string &folder, std::string &error);

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_PROFILEREPORT_H
