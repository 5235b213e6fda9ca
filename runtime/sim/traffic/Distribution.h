//===- Distribution.h - Seeded random numbers for traffic -----------------===//
//
// The same text and seed give the same numbers everywhere: the generator and
// the transformations are fixed here, not left to a standard library.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TRAFFIC_DISTRIBUTION_H
#define SPINC_RUNTIME_SIM_TRAFFIC_DISTRIBUTION_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace spinc::sim {

/// The sequence of std::mt19937_64, which makes its numbers one by one in a
/// third of the speed.
class Random {
public:
  explicit Random(uint64_t seed);

  uint64_t bits() {
    if (next == size)
      refill();
    return numbers[next++];
  }
  /// In [0, 1).
  double unit() { return double(bits() >> 11) * 0x1p-53; }
  /// In [0, count).
  uint64_t below(uint64_t count) { return bits() % count; }
  bool chance(double probability) { return unit() < probability; }
  /// Eight bytes from each number, the last ones from a part of one.
  void fill(uint8_t *bytes, size_t count);

private:
  void refill();
  static constexpr unsigned size = 312;
  uint64_t state[size], numbers[size];
  unsigned next = size;
};

class Distribution {
public:
  explicit Distribution(double value) : first(value) {}

  /// 64, "64..1500", "normal(600, 100)", "exponential(200)", "pareto(1.5, 64)"
  /// (shape, smallest), "imix", or "choice(64:7, 576:4, 1500:1)" with weights.
  static bool read(llvm::StringRef text, Distribution &result);

  double draw(Random &random) const;

  static const char *const syntax; // for messages

private:
  enum class Kind { Fixed, Uniform, Normal, Exponential, Pareto, Choice };
  Kind kind = Kind::Fixed;
  double first = 0, second = 0;
  std::vector<std::pair<double, double>> choices; // value, weight
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TRAFFIC_DISTRIBUTION_H
