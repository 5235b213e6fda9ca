// The analysis of one handler: abstract values to a fixpoint, costs from them,
// longest paths. Called functions are analysed at each call, in the state of
// the call, so that a helper is as precise as the same code written in place.
#ifndef SPINC_COMPILER_WCET_ANALYSIS_H
#define SPINC_COMPILER_WCET_ANALYSIS_H

#include "compiler/Wcet/Machine.h"
#include "compiler/Wcet/PathSolver.h"
#include <set>

namespace spinc::wcet {

/// What the bound rests on, beyond what always holds.
struct Uses {
  bool home = false;
  bool otherClusters = false;
  bool pointers = false;
  bool unknownMemory = false;
  bool commands = false;
  bool waits = false;
  bool traps = false;
};

/// A function and what holds when it is called from outside.
struct EntryPoint {
  uint32_t address = 0;
  MachineState state;

  static llvm::Expected<EntryPoint> find(const Image &image,
                                         const HandlerSpec &handler,
                                         const WcetOptions &options);
};

class HandlerAnalysis {
public:
  HandlerAnalysis(const Image &image, const LoopTable &loops,
                  CostAlgebra &algebra, const WcetOptions &options,
                  FigureKind figure = FigureKind::Active)
      : image(image), loops(loops), algebra(algebra), options(options),
        figure(figure), workLeft(options.workLimit) {}

  /// Every path from the entry to the end of the handler.
  llvm::Expected<CostSet> analyze(const EntryPoint &entry);

  /// The longest way from `begin` to one of `ends`, both included, in the
  /// function at `entry`; nothing if `begin` is not in it.
  llvm::Expected<std::optional<int64_t>>
  analyzeSection(const EntryPoint &entry, uint32_t begin,
                 const std::vector<uint32_t> &ends);
  /// The instructions from `begin` to `end` one after the other; nothing if
  /// they are not in the function at `entry`.
  llvm::Expected<std::optional<int64_t>>
  analyzeSpan(const EntryPoint &entry, uint32_t begin, uint32_t end);
  const Uses &getUses() const { return uses; }
  /// The handler's own graph with its costs, calls as the dearest way through.
  llvm::json::Value getGraph() const;
  bool issuesCommand(uint32_t address) const { return issues.count(address); }
  bool waits(uint32_t address) const { return waitSites.count(address); }
  /// Cycles of the longest iteration of each loop by id.
  std::map<int64_t, int64_t> longestIterations() const;
  /// Cache lines that hold code which the handler may execute.
  size_t countCodeLines() const { return codeLines.size(); }

private:
  struct FunctionResult {
    FunctionCost cost;
    std::optional<MachineState> state; ///< where it returns, if it does
  };
  using States = std::vector<std::optional<MachineState>>;

  struct EnteredFunction {
    const FlowGraph *graph;
    States states; ///< before each block
  };

  llvm::Expected<const FlowGraph *> graphAt(uint32_t entry);
  /// Puts the function on the call stack, where it stays if this fails.
  llvm::Expected<EnteredFunction> enter(uint32_t entry, const MachineState &in);
  llvm::Expected<FunctionResult>
  analyzeFunction(uint32_t entry, const MachineState &in, bool withCosts);
  llvm::Expected<States> findStates(const FlowGraph &graph,
                                    const MachineState &in);
  llvm::Expected<FunctionResult> runCall(const Site &site, uint32_t callee,
                                         const MachineState &before,
                                         bool withCosts);
  llvm::Expected<FunctionCost> findCosts(const FlowGraph &graph,
                                         const States &states);
  /// The cost of each block and edge.
  llvm::Expected<CostedGraph> priceGraph(const FlowGraph &graph,
                                         const States &states);
  static void addLoopValues(const FlowGraph &graph, const States &states,
                            GraphValues &values);
  llvm::Expected<CostedGraph> priceFunction(const EntryPoint &entry);
  /// Stalls that a block which is a loop of its own does not have in each
  /// round. `bases` is at its end.
  static std::vector<RareStall> rareStalls(const Block &block,
                                           llvm::ArrayRef<AccessInfo> accesses,
                                           const BaseTracker &bases);
  ChargesPtr edgeCharges(const FlowGraph &graph, const Edge &edge,
                         const std::vector<AccessInfo> &firstAccess,
                         const std::vector<AccessInfo> &lastAccess) const;
  AccessInfo classify(const Site &site, const MachineState &state) const;
  void note(const Site &site, const AccessInfo &access);
  /// What the figure adds to the active cycles of an instruction.
  int64_t extraCost(const Site &site, const AccessInfo &access) const;
  llvm::Error checkReturn(const Block &block, MachineState state);

  const Image &image;
  const LoopTable &loops;
  CostAlgebra &algebra;
  const WcetOptions &options;
  const FigureKind figure;
  int64_t workLeft;
  std::map<uint32_t, FlowGraph> graphs;
  std::vector<uint32_t> callStack; ///< entries of functions
  /// By depth of calls; where the handler returns to is 0.
  std::vector<uint32_t> returnsTo = {0};
  std::deque<LoopTag> tags;
  Uses uses;
  std::set<uint32_t> issues, waitSites, codeLines;
  std::optional<CostedGraph> outermost;
};

} // namespace spinc::wcet

#endif // SPINC_COMPILER_WCET_ANALYSIS_H
