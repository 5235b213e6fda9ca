// See PathSolver.h.
//
// One stay in a loop is a sequence of full segments (header to header) and
// one exit segment. With at most N markers executed, at least k on each full
// segment and e on the exit segment, there are at most (N - e) / k full
// segments; so the stay costs at most the maximum over e of
//   floor((N - e) / k) * longest full segment + longest exit segment with e.
#include "compiler/Wcet/PathSolver.h"
#include "compiler/Wcet/FlowFacts.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

int64_t PathSolver::prepaidIn(unsigned block) const {
  int64_t cycles = 0;
  for (int64_t id : markersOf(block))
    if (auto spec = loops.find(id); spec != loops.end())
      cycles += spec->second.prepaid;
  return cycles;
}

/// Where rounds are charged once for all stays it is not known how many begin
/// anew.
ArrayRef<RareStall> PathSolver::rareOf(unsigned block) const {
  auto rare = function->rare.find(block);
  bool isTotal = any_of(markersOf(block), [&](int64_t id) {
    auto spec = loops.find(id);
    return spec != loops.end() && spec->second.total;
  });
  if (rare == function->rare.end() || isTotal)
    return {};
  return rare->second;
}

CostSet PathSolver::spareRare(const CostSet &paths, unsigned block,
                              bool onWayBack) {
  std::vector<Charge> spared;
  for (const RareStall &stall : rareOf(block))
    if (stall.onWayBack == onWayBack)
      spared.push_back({stall.address, -stall.cycles, false});
  if (spared.empty())
    return paths;
  return algebra.addCharges(
      paths, std::make_shared<const std::vector<Charge>>(std::move(spared)));
}

CostSet PathSolver::chargeRare(CostSet paths, unsigned block,
                               const SymbolicCount &rounds) {
  for (const RareStall &stall : rareOf(block)) {
    auto had = [&](int64_t times) {
      std::vector<Charge> charges = {
          {stall.address, stall.cycles * times, false}};
      return algebra.addCharges(
          CostAlgebra::zero(),
          std::make_shared<const std::vector<Charge>>(std::move(charges)));
    };
    // With the last round, which leads out, the block runs once more.
    SymbolicCount periods = rounds.floorDiv(stall.rate.runs).value_or(rounds);
    CostSet once = had(stall.rate.times);
    CostSet all = algebra.sequence(once, algebra.repeat(periods, once));
    // Few rounds may all have it.
    std::optional<SymbolicCount> runs =
        rounds.add(SymbolicCount(stall.onWayBack ? 0 : 1));
    if (runs)
      if (CostSet each = algebra.repeat(*runs, had(1));
          algebra.high(each) <= algebra.high(all))
        all = std::move(each);
    paths = algebra.sequence(paths, all);
  }
  return paths;
}

bool PathSolver::holdsMarker(unsigned loop, int64_t id) const {
  const Loop &body = function->graph->loops[loop];
  for (unsigned block = 0; block < body.contains.size(); ++block)
    if (body.contains[block] && is_contained(markersOf(block), id))
      return true;
  return false;
}

Expected<FunctionCost> PathSolver::solve(const CostedGraph &costed) {
  function = &costed;
  Expected<Exits> exits = solveRegion(0);
  if (!exits)
    return exits.takeError();
  FunctionCost cost{std::move((*exits)[kReturn]), std::move((*exits)[kTrap])};
  for (const CostSet &rounds : totals) {
    cost.returns = algebra.sequence(cost.returns, rounds);
    cost.traps = algebra.sequence(cost.traps, rounds);
  }
  return cost;
}

Expected<PathSolver::Exits> PathSolver::solveRegion(unsigned loop) {
  const FlowGraph &graph = *function->graph;
  std::map<unsigned, Exits> children;
  for (unsigned child : graph.loops[loop].children) {
    Expected<Exits> exits = solveRegion(child);
    if (!exits)
      return exits.takeError();
    children[graph.loops[child].header] = std::move(*exits);
  }
  if (loop == 0) {
    Exits exits;
    Segments segments = findSegments(loop, {}, children);
    for (auto &[key, ways] : segments.exits)
      for (const Way &way : ways)
        algebra.unite(exits[key], way.costs[0]);
    return exits;
  }

  // Any one id may limit the loop; all together do when no single one is on
  // every way round. Keep the smallest bound.
  MarkerSet all;
  for (unsigned block = 0; block < graph.blocks.size(); ++block)
    if (graph.blocks[block].loop == loop)
      for (int64_t id : markersOf(block))
        if (!is_contained(all, id))
          all.push_back(id);
  std::vector<MarkerSet> candidates;
  for (int64_t id : all)
    candidates.push_back({id});
  if (all.size() > 1)
    candidates.push_back(all);
  for (int64_t id : all)
    if (auto spec = loops.find(id); spec != loops.end() && spec->second.total)
      candidates = {{id}};
  std::optional<Exits> best;
  int64_t bestCost = INT64_MAX;
  for (const MarkerSet &set : candidates) {
    Expected<std::optional<Exits>> exits = closeLoop(loop, set, children);
    if (!exits)
      return exits.takeError();
    if (!*exits)
      continue;
    int64_t cost = INT64_MIN;
    for (const auto &entry : **exits)
      cost = std::max(cost, algebra.high(entry.second));
    if (!best || cost < bestCost) {
      best = std::move(*exits);
      bestCost = cost;
    }
  }
  if (!best)
    return unmarked(loop);
  return std::move(*best);
}

bool PathSolver::Segments::hasFull(size_t markers) const {
  return any_of(full, [&](const Way &way) {
    return markers < way.costs.size() && !way.costs[markers].empty();
  });
}

InnerEnds PathSolver::endsOf(const std::map<unsigned, Exits> &children) const {
  InnerEnds ends;
  for (const auto &[header, exits] : children) {
    std::vector<int> &keys = ends.loops[header];
    for (const auto &[key, paths] : exits)
      if (!paths.empty())
        keys.push_back(key);
  }
  for (const auto &[block, callee] : function->callees)
    ends.callees[block] = {!callee.returns.empty(), !callee.traps.empty()};
  return ends;
}

CostSet PathSolver::follow(const PlanStep &step, const CostSet &paths,
                           const std::map<unsigned, Exits> &children) {
  switch (step.kind) {
  case PlanStep::Kind::Block:
    return chargeBlock(paths, step.at);
  case PlanStep::Kind::Edge:
    return chargeEdge(paths, step.at);
  case PlanStep::Kind::Loop:
    return algebra.sequence(paths, children.at(step.at).at(step.end));
  case PlanStep::Kind::CalleeReturns:
    return algebra.sequence(paths, function->callees.at(step.at).returns);
  case PlanStep::Kind::CalleeTraps:
    return algebra.sequence(paths, function->callees.at(step.at).traps);
  case PlanStep::Kind::Unite:
    break;
  }
  llvm_unreachable("does not lead on");
}

PathSolver::Segments
PathSolver::findSegments(unsigned loop, const MarkerSet &set,
                         const std::map<unsigned, Exits> &children) {
  const SegmentPlan &plan =
      function->planner->plan(loop, set, endsOf(children));
  std::vector<CostSet> slots(plan.slots);
  slots[0] = CostAlgebra::zero();
  for (const PlanStep &step : plan.steps) {
    if (step.kind == PlanStep::Kind::Unite)
      algebra.unite(slots[step.to], slots[step.from]);
    else
      slots[step.to] = follow(step, slots[step.from], children);
  }
  auto priced = [&](const PlannedWays &planned) {
    Ways ways;
    for (const PlannedWay &way : planned) {
      ways.push_back({way.facts, {}});
      for (int slot : way.slots)
        ways.back().costs.push_back(slot == PlannedWay::kNone ? CostSet()
                                                              : slots[slot]);
    }
    return ways;
  };
  Segments segments;
  segments.full = priced(plan.full);
  for (const auto &[key, ways] : plan.exits)
    segments.exits.emplace(key, priced(ways));
  return segments;
}

CostSet PathSolver::chargeBlock(const CostSet &paths, unsigned block) {
  CostSet charged =
      spareRare(algebra.addCharges(paths, function->blocks[block]), block,
                /*onWayBack=*/false);
  if (int64_t prepaid = prepaidIn(block))
    charged = algebra.addPrepaid(charged, -prepaid);
  return charged;
}

CostSet PathSolver::chargeEdge(const CostSet &paths, unsigned edge) {
  const Edge &way = function->graph->edges[edge];
  CostSet charged = algebra.addCharges(paths, function->edges[edge]);
  if (way.to == way.from)
    charged = spareRare(charged, way.to, /*onWayBack=*/true);
  return charged;
}

/// Bounds one stay in the loop by the executions of the markers in `set`;
/// nothing if some way round passes none of them.
Expected<std::optional<PathSolver::Exits>>
PathSolver::closeLoop(unsigned loop, const MarkerSet &set,
                      const std::map<unsigned, Exits> &children) {
  SymbolicCount limit;
  for (int64_t id : set) {
    Expected<SymbolicCount> count = executions(loop, id, 0);
    if (!count)
      return count.takeError();
    std::optional<SymbolicCount> sum = limit.add(*count);
    if (!sum)
      return errorAt(
          image, WcetError::Kind::TooLarge,
          function->graph->blocks[function->graph->loops[loop].header]
              .sites.front()
              .address,
          "the iterations do not fit 64 bits");
    limit = *sum;
  }
  Segments segments = findSegments(loop, set, children);
  if (segments.hasFull(0))
    return std::nullopt;
  CostSet full;
  size_t least = 0;
  for (const Way &way : segments.full)
    for (size_t markers = way.costs.size(); markers-- > 1;) {
      if (way.costs[markers].empty())
        continue;
      algebra.unite(full, way.costs[markers]);
      least = least == 0 ? markers : std::min(least, markers);
    }

  const LoopSpec &spec = loops.at(set.front());
  int64_t iteration = full.empty() ? 0 : algebra.high(full) / int64_t(least);
  // A round that costs less than nothing need not be taken.
  if (any_of(full, [&](const PathCost &path) {
        return algebra.low(path.cycles) < 0;
      }))
    algebra.unite(full, CostAlgebra::zero());
  tags.push_back({spec.id, spec.line, limit,
                  spec.perIteration.value_or(iteration),
                  full.empty() ? 1 : int64_t(least), isHardware(loop)});
  Exits closed;
  // The full segments of all stays in one call, charged where the function
  // ends: what is left of a stay is its exit segment.
  if (spec.total) {
    SymbolicCount rounds =
        spec.total->floorDiv(int64_t(least)).value_or(*spec.total);
    if (!full.empty())
      totals.push_back(algebra.tag(algebra.repeat(rounds, full), &tags.back()));
    full.clear();
  }
  std::vector<Growth> grown = findGrowth(loop, segments.full);
  for (auto &[key, ways] : segments.exits)
    closed[key] = algebra.tag(closeExit(function->graph->loops[loop].header,
                                        ways, full, limit, least, grown),
                              &tags.back());
  return closed;
}

CostSet PathSolver::closeExit(unsigned header, const Ways &exits,
                              const CostSet &full, const SymbolicCount &limit,
                              size_t least, ArrayRef<Growth> grown) {
  std::map<Rooms, ByMarkers> byRooms;
  for (const Way &way : exits) {
    ByMarkers &all = byRooms[roomsBefore(way.facts, grown)];
    all.resize(std::max(all.size(), way.costs.size()));
    for (size_t markers = 0; markers < way.costs.size(); ++markers)
      algebra.unite(all[markers], way.costs[markers]);
  }
  CostSet paths;
  for (const auto &[rooms, byMarkers] : byRooms)
    for (size_t markers = 0; markers < byMarkers.size(); ++markers) {
      const CostSet &exit = byMarkers[markers];
      if (exit.empty())
        continue;
      CostSet alone = chargeRare(exit, header, SymbolicCount(0));
      if (full.empty()) {
        algebra.unite(paths, alone);
        continue;
      }
      SymbolicCount rest =
          limit.subtract(SymbolicCount(int64_t(markers))).value_or(limit);
      SymbolicCount rounds = rest.floorDiv(int64_t(least)).value_or(rest);
      CostSet stay =
          algebra.sequence(repeatRounds(full, rounds, grown, rooms), exit);
      algebra.unite(paths, chargeRare(stay, header, rounds));
      // Where the formula of the bound goes below zero there are no rounds,
      // and no exit segment with a marker either.
      if (markers == 0 && algebra.low(rounds) < 0)
        algebra.unite(paths, alone);
    }
  return paths;
}

/// The table bounds a marker per run of its parent's marker. During a stay in
/// a loop without the parent's marker, that bound holds for the stay; else
/// each run of the parent starts it anew, and so does the loop's entry.
Expected<SymbolicCount> PathSolver::executions(unsigned loop, int64_t id,
                                               unsigned depth) {
  const FlowGraph &graph = *function->graph;
  uint32_t address =
      graph.blocks[graph.loops[loop].header].sites.front().address;
  auto spec = loops.find(id);
  if (spec == loops.end() || depth > loops.size())
    return errorAt(image, WcetError::Kind::BadElf, address,
                   "the loop table does not know loop " + Twine(id));
  SymbolicCount bound = spec->second.bound;
  int64_t parent = spec->second.parent;
  if (parent < 0 || !holdsMarker(loop, parent))
    return bound;
  Expected<SymbolicCount> outer = executions(loop, parent, depth + 1);
  if (!outer)
    return outer.takeError();
  std::optional<SymbolicCount> times = outer->add(SymbolicCount(1));
  if (times) {
    if (times->isConstant())
      times = bound.multiply(times->getConstant());
    else
      times = times->multiply(std::max<int64_t>(0, algebra.high(bound)));
  }
  if (!times)
    return errorAt(image, WcetError::Kind::TooLarge, address,
                   "the iterations do not fit 64 bits");
  return *times;
}

bool PathSolver::isHardware(unsigned loop) const {
  const FlowGraph &graph = *function->graph;
  return any_of(graph.edges, [&](const Edge &edge) {
    return edge.kind == EdgeKind::Hardware &&
           edge.to == graph.loops[loop].header;
  });
}

Error PathSolver::unmarked(unsigned loop) const {
  const FlowGraph &graph = *function->graph;
  // The header may be shared with other loops; a back edge is the loop's own.
  uint32_t address =
      graph.blocks[graph.loops[loop].header].sites.front().address;
  for (const Edge &edge : graph.edges) {
    const Site &last = graph.blocks[edge.from].sites.back();
    if (edge.to == graph.loops[loop].header &&
        graph.loops[loop].contains[edge.from] &&
        image.lineAt(last.address).line != 0)
      address = last.address;
  }
  // Only the compiler's own images have a table of loops.
  if (image.metadata().empty()) {
    uint32_t header =
        graph.blocks[graph.loops[loop].header].sites.front().address;
    return errorAt(image, WcetError::Kind::UnmarkedLoop, address,
                   "a loop has no bound", proposeFact(image, header));
  }
  return errorAt(image, WcetError::Kind::UnmarkedLoop, address,
                 "loop bound could not be carried to the machine code");
}
