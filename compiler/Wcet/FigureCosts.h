// What a handler costs as one figure counts it: the analysis of the handler
// with prices on it, and the longest paths. Another figure, or other terms for
// its loops, only ask for this part again.
#ifndef SPINC_COMPILER_WCET_FIGURECOSTS_H
#define SPINC_COMPILER_WCET_FIGURECOSTS_H

#include "compiler/Wcet/Analysis.h"

namespace spinc::wcet {

/// Whether the figure counts anything in this handler that active cycles do
/// not.
bool addsCycles(const HandlerAnalysis &analysis, FigureKind figure);

class FigureCosts {
public:
  FigureCosts(const HandlerAnalysis &analysis, const LoopTable &loops,
              CostAlgebra &algebra, FigureKind figure = FigureKind::Active)
      : analysis(analysis), image(analysis.getImage()),
        options(analysis.getOptions()), loops(loops), algebra(algebra),
        figure(figure) {}

  /// Every path from the entry to the end of the handler. Recipes point to
  /// loops that are kept here.
  llvm::Expected<CostSet> findPaths();
  /// Whether one of these ends with a trap.
  bool mayTrap() const { return traps; }
  /// Cycles of the longest iteration of each loop by id.
  std::map<int64_t, int64_t> longestIterations() const;
  /// The handler's own graph with its costs, calls as the dearest way through.
  llvm::json::Value getGraph() const;

  /// The longest way from `begin` to one of `ends`, both included, in the
  /// handler itself; nothing if `begin` is not in it.
  llvm::Expected<std::optional<int64_t>>
  analyzeSection(uint32_t begin, const std::vector<uint32_t> &ends);
  /// The instructions from `begin` to `end` one after the other; nothing if
  /// they are not in the handler itself.
  llvm::Expected<std::optional<int64_t>> analyzeSpan(uint32_t begin,
                                                     uint32_t end);

private:
  llvm::Expected<CostedGraph> priceFunction(const FunctionModel &function);
  llvm::Expected<FunctionCost> solve(const CostedGraph &function);
  ChargesPtr priceBlock(const FunctionModel &function, unsigned block) const;

  const HandlerAnalysis &analysis;
  const Image &image;
  const WcetOptions &options;
  const LoopTable &loops;
  CostAlgebra &algebra;
  const FigureKind figure;
  std::deque<LoopTag> tags;
  bool traps = false;
  std::optional<CostedGraph> outermost;
};

} // namespace spinc::wcet

#endif // SPINC_COMPILER_WCET_FIGURECOSTS_H
