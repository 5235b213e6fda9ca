// What follows for the rounds of a loop from how far they take a register:
// PathSolver.h.
//
// Where a register only grows in a loop, by at least d on rounds of one kind,
// and is at most `last` where the last round begins, the rounds of a stay that
// began with it at `first` or above satisfy
//
//   sum over kinds of d * rounds <= last - first
//
// It is at most `last` behind each full round, and where the way out of the
// loop takes it by at least e and leaves it at most at x, at most x - e before.
//
// With c cycles for a round of a kind and at most N rounds in all, their cost
// is for any y >= 0 at most
//
//   y * (last - first) + N * max(0, largest c - y * d)
//
// The y that are tried are those at which two kinds, or one and nothing, are
// equal: there is the least of it.
#include "compiler/Wcet/PathSolver.h"
#include <set>

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

/// A register that grows by more has no end that is worth looking for.
static constexpr int64_t kMostProgress = 1 << 20;

static int64_t leastOf(const ConstantRange &range) {
  return int64_t(range.getUnsignedMin().getZExtValue());
}
static int64_t mostOf(const ConstantRange &range) {
  return int64_t(range.getUnsignedMax().getZExtValue());
}

/// floor of the least cost of all rounds together; nothing if none is known.
template <typename Kind>
static std::optional<int64_t> leastOfPrices(const std::vector<Kind> &kinds,
                                            int64_t room,
                                            std::optional<int64_t> rounds) {
  std::set<std::pair<int64_t, int64_t>> prices; // numerator, denominator
  for (const Kind &kind : kinds) {
    if (kind.steps > 0)
      prices.insert({std::max<int64_t>(0, kind.cycles), kind.steps});
    for (const Kind &other : kinds)
      if (kind.steps > other.steps && kind.cycles >= other.cycles)
        prices.insert({kind.cycles - other.cycles, kind.steps - other.steps});
  }
  std::optional<int64_t> least;
  for (auto [up, down] : prices) {
    int64_t left = 0;
    for (const Kind &kind : kinds)
      left = std::max(left, down * kind.cycles - up * kind.steps);
    if (left > 0 && !rounds)
      continue;
    int64_t cost =
        (up * room + (left > 0 ? left * std::max<int64_t>(0, *rounds) : 0)) /
        down;
    least = std::min(least.value_or(cost), cost);
  }
  return least;
}

/// Nothing unless it only grows, no sum wraps, and nothing here leaves 64 bits.
std::optional<PathSolver::Growth>
PathSolver::growthOf(unsigned loop, unsigned reg, const Ways &full) const {
  Growth growth;
  growth.reg = reg;
  for (const Way &way : full) {
    std::optional<ConstantRange> step = way.facts.progress(reg);
    if (!step || mostOf(*step) >= kMostProgress)
      return std::nullopt;
    growth.last = std::max(growth.last, mostOf(way.facts.range(reg)));
    for (const CostSet &paths : way.costs)
      for (const PathCost &path : paths) {
        if (!path.cycles.isConstant())
          return std::nullopt;
        int64_t cycles = path.cycles.getConstant();
        if (cycles < 0 || cycles >= kMostProgress)
          return std::nullopt;
        growth.kinds.push_back({leastOf(*step), cycles, &path});
      }
  }
  std::optional<ConstantRange> begin = function->planner->entering(loop, reg);
  if (!begin || begin->isEmptySet())
    return std::nullopt;
  growth.first = leastOf(*begin);
  growth.last = std::max(growth.last, mostOf(*begin));
  if (growth.kinds.empty() || growth.last >= kMostProgress)
    return std::nullopt;
  return growth;
}

std::vector<PathSolver::Growth> PathSolver::findGrowth(unsigned loop,
                                                       const Ways &full) const {
  std::vector<Growth> grown;
  for (unsigned reg = 1; reg < 32 && function->planner->hasValues(); ++reg)
    if (std::optional<Growth> growth = growthOf(loop, reg, full))
      grown.push_back(std::move(*growth));
  return grown;
}

PathSolver::Rooms PathSolver::roomsBefore(const PathFacts &exit,
                                          ArrayRef<Growth> grown) {
  Rooms rooms;
  for (const Growth &growth : grown) {
    int64_t last = growth.last;
    std::optional<ConstantRange> step = exit.progress(growth.reg);
    if (step && mostOf(*step) < kMostProgress)
      last = std::min(last, mostOf(exit.range(growth.reg)) - leastOf(*step));
    rooms.push_back(std::max<int64_t>(0, last - growth.first));
  }
  return rooms;
}

CostSet PathSolver::repeatRounds(const CostSet &full,
                                 const SymbolicCount &rounds,
                                 ArrayRef<Growth> grown, const Rooms &rooms) {
  CostSet plain = algebra.repeat(rounds, full);
  std::optional<int64_t> most;
  if (rounds.isConstant())
    most = rounds.getConstant();
  if (most && *most >= kMostProgress)
    return plain;
  for (auto [growth, room] : zip(grown, rooms)) {
    std::optional<int64_t> cost = leastOfPrices(growth.kinds, room, most);
    if (!cost || *cost >= algebra.high(plain))
      continue;
    // The account shows the kind that fills the room best.
    const Kind *best = nullptr;
    int64_t count = 0;
    for (const Kind &kind : growth.kinds) {
      int64_t fits = kind.steps > 0 ? room / kind.steps : most.value_or(0);
      fits = std::min(fits, std::max<int64_t>(0, most.value_or(fits)));
      if (!best || fits * kind.cycles > count * best->cycles) {
        best = &kind;
        count = fits;
      }
    }
    Recipe recipe;
    recipe.body = best->path->recipe;
    recipe.count = SymbolicCount(count);
    recipe.slack = *cost - count * best->cycles;
    plain = {PathCost{SymbolicCount(*cost),
                      std::make_shared<Recipe>(std::move(recipe))}};
  }
  return plain;
}
