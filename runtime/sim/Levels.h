//===- Levels.h - How full something was over time ------------------------===//
//
// Largest value and integral of a number that changes at certain times.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_LEVELS_H
#define SPINC_RUNTIME_SIM_LEVELS_H

#include <cstdint>

namespace spinc::sim {

class Level {
public:
  /// From `time`, not before that of the last call, on.
  void set(uint64_t time, uint64_t now) {
    if (now == value)
      return;
    area += (time - since) * value;
    since = time;
    value = now;
    if (now > most)
      most = now;
  }
  /// Value times cycles until `time`.
  uint64_t areaUntil(uint64_t time) const {
    return area + (time - since) * value;
  }

  uint64_t most = 0;
  uint64_t area = 0; // until it last changed

private:
  uint64_t since = 0, value = 0;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_LEVELS_H
