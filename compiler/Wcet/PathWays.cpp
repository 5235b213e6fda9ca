// The facts that the path search carries along, and what follows from them for
// the rounds of a loop: PathSolver.h.
//
// Where a register only grows in a loop, by at least d on rounds of one kind,
// and is at most `last` whenever a round leads back to the header, the rounds
// of a stay that began with it at `first` or above satisfy
//
//   sum over kinds of d * rounds <= last - first
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

/// Ways to one block that are told apart.
static constexpr size_t kMaxWays = 16;
/// A register that grows by more has no end that is worth looking for.
static constexpr int64_t kMostProgress = 1 << 20;

bool PathSolver::Segments::hasFull(size_t markers) const {
  return any_of(full, [&](const Way &way) {
    return markers < way.costs.size() && !way.costs[markers].empty();
  });
}

PathFacts PathSolver::factsAtEntry(unsigned loop) const {
  auto known = function->values.atHeader.find(loop);
  return known == function->values.atHeader.end() ? PathFacts()
                                                  : PathFacts(known->second);
}

uint32_t PathSolver::writtenIn(unsigned loop) const {
  const FlowGraph &graph = *function->graph;
  uint32_t registers = 0;
  for (unsigned block = 0; block < graph.blocks.size(); ++block) {
    if (!graph.loops[loop].contains[block])
      continue;
    if (graph.blocks[block].callee)
      return ~0u;
    for (const Site &site : graph.blocks[block].sites)
      registers |= site.insn.op == isa::Opcode::Invalid
                       ? ~0u
                       : isa::registersWritten(site.insn);
  }
  return registers;
}

std::vector<PathFacts> PathSolver::factsBehind(unsigned block,
                                               const PathFacts &before) const {
  std::vector<PathFacts> ways = {before};
  if (!hasValues())
    return ways;
  const Block &info = function->graph->blocks[block];
  for (size_t i = 0; i < info.sites.size(); ++i) {
    const Site &site = info.sites[i];
    std::vector<PathFacts> behind;
    for (PathFacts &way : ways) {
      if (info.callee && i + 1 == info.sites.size()) {
        way.forget(~0u, site.address);
        behind.push_back(std::move(way));
      } else {
        way.step(site, function->values.results[block][i], behind);
      }
    }
    // Too many comparisons one after the other: what they share is left.
    while (behind.size() > kMaxWays) {
      behind.front().join(behind.back(), site.next());
      behind.pop_back();
    }
    ways = std::move(behind);
  }
  return ways;
}

void PathSolver::addWay(Ways &ways, PathFacts facts, size_t markers,
                        const CostSet &paths, unsigned block) {
  uint32_t place = function->graph->blocks[block].sites.front().address;
  facts.keep(live[block], place);
  auto at = find_if(ways, [&](const Way &way) { return way.facts == facts; });
  if (at == ways.end() && ways.size() == kMaxWays) {
    // All in one from now on.
    Way all = std::move(ways.front());
    for (size_t i = 1; i < ways.size(); ++i) {
      all.facts.join(ways[i].facts, place);
      all.costs.resize(std::max(all.costs.size(), ways[i].costs.size()));
      for (size_t m = 0; m < ways[i].costs.size(); ++m)
        algebra.unite(all.costs[m], ways[i].costs[m]);
    }
    all.facts.join(facts, place);
    ways.clear();
    ways.push_back(std::move(all));
    at = ways.begin();
  } else if (at == ways.end()) {
    ways.push_back({std::move(facts), {}});
    at = std::prev(ways.end());
  }
  at->costs.resize(std::max(at->costs.size(), markers + 1));
  algebra.unite(at->costs[markers], paths);
}

namespace {

/// Rounds of one kind: at least how far, at most how many cycles.
struct Kind {
  int64_t steps = 0, cycles = 0;
  const PathCost *path = nullptr;
};

} // namespace

/// floor of the least cost of all rounds together; nothing if none is known.
static std::optional<int64_t> leastOfPrices(ArrayRef<Kind> kinds, int64_t room,
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

std::optional<PathCost>
PathSolver::limitByProgress(unsigned loop, unsigned reg, const Ways &ways,
                            std::optional<int64_t> rounds) {
  uint64_t last = 0;
  std::vector<Kind> kinds;
  for (const Way &way : ways) {
    std::optional<ConstantRange> step = way.facts.progress(reg);
    if (!step || step->getUnsignedMax().uge(kMostProgress))
      return std::nullopt;
    last = std::max(last, way.facts.range(reg).getUnsignedMax().getZExtValue());
    for (const CostSet &paths : way.costs)
      for (const PathCost &path : paths) {
        if (!path.cycles.isConstant())
          return std::nullopt;
        int64_t cycles = path.cycles.getConstant();
        if (cycles < 0 || cycles >= kMostProgress)
          return std::nullopt;
        kinds.push_back(
            {int64_t(step->getUnsignedMin().getZExtValue()), cycles, &path});
      }
  }
  const RegisterRanges &entering = function->values.entering.at(loop);
  uint64_t first = entering[reg].getUnsignedMin().getZExtValue();
  uint64_t highest =
      std::max(last, entering[reg].getUnsignedMax().getZExtValue());
  // No sum wraps, and nothing here leaves 64 bits.
  if (highest + kMostProgress > UINT32_MAX || highest >= kMostProgress ||
      (rounds && *rounds >= kMostProgress))
    return std::nullopt;
  int64_t room = last < first ? 0 : int64_t(last - first);
  std::optional<int64_t> cost = leastOfPrices(kinds, room, rounds);
  if (!cost)
    return std::nullopt;
  // The account shows the kind that fills the room best.
  const Kind *best = nullptr;
  int64_t count = 0;
  for (const Kind &kind : kinds) {
    int64_t fits = kind.steps > 0 ? room / kind.steps : rounds.value_or(0);
    fits = std::min(fits, std::max<int64_t>(0, rounds.value_or(fits)));
    if (!best || fits * kind.cycles > count * best->cycles) {
      best = &kind;
      count = fits;
    }
  }
  Recipe recipe;
  recipe.body = best->path->recipe;
  recipe.count = SymbolicCount(count);
  recipe.slack = *cost - count * best->cycles;
  return PathCost{SymbolicCount(*cost),
                  std::make_shared<Recipe>(std::move(recipe))};
}

CostSet PathSolver::repeatRounds(unsigned loop, const Ways &ways,
                                 const CostSet &full,
                                 const SymbolicCount &rounds) {
  CostSet plain = algebra.repeat(rounds, full);
  if (!hasValues() || !function->values.entering.count(loop))
    return plain;
  std::optional<int64_t> most;
  if (rounds.isConstant())
    most = rounds.getConstant();
  for (unsigned reg = 1; reg < 32; ++reg) {
    std::optional<PathCost> limited = limitByProgress(loop, reg, ways, most);
    if (limited && limited->cycles.getConstant() < algebra.high(plain))
      plain = {std::move(*limited)};
  }
  return plain;
}
