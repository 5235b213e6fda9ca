// What the parts of spinc-sim share: owners of C objects, and how it ends.
#ifndef SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_COMMON_H
#define SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_COMMON_H

#include "runtime/sim/spinsim.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

namespace spinc::sim {

constexpr int exitBadInput = 1, exitBadCommandLine = 2;

/// Says what is wrong; the exit status.
inline int fail(const llvm::Twine &message) {
  llvm::errs() << "spinc-sim: error: " << message << '\n';
  return exitBadInput;
}

struct SimDeleter {
  void operator()(SpinSim *sim) const { spinSimDestroy(sim); }
};
struct Free {
  void operator()(uint8_t *memory) const { std::free(memory); }
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_COMMON_H
