//===- Backlog.h - Packets that wait on the network -----------------------===//
//
// How many there are at most, and how long they wait. While very many wait, the
// card asks for them only when it is nearly their turn; this finds out how
// many were there when each of them came.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_BACKLOG_H
#define SPINC_RUNTIME_SIM_BACKLOG_H

#include "runtime/sim/Levels.h"
#include <deque>
#include <utility>

namespace spinc::sim {

/// When something happens: events at one time have an order.
using Moment = std::pair<uint64_t, uint64_t>;

class Backlog {
public:
  /// A packet begins to wait; it came at `at`, maybe some time ago.
  void enter(Moment at) {
    ++entered;
    while (!left.empty() && left.front().at < at) {
      leftBefore += left.front().packets;
      left.pop_front();
    }
    lastEntered = entered - leftBefore;
  }
  /// The oldest waits no longer, at `now`.
  void leave(Moment now, uint64_t arrival, Level &level) {
    level.area += now.first - arrival;
    if (!left.empty() && left.back().at == now)
      ++left.back().packets;
    else
      left.push_back({now, 1});
    if (left.size() > remembered)
      merge();
  }
  /// The last one that entered was not let in at once.
  void settle(Level &level) const {
    if (lastEntered > level.most)
      level.most = lastEntered;
  }

private:
  struct Left {
    Moment at;
    uint64_t packets;
  };
  /// Makes room by taking two for one.
  void merge() {
    std::deque<Left> half;
    for (size_t i = 0; i + 1 < left.size(); i += 2)
      half.push_back({left[i + 1].at, left[i].packets + left[i + 1].packets});
    if (left.size() % 2)
      half.push_back(left.back());
    left = std::move(half);
  }

  static constexpr size_t remembered = 1 << 16;
  std::deque<Left> left; // since the last one entered came
  uint64_t entered = 0, leftBefore = 0, lastEntered = 0;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_BACKLOG_H
