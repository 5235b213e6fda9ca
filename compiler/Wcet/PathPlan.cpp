// See PathPlan.h.
#include "compiler/Wcet/PathPlan.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

/// Ways to one block that are told apart.
static constexpr size_t kMaxWays = 16;
/// Markers on one segment are counted up to this number.
static constexpr size_t kMaxMarkers = 16;

static uint32_t addressOf(const FlowGraph &graph, unsigned block) {
  return graph.blocks[block].sites.front().address;
}

namespace spinc::wcet {

/// Makes one plan.
class SegmentPlanner {
public:
  /// Without `inner` it is only asked what holds where: callees return, and
  /// nothing is said of how costs come together.
  SegmentPlanner(PathPlanner &planner, unsigned loop,
                 const PathPlanner::MarkerSet &set, const InnerEnds *inner)
      : planner(planner), graph(planner.graph), loop(loop),
        body(planner.graph.loops[loop]), set(set), inner(inner) {}

  SegmentPlan run();

private:
  size_t countMarkers(unsigned block) const;
  unsigned step(PlanStep::Kind kind, unsigned from, unsigned at = 0,
                int end = 0);
  void unite(int &into, int other);
  void passLoop(unsigned header, ArrayRef<int> ends, const PathFacts &before,
                size_t markers, unsigned slot);
  void passBlock(unsigned block, const PathFacts &before, size_t markers,
                 unsigned slot);
  void passEdges(unsigned block, const PathFacts &before, size_t markers,
                 unsigned slot);
  /// Goes on from a block, or ends, with these facts and costs.
  void propagate(int key, const PathFacts &facts, size_t markers,
                 unsigned slot);
  void addWay(PlannedWays &ways, PathFacts facts, size_t markers, unsigned slot,
              uint32_t live, uint32_t place);
  void mergeWays(PlannedWays &ways, uint32_t place);
  std::map<unsigned, std::vector<int>> endsOfLoops() const;

  PathPlanner &planner;
  const FlowGraph &graph;
  const unsigned loop;
  const Loop &body;
  const PathPlanner::MarkerSet &set;
  const InnerEnds *const inner;
  uint32_t own = 0; ///< registers that are kept on the ways out
  std::map<unsigned, PlannedWays> reached;
  SegmentPlan plan;
};

} // namespace spinc::wcet

size_t SegmentPlanner::countMarkers(unsigned block) const {
  return count_if(planner.markersOf(block),
                  [&](int64_t id) { return is_contained(set, id); });
}

unsigned SegmentPlanner::step(PlanStep::Kind kind, unsigned from, unsigned at,
                              int end) {
  if (!inner)
    return from;
  plan.steps.push_back({kind, from, plan.slots, at, end});
  return plan.slots++;
}

void SegmentPlanner::unite(int &into, int other) {
  if (other == PlannedWay::kNone)
    return;
  if (into == PlannedWay::kNone)
    into = int(plan.slots++);
  if (inner)
    plan.steps.push_back(
        {PlanStep::Kind::Unite, unsigned(other), unsigned(into)});
}

/// All in one from now on.
void SegmentPlanner::mergeWays(PlannedWays &ways, uint32_t place) {
  PlannedWay all = std::move(ways.front());
  for (size_t i = 1; i < ways.size(); ++i) {
    const PlannedWay &way = ways[i];
    all.facts.join(way.facts, place);
    all.slots.resize(std::max(all.slots.size(), way.slots.size()),
                     PlannedWay::kNone);
    for (size_t markers = 0; markers < way.slots.size(); ++markers)
      unite(all.slots[markers], way.slots[markers]);
  }
  ways.clear();
  ways.push_back(std::move(all));
}

void SegmentPlanner::addWay(PlannedWays &ways, PathFacts facts, size_t markers,
                            unsigned slot, uint32_t live, uint32_t place) {
  facts.keep(live, place);
  auto at =
      find_if(ways, [&](const PlannedWay &way) { return way.facts == facts; });
  if (at == ways.end() && ways.size() == kMaxWays) {
    mergeWays(ways, place);
    at = ways.begin();
    at->facts.join(facts, place);
  } else if (at == ways.end()) {
    ways.push_back({std::move(facts), {}});
    at = std::prev(ways.end());
  }
  at->slots.resize(std::max(at->slots.size(), markers + 1), PlannedWay::kNone);
  unite(at->slots[markers], int(slot));
}

void SegmentPlanner::propagate(int key, const PathFacts &facts, size_t markers,
                               unsigned slot) {
  unsigned to = key >= 0 ? graph.edges[key].to : 0;
  if (key < 0 || !body.contains[to])
    return addWay(plan.exits[key], facts, markers, slot, own,
                  addressOf(graph, body.header));
  bool isRound = loop != 0 && to == body.header;
  addWay(isRound ? plan.full : reached[to], facts, markers, slot,
         planner.live[to], addressOf(graph, to));
}

/// Through an inner loop: nothing is known behind it of what it writes.
void SegmentPlanner::passLoop(unsigned header, ArrayRef<int> ends,
                              const PathFacts &before, size_t markers,
                              unsigned slot) {
  PathFacts facts = before;
  facts.forget(planner.writtenIn(graph.blocks[header].loop),
               addressOf(graph, header));
  for (int end : ends)
    propagate(end, facts, markers,
              step(PlanStep::Kind::Loop, slot, header, end));
}

void SegmentPlanner::passBlock(unsigned block, const PathFacts &before,
                               size_t markers, unsigned slot) {
  const Block &info = graph.blocks[block];
  slot = step(PlanStep::Kind::Block, slot, block);
  if (inner) {
    auto callee = inner->callees.find(block);
    if (callee != inner->callees.end()) {
      if (callee->second.traps)
        propagate(kTrap, before, markers,
                  step(PlanStep::Kind::CalleeTraps, slot, block));
      if (!callee->second.returns)
        return;
      slot = step(PlanStep::Kind::CalleeReturns, slot, block);
    }
  }
  if (info.returns)
    propagate(kReturn, before, markers, slot);
  if (info.traps)
    propagate(kTrap, before, markers, slot);
  if (!info.out.empty())
    passEdges(block, before, markers, slot);
}

void SegmentPlanner::passEdges(unsigned block, const PathFacts &before,
                               size_t markers, unsigned slot) {
  const Block &info = graph.blocks[block];
  const isa::Insn &last = info.sites.back().insn;
  SmallVector<std::optional<unsigned>, 2> charged(info.out.size());
  for (const PathFacts &behind : planner.factsBehind(block, before))
    for (auto [edge, charge] : zip(info.out, charged)) {
      PathFacts facts = behind;
      bool taken = graph.edges[edge].kind == EdgeKind::Taken;
      if (planner.hasValues() && isa::isBranch(last) &&
          !facts.assume(last, taken))
        continue;
      if (!charge)
        charge = step(PlanStep::Kind::Edge, slot, edge);
      propagate(int(edge), facts, markers, *charge);
    }
}

/// By header of the loops in this one.
std::map<unsigned, std::vector<int>> SegmentPlanner::endsOfLoops() const {
  if (inner)
    return inner->loops;
  std::map<unsigned, std::vector<int>> ends;
  for (unsigned child : body.children) {
    const Loop &info = graph.loops[child];
    std::vector<int> &edges = ends[info.header];
    for (unsigned edge = 0; edge < graph.edges.size(); ++edge)
      if (info.contains[graph.edges[edge].from] &&
          !info.contains[graph.edges[edge].to])
        edges.push_back(int(edge));
  }
  return ends;
}

SegmentPlan SegmentPlanner::run() {
  size_t most = 0;
  for (unsigned block = 0; block < graph.blocks.size(); ++block)
    if (graph.blocks[block].loop == loop)
      most += countMarkers(block);
  most = std::min(most, kMaxMarkers);
  // Of an exit only what the loop's own registers have come to is asked for.
  if (loop != 0)
    own = planner.writtenIn(loop) & planner.live[body.header];
  const std::map<unsigned, std::vector<int>> ends = endsOfLoops();

  addWay(reached[body.header], planner.headers[loop], 0, /*slot=*/0,
         planner.live[body.header], addressOf(graph, body.header));
  for (unsigned block : graph.order) {
    auto at = reached.find(block);
    if (at == reached.end() || !body.contains[block])
      continue;
    auto child = ends.find(block);
    bool isLoop = child != ends.end();
    if (!inner && isLoop)
      for (const PlannedWay &way : at->second)
        planner.reaching[block].push_back(way.facts);
    size_t passed = isLoop ? 0 : countMarkers(block);
    for (const PlannedWay &way : at->second)
      for (size_t before = 0; before < way.slots.size(); ++before) {
        if (way.slots[before] == PlannedWay::kNone)
          continue;
        unsigned slot = unsigned(way.slots[before]);
        if (isLoop)
          passLoop(block, child->second, way.facts, before, slot);
        else
          passBlock(block, way.facts, std::min(most, before + passed), slot);
      }
  }
  return std::move(plan);
}

PathPlanner::PathPlanner(const Image &image, const FlowGraph &graph,
                         GraphValues values)
    : graph(graph), values(std::move(values)) {
  for (const Block &block : graph.blocks) {
    markers.emplace_back();
    for (const Site &site : block.sites)
      append_range(markers.back(), image.markersAt(site.address));
  }
}

const SegmentPlan &PathPlanner::plan(unsigned loop, const MarkerSet &set,
                                     const InnerEnds &inner) {
  if (headers.empty())
    findHeaderFacts();
  auto [at, isNew] = plans.try_emplace(
      {loop, std::vector<int64_t>(set.begin(), set.end()), inner});
  if (isNew)
    at->second = SegmentPlanner(*this, loop, set, &inner).run();
  return at->second;
}

std::optional<ConstantRange> PathPlanner::entering(unsigned loop,
                                                   unsigned reg) const {
  auto known = values.entering.find(loop);
  if (known == values.entering.end())
    return std::nullopt;
  return entries[loop].range(reg).intersectWith(known->second[reg]);
}

PathPlanner::Facts PathPlanner::flow(unsigned loop) {
  for (unsigned child : graph.loops[loop].children)
    reaching.erase(graph.loops[child].header);
  Facts ends;
  const MarkerSet none;
  for (PlannedWay &way :
       SegmentPlanner(*this, loop, none, /*inner=*/nullptr).run().full)
    ends.push_back(std::move(way.facts));
  return ends;
}

void PathPlanner::findHeaderFacts() {
  const RegisterRanges nothing(32, ConstantRange::getFull(32));
  live = registersLiveAt(graph);
  headers.assign(graph.loops.size(), PathFacts());
  entries = headers;
  // Nothing of memory is proved of code that spinc has not made.
  bool isKnown = hasValues() && !values.atHeader.empty();
  if (isKnown)
    flow(0);
  for (unsigned loop = 1; loop < graph.loops.size() && isKnown; ++loop) {
    unsigned header = graph.loops[loop].header;
    auto found = values.atHeader.find(loop);
    const RegisterRanges &known =
        found == values.atHeader.end() ? nothing : found->second;
    Facts ways = reaching[header];
    entries[loop] = PathFacts::atEntry(ways, live[header], nothing);
    for (PathFacts &way : ways)
      way.forget(writtenIn(loop), addressOf(graph, header));
    headers[loop] = PathFacts::atEntry(ways, live[header], known);
    for (unsigned again = 0; again < 2; ++again) {
      ways = flow(loop);
      append_range(ways, reaching[header]);
      PathFacts next = PathFacts::atEntry(ways, live[header], known);
      // From the same facts the same follows.
      if (next == headers[loop])
        break;
      headers[loop] = std::move(next);
    }
  }
}

uint32_t PathPlanner::writtenIn(unsigned loop) const {
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

PathPlanner::Facts PathPlanner::factsBehind(unsigned block,
                                            const PathFacts &before) const {
  Facts ways = {before};
  if (!hasValues())
    return ways;
  const Block &info = graph.blocks[block];
  Facts others;
  for (size_t i = 0; i < info.sites.size(); ++i) {
    const Site &site = info.sites[i];
    if (info.callee && i + 1 == info.sites.size()) {
      for (PathFacts &way : ways)
        way.forget(~0u, site.address);
      continue;
    }
    for (size_t way = 0; way < ways.size();) {
      others.clear();
      if (ways[way].step(site, values.results[block][i], others))
        ++way;
      else
        ways.erase(ways.begin() + way);
      ways.insert(ways.begin() + way, others.begin(), others.end());
      way += others.size();
    }
    // Too many comparisons one after the other: what they share is left.
    while (ways.size() > kMaxWays) {
      ways.front().join(ways.back(), site.next());
      ways.pop_back();
    }
  }
  return ways;
}
