//===- Tally.h - How often each number came -------------------------------===//
//
// For quantiles of many numbers in little memory: exact for up to `most`
// different ones; beyond that the smallest digits of large ones are dropped.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TALLY_H
#define SPINC_RUNTIME_SIM_TALLY_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace spinc::sim {

/// Smallest, middle and largest of some numbers, and their sum.
struct Summary {
  uint64_t min = 0, median = 0, p99 = 0, max = 0, total = 0;
};

class Tally {
public:
  void add(uint64_t value) {
    smallest = std::min(smallest, value);
    largest = std::max(largest, value);
    total += value;
    ++number;
    if (value < dense) {
      if (value >= small.size())
        small.resize(std::min<size_t>(dense, 2 * size_t(value) + 64));
      ++small[value];
      return;
    }
    recent.push_back(value);
    if (recent.size() == recentMost)
      merge();
  }

  uint64_t count() const { return number; }

  Summary summary() {
    if (number == 0)
      return {};
    merge();
    return {smallest, at(number / 2), at((99 * number + 99) / 100 - 1), largest,
            total};
  }

  static constexpr size_t most = 1 << 18;

private:
  static constexpr size_t dense = 1 << 12, recentMost = 1 << 16;
  using Count = std::pair<uint64_t, uint64_t>; // a number and how often it came

  /// The number that `before` others come before, in order of size.
  uint64_t at(uint64_t before) const {
    for (size_t value = 0; value < small.size(); ++value) {
      if (before < small[value])
        return value;
      before -= small[value];
    }
    for (const auto &[value, times] : large) {
      if (before < times)
        return std::clamp(value, smallest, largest);
      before -= times;
    }
    return largest;
  }

  /// Takes `recent` into `large`, which stays in order without doubles.
  void merge() {
    std::sort(recent.begin(), recent.end());
    std::vector<Count> both;
    both.reserve(large.size() + recent.size());
    auto append = [&](uint64_t value, uint64_t times) {
      value = value >> shift << shift;
      if (!both.empty() && both.back().first == value)
        both.back().second += times;
      else
        both.push_back({value, times});
    };
    auto next = recent.begin();
    for (const auto &[value, times] : large) {
      for (; next != recent.end() && *next < value; ++next)
        append(*next, 1);
      append(value, times);
    }
    for (; next != recent.end(); ++next)
      append(*next, 1);
    recent.clear();
    large = std::move(both);
    if (large.size() > most) {
      ++shift;
      merge();
    }
  }

  uint64_t smallest = UINT64_MAX, largest = 0, total = 0, number = 0;
  std::vector<uint64_t> small; // how often, by number
  std::vector<Count> large;
  std::vector<uint64_t> recent; // not yet in `large`
  unsigned shift = 0;           // digits dropped from those in `large`
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TALLY_H
