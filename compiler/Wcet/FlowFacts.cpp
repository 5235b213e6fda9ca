// See FlowFacts.h.
#include "compiler/Wcet/FlowFacts.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

/// Above the ids of markers, which are 32-bit words.
static constexpr int64_t kFirstId = int64_t(1) << 32;

static uint32_t headerAddress(const FlowGraph &graph, unsigned loop) {
  return graph.blocks[graph.loops[loop].header].sites.front().address;
}

/// Source lines of a loop's header and of its ways back.
static bool isAtLine(const Image &image, const FlowGraph &graph, unsigned loop,
                     int64_t line) {
  if (image.lineAt(headerAddress(graph, loop)).line == line)
    return true;
  for (unsigned number : graph.blocks[graph.loops[loop].header].in) {
    unsigned from = graph.edges[number].from;
    if (graph.loops[loop].contains[from] &&
        image.lineAt(graph.blocks[from].sites.back().address).line == line)
      return true;
  }
  return false;
}

static std::string nameLoop(const Image &image, const FlowGraph &graph,
                            unsigned loop) {
  uint32_t address = headerAddress(graph, loop);
  std::string text = "offset " + std::to_string(address - graph.entry);
  if (int64_t line = image.lineAt(address).line)
    text += " (line " + std::to_string(line) + ")";
  return text;
}

static Error badFact(const HeaderFact &fact, const Twine &message) {
  std::string loop = fact.offset ? "offset " + std::to_string(*fact.offset)
                                 : "line " + std::to_string(*fact.line);
  return make_error<WcetError>(
      WcetError::Kind::UnknownSymbol,
      ("flow fact of '" + fact.function + "', " + loop + ": " + message).str());
}

static Expected<unsigned> findLoop(const HeaderFact &fact, const Image &image,
                                   const FlowGraph &graph) {
  std::vector<std::string> found, all;
  unsigned match = 0;
  for (unsigned loop = 1; loop < graph.loops.size(); ++loop) {
    all.push_back(nameLoop(image, graph, loop));
    bool fits =
        fact.offset
            ? int64_t(headerAddress(graph, loop)) - graph.entry == *fact.offset
            : isAtLine(image, graph, loop, *fact.line);
    if (!fits)
      continue;
    match = loop;
    found.push_back(all.back());
  }
  if (found.size() > 1)
    return badFact(fact, "several loops are there: " + join(found, ", "));
  if (found.empty())
    return badFact(fact, all.empty() ? "the function has no loop"
                                     : "no loop is there; its loops are at " +
                                           join(all, ", "));
  return match;
}

/// The markers are nested as the loops are, so that a bound holds for each
/// stay in its loop.
static int64_t enclosing(const FlowGraph &graph, unsigned loop,
                         const std::map<unsigned, int64_t> &ids) {
  for (unsigned outer = graph.loops[loop].parent; outer != 0;
       outer = graph.loops[outer].parent)
    if (auto at = ids.find(outer); at != ids.end())
      return at->second;
  return -1;
}

Error spinc::wcet::placeHeaderFacts(ArrayRef<HeaderFact> facts, Image &image,
                                    LoopTable &loops) {
  std::map<std::string, std::vector<const HeaderFact *>> byFunction;
  for (const HeaderFact &fact : facts)
    byFunction[fact.function].push_back(&fact);
  int64_t next = kFirstId;
  for (const auto &[function, list] : byFunction) {
    std::optional<uint32_t> entry = image.findFunction(function);
    if (!entry)
      return badFact(*list.front(), "the image has no such function");
    Expected<FlowGraph> graph = FlowGraph::build(image, *entry);
    if (!graph)
      return graph.takeError();
    std::map<unsigned, int64_t> ids;
    std::map<unsigned, const HeaderFact *> factOf;
    for (const HeaderFact *fact : list) {
      Expected<unsigned> loop = findLoop(*fact, image, *graph);
      if (!loop)
        return loop.takeError();
      if (!ids.try_emplace(*loop, next++).second)
        return badFact(*fact, "the loop has a fact already");
      factOf[*loop] = fact;
    }
    for (const auto &[loop, id] : ids) {
      uint32_t address = headerAddress(*graph, loop);
      image.addMarker(address, id);
      LoopSpec &spec = loops[id];
      spec.id = id;
      spec.line = image.lineAt(address).line;
      spec.bound = factOf[loop]->iterations;
      spec.parent = enclosing(*graph, loop, ids);
      spec.total = factOf[loop]->total;
    }
  }
  return Error::success();
}

std::string spinc::wcet::proposeFact(const Image &image, uint32_t header) {
  std::string function = image.functionAt(header);
  std::optional<uint32_t> entry = image.findFunction(function);
  return "{\"function\": \"" + function +
         "\", \"offset\": " + std::to_string(header - entry.value_or(header)) +
         ", \"iterations\": N} among the loops of --facts=<file> bounds it";
}
