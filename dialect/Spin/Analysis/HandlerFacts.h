// What is known at each place of a handler. `walk` visits the operations in
// order; at each visit the facts of the guards, requirements, loop headers and
// loop invariants around the operation hold, and queries may be asked.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_HANDLERFACTS_H
#define SPINC_DIALECT_SPIN_ANALYSIS_HANDLERFACTS_H

#include "dialect/Spin/Analysis/Evaluator.h"
#include "dialect/Spin/Analysis/Inquiries.h"
#include <tuple>

namespace spinc::spin {

/// Whether control never reaches the end of the block.
bool exits(mlir::Block &block);

/// Whether `op` or what it contains may write packet memory.
bool writesPacketWithin(mlir::Operation *op);

class HandlerFacts {
public:
  using Visitor = llvm::function_ref<void(mlir::Operation *)>;
  /// Which facts a walk looks for.
  enum class Depth {
    /// Those that guards state, which takes little time.
    Guards,
    /// And what loops keep.
    Invariants
  };

  explicit HandlerFacts(HandlerOp handler, Depth depth = Depth::Invariants);

  /// Visits each operation of the handler before what it contains. Later walks
  /// find the invariants of loops that the first has found.
  void walk(Visitor visit);
  /// Adds a fact from the visited operation to the end of its region.
  void assume(Formula fact) { facts.push(std::move(fact)); }
  Evaluator &getEvaluator() { return evaluator; }
  /// What the walk found to hold in each round of a loop.
  llvm::ArrayRef<Constraint> invariantsOf(mlir::Operation *loop) const {
    auto found = settled.find(loop);
    return found == settled.end() ? llvm::ArrayRef<Constraint>()
                                  : llvm::ArrayRef(found->second);
  }
  Solver getSolver() const {
    return Solver(evaluator.getVariables(), facts, &inquiries);
  }
  /// Calls `atEntry` at the start of the body of a visited loop, where its
  /// condition holds, and `atEnd` at its end.
  void walkIteration(mlir::scf::WhileOp loop,
                     llvm::function_ref<void()> atEntry,
                     llvm::function_ref<void()> atEnd);

private:
  // StateFacts.cpp
  /// What is known where a handler ends, and the values of plain fields there.
  using Fields = std::map<std::string, LinearExpr>;
  struct Outcome {
    std::vector<Formula> facts;
    Fields fields;
  };
  bool isTracked(llvm::StringRef field) const;
  LinearExpr fieldVariable(mlir::Operation *op, llvm::StringRef field,
                           unsigned use);
  void loadField(StateLoadOp load);
  void forgetFields(mlir::Operation *op, unsigned use);
  void joinFields(mlir::scf::IfOp branch, Fields thenFields, bool elseExits);
  std::vector<Outcome> outcomes();
  void assumeHeader(HandlerOp header);
  void assumeOutcomes(std::vector<Formula> alternatives);
  void dropOutcomes();

  void walkBlock(mlir::Block &block, Visitor visit);
  void notePacketWrites(bool writes);
  void walkOperation(mlir::Operation *op, Visitor visit);
  void walkIf(mlir::scf::IfOp branch, Visitor visit);
  void walkFor(mlir::scf::ForOp loop, Visitor visit);
  void walkWhile(mlir::scf::WhileOp loop, Visitor visit);
  void walkPieces(ForPiecesOp loop, Visitor visit);

  // LoopInvariants.cpp
  /// A relation between loop variables, in terms of their variables; to be
  /// read for other values by substitution.
  struct LoopVariables {
    std::vector<VarId> arguments;
    std::vector<LinearExpr> inits;
    /// Of `scf.for` with a constant step: the last variable is the loop's
    /// index, which grows by this.
    std::optional<Integer> indexStep;
  };
  LoopVariables loopVariables(mlir::ValueRange arguments,
                              mlir::ValueRange inits);
  LoopVariables loopVariables(mlir::scf::ForOp loop);
  /// The values of the variables at the start of the next iteration.
  std::vector<LinearExpr> nextValues(const LoopVariables &loop,
                                     mlir::ValueRange yielded);
  std::vector<LinearExpr> limitsIn(mlir::Operation *loop);
  std::vector<Constraint> candidates(const LoopVariables &loop,
                                     mlir::Operation *op);
  /// Those candidates that hold on entry and are kept by each iteration.
  /// `iterate` walks one iteration and calls back at its end with the values
  /// that it yields.
  using AtEnd = llvm::function_ref<void(mlir::ValueRange)>;
  std::vector<Constraint> invariants(const LoopVariables &loop,
                                     mlir::Operation *op,
                                     llvm::function_ref<void(AtEnd)> iterate);
  void iterateFor(mlir::scf::ForOp loop, AtEnd atEnd);
  void iterateWhile(mlir::scf::WhileOp loop, llvm::function_ref<void()> atEntry,
                    AtEnd atEnd);
  Constraint substitute(const Constraint &constraint, const LoopVariables &loop,
                        llvm::ArrayRef<LinearExpr> values) const;
  const std::pair<LinearExpr, LinearExpr> *waysIn(mlir::Operation *loop,
                                                  VarId id) const;
  bool holdsNext(mlir::Operation *loop, const Constraint &goal) const;
  bool holdsEachWay(mlir::Operation *loop, const Constraint &goal,
                    unsigned &fuel) const;
  /// `lastIndex` is the index when the loop is over, where it is a variable.
  void assumeFor(const std::vector<Constraint> &constraints,
                 const LoopVariables &loop, mlir::ValueRange results,
                 std::optional<LinearExpr> lastIndex = std::nullopt);

  // LoopRates.cpp
  Interval growthOf(VarId id, const LinearExpr &next);
  Interval knownRange(const LinearExpr &expr);
  std::optional<Interval> rangeOf(VarId id, mlir::Value yielded,
                                  const LinearExpr &init);
  /// Candidates from what an iteration, at whose end we are, has done.
  std::vector<Constraint> observed(const LoopVariables &loop,
                                   mlir::ValueRange yielded,
                                   llvm::ArrayRef<LinearExpr> next);
  LinearExpr lastIndex(mlir::scf::ForOp loop, const Integer &step);

  void assumeCounters(mlir::scf::ForOp loop, const LoopVariables &variables);

  HandlerOp handler;
  Depth depth;
  Evaluator evaluator;
  FactStack facts;
  mutable Inquiries inquiries;
  /// Searches for invariants that are going on around the present place.
  unsigned searching = 0;
  /// The invariants of loops that the last search settled on.
  llvm::DenseMap<mlir::Operation *, std::vector<Constraint>> settled;
  /// How often loops run that may run not at all.
  llvm::DenseMap<mlir::Operation *, VarId> roundVariables;
  /// Values of plain fields, where known.
  Fields fields;
  std::map<std::tuple<mlir::Operation *, std::string, unsigned>, VarId>
      fieldVariables;
  /// How the header handler may have ended.
  std::vector<Formula> headerOutcomes;
  /// Whether packet memory may differ from the packet as it arrived.
  bool packetWritten = false;
  /// Grows with each operation that may write the packet. Absent if something
  /// may write it at any time.
  std::optional<unsigned> epoch = 0;
};

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_HANDLERFACTS_H
