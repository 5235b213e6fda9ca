// What the loops of handlers have in common for induction: scf.for, scf.while
// and spin.for_pieces.
#ifndef SPINC_DIALECT_SPIN_IR_LOOPS_H
#define SPINC_DIALECT_SPIN_IR_LOOPS_H

#include "dialect/Spin/IR/Numbers.h"

namespace spinc::spin::meaning {

/// The variables of a loop and what they are at first, next and last. The index
/// of scf.for is one: it is yielded by itself, and its last value follows from
/// the rounds that the loop has run, which its first result names.
struct LoopVariables {
  mlir::Operation *loop = nullptr;
  llvm::SmallVector<mlir::Value> arguments, inits, yields, results;
};
LoopVariables variablesOf(mlir::Operation *loop);

bool isLoop(mlir::Operation *op);
/// The loop whose iteration ends with `op`.
mlir::Operation *loopEndedBy(mlir::Operation *op);
/// The place that each counted round of a loop passes once, if it has one: its
/// guard, or the condition of scf.while.
mlir::Operation *roundStart(mlir::Operation *loop);

/// `form` with the values `by` for the loop's variables; nothing if one has no
/// value.
std::optional<Form> substitute(const Form &form, const LoopVariables &loop,
                               llvm::ArrayRef<mlir::Value> by,
                               Numbers &numbers);

/// What is not negative if no more than `bound` rounds are possible, because of
/// what the loop is; nothing for scf.while.
std::optional<Form> spareRounds(mlir::Operation *loop, const Form &bound,
                                Numbers &numbers);

} // namespace spinc::spin::meaning

#endif // SPINC_DIALECT_SPIN_IR_LOOPS_H
