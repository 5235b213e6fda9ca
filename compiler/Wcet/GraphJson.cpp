// The costed graph of a handler as JSON (`spinc-wcet --graph`), for other
// solvers to check the longest path and for people to look at.
#include "compiler/Wcet/FigureCosts.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

static int64_t sum(const std::vector<Charge> &charges) {
  int64_t cycles = 0;
  for (const Charge &charge : charges)
    cycles += charge.cycles;
  return cycles;
}

json::Value FigureCosts::getGraph() const {
  const FlowGraph &graph = *outermost->graph;
  json::Array blocks, edges, loopList;
  for (unsigned index = 0; index < graph.blocks.size(); ++index) {
    const Block &block = graph.blocks[index];
    int64_t cycles = sum(*outermost->blocks[index]);
    auto callee = outermost->callees.find(index);
    if (callee != outermost->callees.end() && !callee->second.returns.empty())
      cycles += algebra.high(callee->second.returns);
    blocks.push_back(
        json::Object{{"address", int64_t(block.sites.front().address)},
                     {"cycles", cycles},
                     {"ends", block.returns || block.traps}});
  }
  for (unsigned index = 0; index < graph.edges.size(); ++index)
    edges.push_back(json::Object{{"from", int64_t(graph.edges[index].from)},
                                 {"to", int64_t(graph.edges[index].to)},
                                 {"cycles", sum(*outermost->edges[index])}});
  for (unsigned index = 1; index < graph.loops.size(); ++index) {
    const Loop &loop = graph.loops[index];
    json::Array members;
    for (unsigned block = 0; block < loop.contains.size(); ++block)
      if (loop.contains[block])
        members.push_back(int64_t(block));
    json::Array ids;
    for (int64_t id :
         image.markersAt(graph.blocks[loop.header].sites.front().address))
      if (auto spec = loops.find(id); spec != loops.end())
        ids.push_back(spec->second.bound.toJSON());
    loopList.push_back(json::Object{{"header", int64_t(loop.header)},
                                    {"blocks", std::move(members)},
                                    {"headerBounds", std::move(ids)}});
  }
  return json::Object{{"entry", int64_t(graph.entry)},
                      {"blocks", std::move(blocks)},
                      {"edges", std::move(edges)},
                      {"loops", std::move(loopList)}};
}
