// See FigureCosts.h.
#include "compiler/Wcet/FigureCosts.h"
#include "runtime/abi/pspin.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

/// What an access waits for all others. To another cluster's L1 the way counts
/// as waiting.
static int64_t contendedExtra(const AccessInfo &access) {
  if (!access.exists)
    return 0;
  int64_t extra = isa::contentionExtra(
      access.otherCluster ? isa::Region::RemoteL1 : access.region);
  return access.crossesWord ? 2 * extra : extra;
}

/// What an access may take longer than its cycles: it waits for all others, and
/// own L1 may be that of another cluster.
static int64_t elapsedExtra(const AccessInfo &access) {
  if (!access.exists)
    return 0;
  int64_t extra = isa::contentionExtra(access.region);
  if (access.mayBeOwnL1) {
    int64_t farther = 0;
    for (isa::Access way :
         {isa::Access::Load, isa::Access::Store, isa::Access::Atomic})
      farther = std::max<int64_t>(
          farther, isa::accessCost(isa::Region::RemoteL1, way) +
                       isa::contentionExtra(isa::Region::RemoteL1));
    extra = std::max(extra, farther);
  }
  return access.crossesWord ? 2 * extra : extra;
}

/// Lines of the instruction cache that an instruction enters behind another, or
/// behind a jump.
static int64_t linesEntered(const Site &site, const Site *previous) {
  uint32_t first = site.address / isa::icacheLineBytes;
  uint32_t last = (site.next() - 1) / isa::icacheLineBytes;
  bool isSame =
      previous && (previous->next() - 1) / isa::icacheLineBytes == first;
  return int64_t(last - first) + (isSame ? 0 : 1);
}

/// At most four commands are under way and each completes within the latency,
/// so any four issues in a row wait no longer than one latency in all: a
/// quarter for each, and one more for the handler (Wcet.cpp).
static int64_t occupancyExtra(const FunctionModel::Instruction &insn,
                              int64_t commandLatency) {
  if (insn.waits)
    return commandLatency;
  if (insn.issues)
    return (commandLatency + PSPIN_COMMANDS_PER_HPU - 1) /
           PSPIN_COMMANDS_PER_HPU;
  return 0;
}

/// What the figure adds to the active cycles of an instruction of the block.
static int64_t extraCost(const FunctionModel &function, unsigned block,
                         size_t index, FigureKind figure,
                         const WcetOptions &options) {
  const FunctionModel::Instruction &insn = function.instructions[block][index];
  const std::vector<Site> &sites = function.graph->blocks[block].sites;
  switch (figure) {
  case FigureKind::Active:
    return 0;
  case FigureKind::Cold:
    return linesEntered(sites[index],
                        index == 0 ? nullptr : &sites[index - 1]) *
           int64_t(isa::icacheRefill);
  case FigureKind::Occupancy:
    return occupancyExtra(insn, options.commandLatency);
  case FigureKind::Contended:
    return contendedExtra(insn.access);
  case FigureKind::Elapsed:
    return elapsedExtra(insn.access);
  }
  llvm_unreachable("not a figure");
}

static bool addsCycles(const FunctionModel &function, FigureKind figure,
                       const WcetOptions &options) {
  for (unsigned block = 0; block < function.instructions.size(); ++block)
    for (size_t i = 0; i < function.instructions[block].size(); ++i)
      if (extraCost(function, block, i, figure, options) != 0)
        return true;
  return any_of(function.callees, [&](const auto &callee) {
    return addsCycles(*callee.second, figure, options);
  });
}

bool spinc::wcet::addsCycles(const HandlerAnalysis &analysis,
                             FigureKind figure) {
  return ::addsCycles(analysis.getModel(), figure, analysis.getOptions());
}

ChargesPtr FigureCosts::priceBlock(const FunctionModel &function,
                                   unsigned block) const {
  const ChargesPtr &active = function.blocks[block];
  std::vector<Charge> charges = *active;
  bool isMore = false;
  for (size_t i = 0; i < charges.size(); ++i) {
    int64_t extra = extraCost(function, block, i, figure, options);
    charges[i].cycles += extra;
    isMore |= extra != 0;
  }
  if (!isMore)
    return active;
  return std::make_shared<const std::vector<Charge>>(std::move(charges));
}

Expected<CostedGraph>
FigureCosts::priceFunction(const FunctionModel &function) {
  CostedGraph costed;
  costed.graph = function.graph;
  costed.planner = function.planner.get();
  costed.edges = function.edges;
  costed.rare = function.rare;
  for (unsigned block = 0; block < function.blocks.size(); ++block)
    costed.blocks.push_back(priceBlock(function, block));
  for (const auto &[block, callee] : function.callees) {
    Expected<CostedGraph> inner = priceFunction(*callee);
    if (!inner)
      return inner.takeError();
    Expected<FunctionCost> cost = solve(*inner);
    if (!cost)
      return cost.takeError();
    costed.callees[block] = std::move(*cost);
  }
  return costed;
}

Expected<FunctionCost> FigureCosts::solve(const CostedGraph &function) {
  return PathSolver(image, loops, algebra, tags).solve(function);
}

Expected<CostSet> FigureCosts::findPaths() {
  Expected<CostedGraph> costed = priceFunction(analysis.getModel());
  if (!costed)
    return costed.takeError();
  if (options.graph)
    outermost = *costed;
  Expected<FunctionCost> cost = solve(*costed);
  if (!cost)
    return cost.takeError();
  CostSet paths = std::move(cost->returns);
  traps = !cost->traps.empty();
  algebra.unite(paths, cost->traps);
  return paths;
}

std::map<int64_t, int64_t> FigureCosts::longestIterations() const {
  std::map<int64_t, int64_t> longest;
  for (const LoopTag &tag : tags) {
    int64_t &cycles = longest[tag.id];
    cycles = std::max(cycles, tag.perIteration);
  }
  return longest;
}
