// The facts that the path search carries along: PathSolver.h.
//
// What holds at a loop's header each time is found from outer to inner loops:
// what holds on all ways to it from outside, of registers that the loop leaves
// alone, holds at each round's begin. With that come the ends of rounds; what
// holds there and on the ways from outside holds at each round's begin as well.
#include "compiler/Wcet/PathSolver.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

/// Ways to one block that are told apart.
static constexpr size_t kMaxWays = 16;

bool PathSolver::Segments::hasFull(size_t markers) const {
  return any_of(full, [&](const Way &way) {
    return markers < way.costs.size() && !way.costs[markers].empty();
  });
}

void PathSolver::findHeaderFacts() {
  const FlowGraph &graph = *function->graph;
  const RegisterRanges nothing(32, ConstantRange::getFull(32));
  headers.assign(graph.loops.size(), PathFacts());
  entries = headers;
  entering.clear();
  onlyFacts = true;
  auto flow = [&](unsigned loop) {
    std::map<unsigned, Exits> children;
    for (unsigned child : graph.loops[loop].children) {
      unsigned header = graph.loops[child].header;
      entering.erase(header);
      children[header] = {};
      for (unsigned edge = 0; edge < graph.edges.size(); ++edge)
        if (graph.loops[child].contains[graph.edges[edge].from] &&
            !graph.loops[child].contains[graph.edges[edge].to])
          children[header][int(edge)] = CostAlgebra::zero();
    }
    std::vector<PathFacts> ends;
    for (Way &way : findSegments(loop, {}, children).full)
      ends.push_back(std::move(way.facts));
    return ends;
  };
  // Nothing of memory is proved of code that spinc has not made.
  bool isKnown = hasValues() && !function->values.atHeader.empty();
  if (isKnown)
    flow(0);
  for (unsigned loop = 1; loop < graph.loops.size() && isKnown; ++loop) {
    unsigned header = graph.loops[loop].header;
    auto found = function->values.atHeader.find(loop);
    const RegisterRanges &known =
        found == function->values.atHeader.end() ? nothing : found->second;
    std::vector<PathFacts> ways = entering[header];
    entries[loop] = PathFacts::atEntry(ways, live[header], nothing);
    for (PathFacts &way : ways)
      way.forget(writtenIn(loop), graph.blocks[header].sites.front().address);
    headers[loop] = PathFacts::atEntry(ways, live[header], known);
    for (unsigned again = 0; again < 2; ++again) {
      ways = flow(loop);
      ways.insert(ways.end(), entering[header].begin(), entering[header].end());
      headers[loop] = PathFacts::atEntry(ways, live[header], known);
    }
  }
  onlyFacts = false;
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
                        const CostSet &paths, uint32_t live, uint32_t place) {
  facts.keep(live, place);
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
