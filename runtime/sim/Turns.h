//===- Turns.h - Which HPU goes on next -----------------------------------===//
//
// HPUs that compete work in turns, by far the most frequent events of a run.
// Each HPU has a place of its own, and pairs of places play for who is first,
// as in a tournament: when the first goes on later, only its matches are played
// again, and no match has a branch that depends on who wins.
//
//===----------------------------------------------------------------------===//
#ifndef SPINC_RUNTIME_SIM_TURNS_H
#define SPINC_RUNTIME_SIM_TURNS_H

#include "runtime/abi/pspin.h"
#include <algorithm>
#include <cstdint>

namespace spinc::sim {

struct Task;

struct Turn {
  uint64_t time = never;
  uint64_t order = never; // of two turns at one time
  Task *task = nullptr;
  unsigned cluster = 0, hpu = 0;
  static constexpr uint64_t never = UINT64_MAX;
};

class Turns {
public:
  Turns() {
    // Whoever won a match is among those who played for it.
    for (unsigned node = 2 * places - 1; node; --node)
      winners[node] =
          uint8_t(node < places ? winners[2 * node] : node - places);
  }

  bool empty() const { return first().time == Turn::never; }
  const Turn &first() const { return turns[winners[1]]; }
  /// The time of the turn after the first: the first's matches have all others.
  uint64_t second() const {
    uint64_t time = Turn::never;
    for (unsigned node = places + winners[1]; node > 1; node /= 2)
      time = std::min(time, turns[winners[node ^ 1]].time);
    return time;
  }

  /// The HPU has no other turn.
  void add(const Turn &turn) {
    const unsigned place = turn.cluster * PSPIN_HPUS_PER_CLUSTER + turn.hpu;
    turns[place] = turn;
    play(place);
  }
  /// The HPU of the first turn goes on later.
  void postponeFirst(uint64_t time, uint64_t order) {
    const unsigned place = winners[1];
    turns[place].time = time;
    turns[place].order = order;
    play(place);
  }
  void removeFirst() { postponeFirst(Turn::never, Turn::never); }

private:
  static constexpr unsigned places = PSPIN_CLUSTERS * PSPIN_HPUS_PER_CLUSTER;
  static_assert((places & (places - 1)) == 0 && places <= 256);

  /// All matches of a place whose turn is another one than before.
  void play(unsigned place) {
    unsigned winner = place;
    for (unsigned node = places + place; node > 1; node /= 2) {
      const unsigned other = winners[node ^ 1];
      const Turn &a = turns[other], &b = turns[winner];
      const bool isOther =
          (a.time < b.time) | ((a.time == b.time) & (a.order < b.order));
      winner = isOther ? other : winner;
      winners[node / 2] = uint8_t(winner);
    }
  }

  Turn turns[places];
  uint8_t winners[2 * places] = {}; // of each match; the last half are places
};

} // namespace spinc::sim

#endif // SPINC_RUNTIME_SIM_TURNS_H
