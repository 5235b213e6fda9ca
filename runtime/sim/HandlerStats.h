// What reports make of the counts of handlers.
#ifndef SPINC_RUNTIME_SIM_HANDLERSTATS_H
#define SPINC_RUNTIME_SIM_HANDLERSTATS_H

#include "runtime/sim/spinsim.h"
#include <vector>

namespace spinc::sim {

/// Of all handlers, in the order of their numbers.
inline std::vector<SpinSimHandlerStats> handlerStats(const SpinSim *sim) {
  std::vector<SpinSimHandlerStats> all(spinSimHandlerCount(sim));
  for (uint32_t i = 0; i < all.size(); ++i)
    spinSimHandlerStats(sim, i, &all[i]);
  return all;
}

inline double instructionsPerCycle(const SpinSimHandlerStats &stats) {
  uint64_t cycles = stats.cyclesTotal + stats.waitTotal;
  return cycles ? double(stats.instructionsTotal) / double(cycles) : 0;
}

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_HANDLERSTATS_H
