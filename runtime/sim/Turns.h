//===- Turns.h - Which HPU goes on next -----------------------------------===//
//
// HPUs that compete work in turns, by far the most frequent events of a run. A
// binary heap of at most one turn for each HPU; the first keeps its place
// while it is taken, so that going on costs one walk down the heap.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TURNS_H
#define SPINC_RUNTIME_SIM_TURNS_H

#include "runtime/abi/pspin.h"
#include <cstdint>

namespace spinc::sim {

struct Task;

struct Turn {
  uint64_t time;
  uint64_t order; // of two turns at one time
  Task *task;
  unsigned cluster, hpu;
  bool operator<(const Turn &other) const {
    return time != other.time ? time < other.time : order < other.order;
  }
};

class Turns {
public:
  bool empty() const { return count == 0; }
  const Turn &first() const { return heap[0]; }
  /// The time of the turn after the first.
  uint64_t second() const {
    uint64_t left = count > 1 ? heap[1].time : UINT64_MAX;
    uint64_t right = count > 2 ? heap[2].time : UINT64_MAX;
    return left < right ? left : right;
  }

  /// The HPU has no other turn.
  void add(const Turn &turn) {
    unsigned place = count++;
    for (; place && turn < heap[(place - 1) / 2]; place = (place - 1) / 2)
      heap[place] = heap[(place - 1) / 2];
    heap[place] = turn;
  }
  /// The HPU of the first turn goes on later.
  void postponeFirst(uint64_t time, uint64_t order) {
    Turn turn = heap[0];
    turn.time = time;
    turn.order = order;
    sink(turn);
  }
  void removeFirst() {
    --count;
    if (count)
      sink(heap[count]);
  }

private:
  /// Puts `turn` into the place of the first.
  void sink(const Turn &turn) {
    const Turn sunk = turn;
    unsigned place = 0;
    for (unsigned child; (child = 2 * place + 1) < count; place = child) {
      if (child + 1 < count && heap[child + 1] < heap[child])
        ++child;
      if (!(heap[child] < sunk))
        break;
      heap[place] = heap[child];
    }
    heap[place] = sunk;
  }

  Turn heap[PSPIN_CLUSTERS * PSPIN_HPUS_PER_CLUSTER];
  unsigned count = 0;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TURNS_H
