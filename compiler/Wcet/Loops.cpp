// The nest of natural loops of a flow graph: dominators by the iterative
// algorithm over reverse postorder, back edges, loop bodies. A retreating edge
// whose target does not dominate its source makes the graph irreducible.
#include "compiler/Wcet/FlowGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

static std::vector<unsigned> reversePostorder(const FlowGraph &graph) {
  std::vector<unsigned> order;
  std::vector<bool> seen(graph.blocks.size());
  std::vector<std::pair<unsigned, unsigned>> stack = {{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    const auto &out = graph.blocks[block].out;
    if (next == out.size()) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    unsigned to = graph.edges[out[next++]].to;
    if (!seen[to]) {
      seen[to] = true;
      stack.push_back({to, 0});
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

/// Immediate dominators as positions in the order; the entry's is itself.
static std::vector<unsigned>
immediateDominators(const FlowGraph &graph,
                    const std::vector<unsigned> &position) {
  const unsigned unset = ~0u;
  std::vector<unsigned> idom(graph.order.size(), unset);
  idom[0] = 0;
  bool changed = true;
  while (changed) {
    changed = false;
    for (unsigned at = 1; at < graph.order.size(); ++at) {
      unsigned best = unset;
      for (unsigned edge : graph.blocks[graph.order[at]].in) {
        unsigned from = position[graph.edges[edge].from];
        if (idom[from] == unset)
          continue;
        if (best == unset) {
          best = from;
          continue;
        }
        while (best != from)
          (best > from ? best : from) = idom[best > from ? best : from];
      }
      changed |= idom[at] != best;
      idom[at] = best;
    }
  }
  return idom;
}

/// Adds to `loop` all blocks that reach `tail` without passing its header.
static void growLoop(const FlowGraph &graph, Loop &loop, unsigned tail) {
  std::vector<unsigned> work = {tail};
  while (!work.empty()) {
    unsigned block = work.back();
    work.pop_back();
    if (loop.contains[block])
      continue;
    loop.contains[block] = true;
    for (unsigned edge : graph.blocks[block].in)
      work.push_back(graph.edges[edge].from);
  }
}

/// Sorts loops by size, so that parents come first, and links them.
static void nestLoops(FlowGraph &graph) {
  auto size = [](const Loop &loop) {
    return std::count(loop.contains.begin(), loop.contains.end(), true);
  };
  llvm::sort(graph.loops.begin() + 1, graph.loops.end(),
             [&](const Loop &a, const Loop &b) {
               return std::make_pair(-size(a), a.header) <
                      std::make_pair(-size(b), b.header);
             });
  for (unsigned index = 1; index < graph.loops.size(); ++index) {
    Loop &loop = graph.loops[index];
    // The last earlier loop that holds the header is the smallest around it.
    for (unsigned outer = 0; outer < index; ++outer)
      if (graph.loops[outer].contains[loop.header])
        loop.parent = outer;
    graph.loops[loop.parent].children.push_back(index);
    for (unsigned block = 0; block < graph.blocks.size(); ++block)
      if (loop.contains[block])
        graph.blocks[block].loop = index;
  }
}

Error spinc::wcet::findLoops(const Image &image, FlowGraph &graph) {
  graph.order = reversePostorder(graph);
  std::vector<unsigned> position(graph.blocks.size());
  for (unsigned at = 0; at < graph.order.size(); ++at)
    position[graph.order[at]] = at;
  std::vector<unsigned> idom = immediateDominators(graph, position);

  graph.loops.clear();
  graph.loops.push_back(
      {0, 0, {}, std::vector<bool>(graph.blocks.size(), true)});
  std::map<unsigned, unsigned> loopOfHeader;
  for (const Edge &edge : graph.edges) {
    unsigned from = position[edge.from], to = position[edge.to];
    if (from < to)
      continue;
    unsigned above = from;
    while (above > to)
      above = idom[above];
    if (above != to)
      return errorAt(image, WcetError::Kind::Irreducible,
                     graph.blocks[edge.to].sites.front().address,
                     "a loop is entered in two places");
    auto [at, isNew] = loopOfHeader.try_emplace(edge.to, graph.loops.size());
    if (isNew) {
      Loop loop;
      loop.header = edge.to;
      loop.contains.resize(graph.blocks.size());
      loop.contains[edge.to] = true;
      graph.loops.push_back(std::move(loop));
    }
    growLoop(graph, graph.loops[at->second], edge.from);
  }
  nestLoops(graph);
  return Error::success();
}
