// Loops that share a limit. A `scf.while` walks a range, as records of a
// packet, and the loops in its body work on the piece that a round passes over:
// together they cannot do more than the range has room for. The bounds of the
// loops, multiplied, know nothing of that.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_SHAREDTOTALS_H
#define SPINC_DIALECT_SPIN_ANALYSIS_SHAREDTOTALS_H

#include "dialect/Spin/Analysis/LoopCounts.h"

namespace spinc::spin {

/// On a loop: in one run of the handler, the rounds of the loops in it that
/// have a weight, and its own if it has, each times its weight, are at most
/// this count. spin-mark-loops lists these totals.
inline constexpr llvm::StringLiteral totalAttrName = "spin.total";
inline constexpr llvm::StringLiteral weightAttrName = "spin.weight";

/// Each time control comes to `loop`, the rounds of `loop` and of loops in its
/// body that begin, each times its weight, add up to at most `limit`.
struct SharedTotal {
  mlir::scf::WhileOp loop;
  BoundAttr limit;
  llvm::SmallVector<std::pair<mlir::Operation *, int64_t>> weights;
};

/// Finds totals while a handler is walked.
///
/// A cursor c of the loop is the measure. At the end of a round that another
/// one follows it has moved on by no less than the weights of what the round
/// did; so where a round begins, what was done before is at most c - c0, c0 the
/// value that the cursor starts from. And where a round or an inner loop
/// begins, c - c0 and the weights of what the round has begun are at most the
/// limit.
class SharedTotals {
public:
  SharedTotals(HandlerFacts &facts, LoopCounts &counts)
      : facts(facts), counts(counts), evaluator(facts.getEvaluator()) {}

  /// To be called at each operation of the walk.
  void visit(mlir::Operation *op);
  /// When the walk is over.
  std::vector<SharedTotal> take();

private:
  struct Share {
    mlir::scf::ForOp loop;
    int64_t weight = 0;
    LinearExpr rounds;
    bool reached = false;
  };
  /// A limit from the loop's condition, without its constant, and what has to
  /// be added to it for the places seen so far.
  struct Limit {
    LinearExpr expr;
    BoundAttr bound;
    int64_t more = 0;
  };
  struct Walk {
    mlir::scf::WhileOp loop;
    LinearExpr moved; ///< c - c0
    int64_t weight = 0;
    std::vector<Share> shares;
    std::vector<Limit> limits;
  };

  void begin(mlir::scf::WhileOp loop);
  std::optional<int64_t> roomLeft(const Walk &walk, const LinearExpr &room);
  bool measure(Walk &walk, VarId cursor, mlir::Value next);
  void findLimits(Walk &walk, VarId cursor, const LinearExpr &init);
  void check(Walk &walk, mlir::Operation *place);
  std::optional<LinearExpr> roundsOf(mlir::scf::ForOp loop);

  HandlerFacts &facts;
  LoopCounts &counts;
  Evaluator &evaluator;
  std::vector<Walk> walks;
};

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_SHAREDTOTALS_H
