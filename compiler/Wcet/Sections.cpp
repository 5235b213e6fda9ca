// The time that a handler keeps a lock from others: the longest way through the
// machine code from where it queues up to where it has given the lock back. And
// from that, how often the loops of others go round that wait for it.
//
// A lock serves in the order of arrival. Whoever is before a handler is past
// its first instruction of taking the lock, or behind; when its turn comes it
// needs at most one round of its own loop that began too early, one that sees
// its turn, and what follows until the lock is given back. The longest way from
// the first instruction, with two rounds of the loop, is no shorter. A loop
// that waits for `others` of these ends after that time, and each of its rounds
// takes at least as long as its instructions without any wait.
#include "compiler/Wcet/FigureCosts.h"
#include "runtime/abi/pspin.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

namespace {

/// The part of a function's graph between two places.
class Cutter {
public:
  Cutter(const CostedGraph &whole, const std::vector<uint32_t> &ends)
      : whole(whole), from(*whole.graph), ends(ends) {}

  /// Block 0 is what follows `begin` in its block. False if `begin` is not in
  /// the function.
  bool cut(uint32_t begin, FlowGraph &graph, CostedGraph &costed);

private:
  unsigned copy(unsigned block, size_t firstSite);
  unsigned reach(unsigned block);

  const CostedGraph &whole;
  const FlowGraph &from;
  const std::vector<uint32_t> &ends;
  std::map<unsigned, unsigned> numbers; ///< of copies of whole blocks
  std::vector<unsigned> work;
  FlowGraph *graph = nullptr;
  CostedGraph *costed = nullptr;
};

} // namespace

/// Copies the sites of a block from `firstSite` to the first end among them.
unsigned Cutter::copy(unsigned block, size_t firstSite) {
  const Block &source = from.blocks[block];
  Block copied;
  std::vector<Charge> charges;
  bool ended = false;
  for (size_t i = firstSite; i < source.sites.size() && !ended; ++i) {
    copied.sites.push_back(source.sites[i]);
    charges.push_back((*whole.blocks[block])[i]);
    ended = is_contained(ends, source.sites[i].address);
  }
  unsigned number = graph->blocks.size();
  bool isWhole = copied.sites.size() + firstSite == source.sites.size();
  copied.returns = ended || source.returns;
  copied.traps = !ended && source.traps;
  if (isWhole && source.callee) {
    copied.callee = source.callee;
    if (auto callee = whole.callees.find(block); callee != whole.callees.end())
      costed->callees[number] = callee->second;
  }
  graph->blocks.push_back(std::move(copied));
  costed->blocks.push_back(
      std::make_shared<const std::vector<Charge>>(std::move(charges)));
  if (ended)
    return number;
  for (unsigned edge : source.out) {
    unsigned to = reach(from.edges[edge].to);
    unsigned out = graph->edges.size();
    graph->edges.push_back({number, to, from.edges[edge].kind});
    costed->edges.push_back(whole.edges[edge]);
    graph->blocks[number].out.push_back(out);
  }
  return number;
}

/// The number that the copy of `block` has or will have.
unsigned Cutter::reach(unsigned block) {
  auto [at, isNew] = numbers.try_emplace(block, 0);
  if (isNew)
    at->second = 1 + unsigned(work.size()), work.push_back(block);
  return at->second;
}

bool Cutter::cut(uint32_t begin, FlowGraph &into, CostedGraph &prices) {
  graph = &into;
  costed = &prices;
  costed->graph = graph;
  graph->entry = begin;
  for (unsigned block = 0; block < from.blocks.size(); ++block)
    for (size_t i = 0; i < from.blocks[block].sites.size(); ++i) {
      if (from.blocks[block].sites[i].address != begin)
        continue;
      copy(block, i);
      // Copies come in the order in which they were reached.
      for (size_t next = 0; next < work.size(); ++next)
        copy(work[next], 0);
      for (unsigned edge = 0; edge < graph->edges.size(); ++edge)
        graph->blocks[graph->edges[edge].to].in.push_back(edge);
      return true;
    }
  return false;
}

Expected<std::optional<int64_t>>
FigureCosts::analyzeSection(uint32_t begin, const std::vector<uint32_t> &ends) {
  Expected<CostedGraph> whole = priceFunction(analysis.getModel());
  if (!whole)
    return whole.takeError();
  FlowGraph graph;
  CostedGraph costed;
  if (!Cutter(*whole, ends).cut(begin, graph, costed))
    return std::nullopt;
  if (Error error = findLoops(image, graph))
    return std::move(error);
  // Nothing is known of what registers hold at the section's begin.
  PathPlanner planner(image, graph, GraphValues());
  costed.planner = &planner;
  Expected<FunctionCost> cost = solve(costed);
  if (!cost)
    return cost.takeError();
  algebra.unite(cost->returns, cost->traps);
  // The lines of code come from memory once, with all clusters at it.
  std::set<uint32_t> lines;
  for (const Block &block : graph.blocks)
    for (const Site &site : block.sites) {
      lines.insert(site.address / isa::icacheLineBytes);
      lines.insert((site.next() - 1) / isa::icacheLineBytes);
    }
  return algebra.high(cost->returns) +
         int64_t(lines.size()) * isa::icacheRefill * PSPIN_CLUSTERS;
}

Expected<std::optional<int64_t>> FigureCosts::analyzeSpan(uint32_t begin,
                                                          uint32_t end) {
  Expected<CostedGraph> whole = priceFunction(analysis.getModel());
  if (!whole)
    return whole.takeError();
  int64_t sum = 0;
  bool found = false;
  for (const ChargesPtr &block : whole->blocks)
    for (const Charge &charge : *block)
      if (charge.address >= begin && charge.address <= end) {
        sum += charge.cycles;
        found = true;
      }
  return found ? std::optional<int64_t>(sum) : std::nullopt;
}
