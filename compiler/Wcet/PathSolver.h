// Longest paths through a function whose instruction and edge costs are known.
// Which ways there are is PathPlan.h's matter; here they are followed.
// Loops are solved from the inside out. Each way round a loop's header must
// pass a marker; the bound of the marker's loop then limits the iterations.
#ifndef SPINC_COMPILER_WCET_PATHSOLVER_H
#define SPINC_COMPILER_WCET_PATHSOLVER_H

#include "compiler/Wcet/CostSet.h"
#include "compiler/Wcet/Machine.h"
#include "compiler/Wcet/PathPlan.h"
#include <deque>
#include <functional>

namespace spinc::wcet {

/// Costs of a function's paths by how they end.
struct FunctionCost {
  CostSet returns;
  CostSet traps;
};

using ChargesPtr = std::shared_ptr<const std::vector<Charge>>;

/// A stall that is charged in each round but not had in each.
struct RareStall {
  uint32_t address = 0;
  int64_t cycles = 0;
  StallRate rate;
  bool onWayBack = false; ///< charged with the edge back to the block
};

struct CostedGraph {
  const FlowGraph *graph = nullptr;
  PathPlanner *planner = nullptr;
  std::vector<ChargesPtr> blocks;
  std::vector<ChargesPtr> edges;
  /// Of blocks that end with a call.
  std::map<unsigned, FunctionCost> callees;
  /// Of blocks that are loops of their own.
  std::map<unsigned, std::vector<RareStall>> rare;
};

using LoopTable = std::map<int64_t, LoopSpec>;

class PathSolver {
public:
  /// `tags` keeps the loops that recipes point to.
  PathSolver(const Image &image, const LoopTable &loops, CostAlgebra &algebra,
             std::deque<LoopTag> &tags)
      : image(image), loops(loops), algebra(algebra), tags(tags) {}

  llvm::Expected<FunctionCost> solve(const CostedGraph &function);

private:
  using ByMarkers = std::vector<CostSet>;
  using Exits = std::map<int, CostSet>;
  using MarkerSet = PathPlanner::MarkerSet;

  /// Paths on which the same is known: what the plan says of them, and what
  /// they cost.
  struct Way {
    const PathFacts &facts;
    ByMarkers costs;
  };
  using Ways = std::vector<Way>;

  /// Paths from a region's entry, by how many markers they passed.
  struct Segments {
    Ways full;
    std::map<int, Ways> exits;
    bool hasFull(size_t markers) const;
  };

  /// Rounds of one kind: at least how far, at most how many cycles.
  struct Kind {
    int64_t steps = 0, cycles = 0;
    const PathCost *path = nullptr;
  };
  /// A register that only grows in a loop: the least with which a stay begins
  /// and the largest of all headers behind; kinds of rounds.
  struct Growth {
    unsigned reg = 0;
    int64_t first = 0, last = 0;
    std::vector<Kind> kinds;
  };
  /// By growth: how far all full rounds of a stay may come together.
  using Rooms = std::vector<int64_t>;

  llvm::Expected<Exits> solveRegion(unsigned loop);
  Segments findSegments(unsigned loop, const MarkerSet &set,
                        const std::map<unsigned, Exits> &children);
  /// How inner loops and callees end.
  InnerEnds endsOf(const std::map<unsigned, Exits> &children) const;
  /// What a step of a plan makes of the costs before it.
  CostSet follow(const PlanStep &step, const CostSet &paths,
                 const std::map<unsigned, Exits> &children);
  /// The paths with what the block's instructions, or the edge, take.
  CostSet chargeBlock(const CostSet &paths, unsigned block);
  CostSet chargeEdge(const CostSet &paths, unsigned edge);
  // PathProgress.cpp
  std::vector<Growth> findGrowth(unsigned loop, const Ways &full) const;
  std::optional<Growth> growthOf(unsigned loop, unsigned reg,
                                 const Ways &full) const;
  static Rooms roomsBefore(const PathFacts &exit, llvm::ArrayRef<Growth> grown);
  /// What all full rounds of one stay cost at most: so many times the longest,
  /// or less where long rounds take a register far towards its end.
  CostSet repeatRounds(const CostSet &full, const SymbolicCount &rounds,
                       llvm::ArrayRef<Growth> grown, const Rooms &rooms);
  /// The cost of a stay that ends on one of these ways.
  CostSet closeExit(unsigned header, const Ways &exits, const CostSet &full,
                    const SymbolicCount &limit, size_t least,
                    llvm::ArrayRef<Growth> grown);
  llvm::Expected<std::optional<Exits>>
  closeLoop(unsigned loop, const MarkerSet &set,
            const std::map<unsigned, Exits> &children);
  llvm::ArrayRef<int64_t> markersOf(unsigned block) const {
    return function->planner->markersOf(block);
  }
  /// What one run of the block is cheaper: see LoopSpec::prepaid.
  int64_t prepaidIn(unsigned block) const;
  /// Takes out the rare stalls of one run of the block, or of the way back to
  /// it.
  CostSet spareRare(const CostSet &paths, unsigned block, bool onWayBack);
  /// Those of a stay of so many full rounds.
  CostSet chargeRare(CostSet paths, unsigned block,
                     const SymbolicCount &rounds);
  llvm::ArrayRef<RareStall> rareOf(unsigned block) const;
  bool holdsMarker(unsigned loop, int64_t id) const;
  /// Executions of a marker during one stay in the loop.
  llvm::Expected<SymbolicCount> executions(unsigned loop, int64_t id,
                                           unsigned depth);
  bool isHardware(unsigned loop) const;
  llvm::Error unmarked(unsigned loop) const;

  const Image &image;
  const LoopTable &loops;
  CostAlgebra &algebra;
  std::deque<LoopTag> &tags;
  const CostedGraph *function = nullptr;
  /// Rounds that are charged once for the whole function, not for each stay.
  std::vector<CostSet> totals;
};

} // namespace spinc::wcet

#endif // SPINC_COMPILER_WCET_PATHSOLVER_H
