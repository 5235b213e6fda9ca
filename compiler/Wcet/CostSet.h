// Costs of sets of paths. A path's cost is a SymbolicCount together with the
// recipe that says which instructions it is made of; a set of paths costs the
// maximum of a few such counts, those that no other dominates. Summation and
// repetition never lose a path: where a product of two symbolic counts would
// leave the form, the cost is replaced by one that is at least as large.
#ifndef SPINC_COMPILER_WCET_COSTSET_H
#define SPINC_COMPILER_WCET_COSTSET_H

#include "compiler/Wcet/SymbolicCount.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace spinc::wcet {

/// Cycles spent on one instruction, its stalls and its way out included.
struct Charge {
  uint32_t address = 0;
  int64_t cycles = 0;
  /// Whether the instruction itself is executed here; an edge only adds
  /// cycles to an instruction that was counted with its block.
  bool counts = true;
};

/// A loop of the machine code as the report names it.
struct LoopTag {
  int64_t id = 0;
  int64_t line = 0;
  SymbolicCount bound;
  int64_t perIteration = 0;
  int64_t roundsPerTurn = 1;
  bool hardware = false;
};

struct Recipe;
using RecipePtr = std::shared_ptr<const Recipe>;

/// What a cost is made of; evaluated at symbol values into a Breakdown.
struct Recipe {
  /// first, then `charges`, then `body` repeated `count` times, then `slack`.
  RecipePtr first;
  std::shared_ptr<const std::vector<Charge>> charges;
  RecipePtr body;
  SymbolicCount count = 1;
  /// Set where a product was cut: the body is taken at these values.
  std::shared_ptr<const SymbolValues> bodyValues;
  int64_t slack = 0;
  /// Cycles that other parts have paid for, or the other way round: they belong
  /// to no loop.
  SymbolicCount prepaid;
  /// The cycles of `body` are those of this loop.
  const LoopTag *loop = nullptr;
};

/// Executions and cycles of each instruction, cycles of each loop.
struct Breakdown {
  struct Use {
    int64_t executions = 0;
    int64_t cycles = 0;
  };
  std::map<uint32_t, Use> instructions;
  std::map<const LoopTag *, int64_t> loops;
  int64_t slack = 0;
};

struct PathCost {
  SymbolicCount cycles;
  RecipePtr recipe;
};

/// Arithmetic on path sets over fixed symbol ranges. After an overflow of 64
/// bits `failed()` holds and results are meaningless.
class CostAlgebra {
public:
  /// Empty: no path.
  using CostSet = llvm::SmallVector<PathCost, 2>;

  explicit CostAlgebra(const SymbolRanges &ranges) : ranges(ranges) {}

  static CostSet zero() { return {PathCost{SymbolicCount(0), nullptr}}; }
  CostSet addCharges(const CostSet &set,
                     std::shared_ptr<const std::vector<Charge>> charges);
  /// Cycles that are paid for elsewhere, with the other sign there.
  CostSet addPrepaid(const CostSet &set, const SymbolicCount &cycles);
  CostSet sequence(const CostSet &first, const CostSet &second);
  void unite(CostSet &into, const CostSet &other);
  /// count times any path of `body`. Only meaningful where count >= 0.
  CostSet repeat(const SymbolicCount &count, const CostSet &body);
  CostSet tag(const CostSet &set, const LoopTag *loop);

  /// Upper and lower bound of a count; sets failed() when there is none.
  int64_t high(const SymbolicCount &count);
  int64_t low(const SymbolicCount &count);
  /// Largest value of any member.
  int64_t high(const CostSet &set);
  bool failed() const { return overflow; }

private:
  SymbolicCount::Maximum maximum(const SymbolicCount &count);
  SymbolicCount need(std::optional<SymbolicCount> count);
  void prune(CostSet &set);
  void joinClosest(CostSet &set);
  std::pair<unsigned, int64_t> compare(const PathCost &a, const PathCost &b);
  PathCost join(const PathCost &a, const PathCost &b);
  PathCost repeatOne(const SymbolicCount &count, const PathCost &body);

  const SymbolRanges &ranges;
  bool overflow = false;
};
using CostSet = CostAlgebra::CostSet;

/// Adds `times` runs of the recipe at `values` to `out`; the cycles of one
/// run.
int64_t evaluateRecipe(const RecipePtr &recipe, int64_t times,
                       const SymbolValues &values, Breakdown &out);

} // namespace spinc::wcet

#endif // SPINC_COMPILER_WCET_COSTSET_H
