// The analysis of one handler as far as all figures have it in common: abstract
// values to a fixpoint, and what instructions do and cost in them. Called
// functions are analysed at each call, in the state of the call, so that a
// helper is as precise as the same code written in place.
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
};

/// A function and what holds when it is called from outside.
struct EntryPoint {
  uint32_t address = 0;
  MachineState state;

  static llvm::Expected<EntryPoint> find(const Image &image,
                                         const HandlerSpec &handler,
                                         const WcetOptions &options);
};

/// A function in the state of one call.
struct FunctionModel {
  struct Instruction {
    AccessInfo access;
    bool issues = false, waits = false; ///< a command, or for one
  };
  const FlowGraph *graph = nullptr;
  std::vector<std::vector<Instruction>> instructions; ///< by block
  /// Active cycles.
  std::vector<ChargesPtr> blocks, edges;
  /// Of blocks that are loops of their own.
  std::map<unsigned, std::vector<RareStall>> rare;
  /// Of blocks that end with a call.
  std::map<unsigned, std::unique_ptr<FunctionModel>> callees;
  std::unique_ptr<PathPlanner> planner;
};

class HandlerAnalysis {
public:
  HandlerAnalysis(const Image &image, const WcetOptions &options)
      : image(image), options(options), workLeft(options.workLimit) {}

  /// Once, before anything is asked.
  llvm::Error analyze(const EntryPoint &entry);

  const Image &getImage() const { return image; }
  const WcetOptions &getOptions() const { return options; }
  const FunctionModel &getModel() const { return *model; }
  const Uses &getUses() const { return uses; }
  bool issuesCommand(uint32_t address) const { return issues.count(address); }
  bool waits(uint32_t address) const { return waitSites.count(address); }
  /// Cache lines that hold code which the handler may execute.
  size_t countCodeLines() const { return codeLines.size(); }

private:
  struct FunctionResult {
    std::unique_ptr<FunctionModel> model;
    std::optional<MachineState> state; ///< where it returns, if it does
  };
  using States = std::vector<std::optional<MachineState>>;

  llvm::Expected<const FlowGraph *> graphAt(uint32_t entry);
  llvm::Expected<FunctionResult>
  analyzeFunction(uint32_t entry, const MachineState &in, bool withModel);
  llvm::Expected<States> findStates(const FlowGraph &graph,
                                    const MachineState &in);
  llvm::Expected<FunctionResult> runCall(const Site &site, uint32_t callee,
                                         const MachineState &before,
                                         bool withModel);
  llvm::Expected<std::unique_ptr<FunctionModel>>
  makeModel(const FlowGraph &graph, const States &states);
  static void addLoopValues(const FlowGraph &graph, const States &states,
                            GraphValues &values);
  /// Stalls that a block which is a loop of its own does not have in each
  /// round. `bases` is at its end.
  static std::vector<RareStall>
  rareStalls(const Block &block,
             llvm::ArrayRef<FunctionModel::Instruction> instructions,
             const BaseTracker &bases);
  ChargesPtr edgeCharges(const FunctionModel &function, const Edge &edge) const;
  AccessInfo classify(const Site &site, const MachineState &state) const;
  void note(const Site &site, const AccessInfo &access);
  llvm::Error checkReturn(const Block &block, MachineState state);

  const Image &image;
  const WcetOptions &options;
  int64_t workLeft;
  std::map<uint32_t, FlowGraph> graphs;
  std::vector<uint32_t> callStack; ///< entries of functions
  /// By depth of calls; where the handler returns to is 0.
  std::vector<uint32_t> returnsTo = {0};
  Uses uses;
  std::set<uint32_t> issues, waitSites, codeLines;
  std::unique_ptr<FunctionModel> model;
};

} // namespace spinc::wcet

#endif // SPINC_COMPILER_WCET_ANALYSIS_H
