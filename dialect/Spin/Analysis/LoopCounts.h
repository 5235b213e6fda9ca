// Upper bounds on numbers of iterations, in terms of quantities that have a
// meaning outside of the handler: `p.length`, parameters, and quotients of
// `p.length` by a parameter.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_LOOPCOUNTS_H
#define SPINC_DIALECT_SPIN_ANALYSIS_LOOPCOUNTS_H

#include "dialect/Spin/Analysis/OutsideBounds.h"

namespace spinc::spin {

/// Bounds of the loops of one handler, to be asked while `facts` is at them.
class LoopCounts {
public:
  explicit LoopCounts(HandlerFacts &facts);

  /// An upper bound on the iterations of `scf.for` or `scf.while` each time it
  /// is reached. It is never negative, whatever p.length and the parameters
  /// are, so it also holds for runs that do not reach the loop.
  std::optional<BoundAttr> countOf(mlir::Operation *loop);
  /// An upper bound on the value of an unsigned integer expression.
  std::optional<BoundAttr> upperBound(const LinearExpr &expr);

  /// The largest constant that the facts put below `expr`, up to a limit;
  /// nothing if they do not put 1 there.
  std::optional<int64_t> leastValue(const LinearExpr &expr);
  /// To be called at the end of a round: that another one follows.
  void assumeNextRound(mlir::scf::WhileOp loop);
  /// Whether all variables of `expr` keep their values while `loop` runs.
  bool keepsValue(const LinearExpr &expr, mlir::Operation *loop) const;

  /// The guards of the loops asked about that can never refuse a round.
  llvm::ArrayRef<RequireOp> getNeedlessGuards() const { return needless; }

private:
  std::optional<LinearExpr> countFor(mlir::scf::ForOp loop);
  std::optional<LinearExpr> countWhile(mlir::scf::WhileOp loop);
  std::optional<LinearExpr> countGuarded(mlir::Operation *loop);
  /// What one iteration of `scf.while` does to one loop variable.
  struct Cursor {
    VarId argument;
    LinearExpr init;
    /// At the start of the body: at least 1, and at most this.
    bool positive = false;
    std::optional<int64_t> largest;
    /// Guaranteed change by a complete iteration.
    std::optional<int64_t> rise, fall;
    bool halves = false, doubles = false;
  };
  void noteIfNeedless(RequireOp guard, const std::optional<LinearExpr> &count);
  std::vector<Cursor> cursorsOf(mlir::scf::WhileOp loop);
  std::optional<LinearExpr> countStepping(mlir::scf::WhileOp loop,
                                          const Cursor &cursor);
  std::optional<LinearExpr> countGeometric(const Cursor &cursor);
  std::optional<LinearExpr> choose(std::optional<LinearExpr> symbolic,
                                   const LinearExpr &exact);
  std::optional<int64_t> guardedMaximum(const LinearExpr &symbolic,
                                        const LinearExpr &exact);
  HandlerFacts &facts;
  Evaluator &evaluator;
  VariableTable &variables;
  OutsideBounds known;
  /// Whether a count that depends on the packet's length is worth more than one
  /// that is smaller for the longest packet, because a guard limits the length.
  bool followsLength = true;
  std::vector<RequireOp> needless;
};

BoundAttr constantBound(int64_t rounds, mlir::MLIRContext *context);

/// An upper bound on `value`, read as unsigned, where it is computed.
std::optional<BoundAttr> inferCount(mlir::Value value);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_LOOPCOUNTS_H
