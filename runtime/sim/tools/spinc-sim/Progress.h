//===- Progress.h - How far a long run is ---------------------------------===//
//
// A line on the standard error that is written over: share done, packets a
// second, time left.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_PROGRESS_H
#define SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_PROGRESS_H

#include <chrono>
#include <cstdint>

namespace spinc::sim {

class Progress {
public:
  /// Whether to call show(): when asked for, or if somebody may be watching.
  bool isWanted(bool forced);
  void show(uint64_t done, uint64_t all);
  /// Removes the line.
  void end();

private:
  using Clock = std::chrono::steady_clock;
  bool forced = false, shown = false;
  Clock::time_point begin, last;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TOOLS_SPINC_SIM_PROGRESS_H
