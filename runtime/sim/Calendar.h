//===- Calendar.h - What happens when -------------------------------------===//
//
// Events in the order of their times and, at equal times, of their numbers.
// Most come within some dozens of cycles: those lie in a ring with a place for
// each cycle, where nothing has to be compared. The others are in a heap.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_CALENDAR_H
#define SPINC_RUNTIME_SIM_CALENDAR_H

#include "llvm/ADT/bit.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <queue>
#include <vector>

namespace spinc::sim {

/// `Event` has a `time` and an `order`, all orders being different.
template <typename Event> class Calendar {
public:
  bool empty() const { return first() == never; }
  /// When the next event is; `never` if there is none.
  uint64_t first() const { return std::min(nextNear, nextFar); }
  static constexpr uint64_t never = UINT64_MAX;

  const Event &top() const {
    return isNearFirst() ? days[nextNear % length].first() : far.top();
  }

  /// Not before the last event that was taken.
  void push(const Event &event) {
    if (event.time - taken >= length) {
      far.push(event);
      nextFar = far.top().time;
      return;
    }
    const size_t place = event.time % length;
    days[place].add(event);
    busy[place / 64] |= 1ull << place % 64;
    nextNear = std::min(nextNear, event.time);
  }

  /// Removes the first event.
  Event take() {
    Event event = top();
    if (!isNearFirst()) {
      far.pop();
      nextFar = far.empty() ? never : far.top().time;
    } else if (days[nextNear % length].removeFirst()) {
      const size_t place = nextNear % length;
      busy[place / 64] &= ~(1ull << place % 64);
      nextNear = findNear(nextNear);
    }
    taken = event.time;
    return event;
  }

private:
  /// What happens in one cycle.
  class Day {
  public:
    const Event &first() const { return events[begin]; }
    void add(const Event &event) {
      events.push_back(event);
      // Numbers given long before are rare.
      for (size_t at = events.size() - 1;
           at > begin && events[at].order < events[at - 1].order; --at)
        std::swap(events[at], events[at - 1]);
    }
    /// Returns whether it was the last one.
    bool removeFirst() {
      if (++begin < events.size())
        return false;
      events.clear();
      begin = 0;
      return true;
    }

  private:
    std::vector<Event> events;
    size_t begin = 0;
  };
  struct IsLater {
    bool operator()(const Event &a, const Event &b) const {
      return a.time != b.time ? a.time > b.time : a.order > b.order;
    }
  };

  bool isNearFirst() const {
    return nextNear != nextFar
               ? nextNear < nextFar
               : days[nextNear % length].first().order < far.top().order;
  }

  /// The first busy day after `time`, going round the ring once.
  uint64_t findNear(uint64_t time) const {
    const size_t place = time % length;
    for (size_t step = 0; step <= words; ++step) {
      const size_t word = (place / 64 + step) % words;
      uint64_t bits = busy[word];
      // The first word has the days behind `time`, and at last those before.
      if (step == 0)
        bits &= ~0ull << place % 64;
      if (step == words)
        bits &= ~(~0ull << place % 64);
      if (bits)
        return time +
               (word * 64 + llvm::countr_zero(bits) + length - place) % length;
    }
    return never;
  }

  /// Short, so that the host keeps the ring in its caches.
  static constexpr size_t length = 128, words = length / 64;
  std::array<Day, length> days;
  std::array<uint64_t, words> busy{}; // a bit for each day
  std::priority_queue<Event, std::vector<Event>, IsLater> far;
  uint64_t nextNear = never, nextFar = never;
  uint64_t taken = 0; // when the last one was
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_CALENDAR_H
