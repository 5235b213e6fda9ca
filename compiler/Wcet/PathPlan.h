// Which ways lead through a function and each of its loops: the half of the
// path search that does not ask what anything costs. It is made once, and
// PathSolver follows it for each figure.
//
// What holds at a loop's header each time is found from outer to inner loops:
// what holds on all ways to it from outside, of registers that the loop leaves
// alone, holds at each round's begin. With that come the ends of rounds; what
// holds there and on the ways from outside holds at each round's begin as well.
#ifndef SPINC_COMPILER_WCET_PATHPLAN_H
#define SPINC_COMPILER_WCET_PATHPLAN_H

#include "compiler/Wcet/PathFacts.h"

namespace spinc::wcet {

/// What registers may hold; empty: nothing is known.
struct GraphValues {
  /// By block and instruction: what is left in the instruction's register.
  std::vector<std::vector<llvm::ConstantRange>> results;
  /// By loop: each time at its header, and when it is entered.
  std::map<unsigned, RegisterRanges> atHeader, entering;
};

/// How a path leaves a region: over an edge, or by ending the function.
enum RegionEnd : int { kReturn = -1, kTrap = -2 };

/// How what lies within a region may be left.
struct InnerEnds {
  struct Callee {
    bool returns = false, traps = false;
    bool operator<(const Callee &other) const {
      return std::tie(returns, traps) < std::tie(other.returns, other.traps);
    }
  };
  std::map<unsigned, std::vector<int>> loops; ///< by header
  std::map<unsigned, Callee> callees;         ///< by block
  bool operator<(const InnerEnds &other) const {
    return std::tie(loops, callees) < std::tie(other.loops, other.callees);
  }
};

/// One step of adding up the costs of ways. They are in slots, of which number
/// 0 has the empty way.
struct PlanStep {
  enum class Kind : uint8_t {
    Block,         ///< `to` is `from` and then block `at`
    Edge,          ///< and then the edge `at`
    Loop,          ///< and then the loop with header `at`, left by `end`
    CalleeReturns, ///< and then the callee of block `at` until it returns
    CalleeTraps,   ///< or until it traps
    Unite,         ///< the ways of `from` as well as those of `to`
  };
  Kind kind;
  unsigned from, to;
  unsigned at = 0;
  int end = 0;
};

/// Paths on which the same is known.
struct PlannedWay {
  static constexpr int kNone = -1;

  PathFacts facts;
  /// By how many markers they have passed: the slot with their costs, or kNone.
  std::vector<int> slots;
};
using PlannedWays = std::vector<PlannedWay>;

/// The ways from a region's entry.
struct SegmentPlan {
  std::vector<PlanStep> steps;
  unsigned slots = 1;
  PlannedWays full; ///< back to the loop's header
  std::map<int, PlannedWays> exits;
};

class PathPlanner {
public:
  using MarkerSet = llvm::SmallVector<int64_t, 2>;

  PathPlanner(const Image &image, const FlowGraph &graph, GraphValues values);
  PathPlanner(const PathPlanner &) = delete;

  /// The ways through one stay in the loop, inner loops and callees taken as
  /// one step each, by how many markers of `set` they pass.
  const SegmentPlan &plan(unsigned loop, const MarkerSet &set,
                          const InnerEnds &inner);
  /// Ids of the markers in a block, one entry for each execution.
  llvm::ArrayRef<int64_t> markersOf(unsigned block) const {
    return markers[block];
  }
  bool hasValues() const { return !values.results.empty(); }
  /// What is in a register when the loop is entered; nothing if that is not
  /// known.
  std::optional<llvm::ConstantRange> entering(unsigned loop,
                                              unsigned reg) const;

private:
  friend class SegmentPlanner;
  using Facts = std::vector<PathFacts>;

  /// What the function's code makes of registers before and in each loop.
  void findHeaderFacts();
  /// The facts with which the rounds of a loop end.
  Facts flow(unsigned loop);
  /// Behind the block's instructions, its call excepted.
  Facts factsBehind(unsigned block, const PathFacts &before) const;
  /// Registers that the loop's instructions may write.
  uint32_t writtenIn(unsigned loop) const;

  const FlowGraph &graph;
  const GraphValues values;
  std::vector<std::vector<int64_t>> markers; ///< by block
  std::vector<uint32_t> live;                ///< by block
  /// By loop: what is known each time at its header, and where it is entered.
  Facts headers, entries;
  /// By block: facts that reach the header of an inner loop from outside.
  std::map<unsigned, Facts> reaching;
  std::map<std::tuple<unsigned, std::vector<int64_t>, InnerEnds>, SegmentPlan>
      plans;
};

} // namespace spinc::wcet

#endif // SPINC_COMPILER_WCET_PATHPLAN_H
