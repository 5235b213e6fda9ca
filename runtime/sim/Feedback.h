//===- Feedback.h - The way of feedback out of the clusters ---------------===//
//
// Each HPU keeps the feedback of one task until its cluster takes it; a task
// that ends before that holds the HPU. A cluster takes one in a cycle, its HPUs
// in turn, and keeps two at most; the card takes one in a cycle, the clusters
// in turn.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_FEEDBACK_H
#define SPINC_RUNTIME_SIM_FEEDBACK_H

#include "runtime/abi/pspin.h"
#include "llvm/ADT/bit.h"
#include <cstdint>

namespace spinc::sim {

struct Task;

/// The card's arbiter of up to eight who ask. Those who ask all the time get
/// their turn one after the other. One of two halves is chosen again and again:
/// if both ask, that of the one preferred.
class RoundRobin {
public:
  /// One of the bits of `asking`, which is not 0.
  unsigned choose(uint32_t asking) {
    unsigned chosen = 0;
    for (unsigned half = 4; half; half /= 2) {
      const uint32_t left = ((1u << half) - 1) << chosen;
      const bool leftAsks = asking & left, rightAsks = asking & left << half;
      if (!leftAsks || (rightAsks && (preferred & half)))
        chosen += half;
    }
    uint32_t after = asking & ~((2u << preferred) - 1);
    preferred = unsigned(llvm::countr_zero(after ? after : asking));
    return chosen;
  }

private:
  unsigned preferred = 0;
};

/// What an HPU has given back and the cluster has not taken.
class Outbox {
public:
  /// A task has ended. Returns false if it holds the HPU.
  bool add(Task *task) {
    (first ? second : first) = task;
    return task == first;
  }
  /// The commands of a task that was added are done.
  void setReady(const Task *task) {
    (task == first ? firstReady : secondReady) = true;
  }
  bool isReady() const { return firstReady; }
  struct Taken {
    Task *task, *held; // the latter, if not null, held the HPU
    bool heldIsReady;
  };
  /// The cluster takes the first; one that held the HPU is there in its place,
  /// not ready.
  Taken take() {
    Taken taken = {first, second, secondReady};
    first = second;
    second = nullptr;
    firstReady = secondReady = false;
    return taken;
  }

private:
  Task *first = nullptr, *second = nullptr;
  bool firstReady = false, secondReady = false;
};

/// What a cluster has taken and the card has not.
class TakenFeedback {
public:
  /// Whether there is room. What left in the cycle before `time` is still in
  /// its place as the cluster sees it.
  bool hasRoom(uint64_t time) const {
    return count + (leftAt + 1 == time) < room;
  }
  bool empty() const { return count == 0; }
  void add(Task *task) { tasks[count++] = task; }
  Task *take(uint64_t time) {
    Task *task = tasks[0];
    tasks[0] = tasks[1];
    --count;
    leftAt = time;
    return task;
  }

private:
  static constexpr unsigned room = 2;
  Task *tasks[room] = {};
  unsigned count = 0;
  uint64_t leftAt = UINT64_MAX - 1;
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_FEEDBACK_H
