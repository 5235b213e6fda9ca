//===- Profile.h - What each instruction cost -----------------------------===//
//
// How often the instructions of handlers ran and what they took, by handler.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_PROFILE_H
#define SPINC_RUNTIME_SIM_PROFILE_H

#include "runtime/abi/pspin.h"
#include "runtime/sim/Task.h"
#include <map>
#include <utility>
#include <vector>

namespace spinc::sim {

class Profile {
public:
  struct Cost {
    uint64_t count = 0;
    uint64_t cycles = 0; // waits included
  };
  using Handler = std::pair<const Context *, SpinSimHandlerKind>;

  void add(const Task &task, uint32_t pc, uint64_t cycles) {
    std::vector<Cost> &costs = handlers[{task.message->context, task.kind}];
    if (costs.empty())
      costs.resize(PSPIN_PROGRAM_SIZE / 2);
    uint32_t slot = (pc - PSPIN_PROGRAM_BASE) / 2;
    if (slot >= costs.size())
      return;
    ++costs[slot].count;
    costs[slot].cycles += cycles;
  }

  std::map<Handler, std::vector<Cost>> handlers; // costs by half-word
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_PROFILE_H
