// Builds the obligations of one operation, for Obligations.cpp.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_OBLIGATIONBUILDER_H
#define SPINC_DIALECT_SPIN_ANALYSIS_OBLIGATIONBUILDER_H

#include "dialect/Spin/Analysis/Obligations.h"

namespace spinc::spin {

/// A goal that nothing implies, for obligations that cannot be stated.
inline Constraint unprovable() { return {LinearExpr::number(-1), false}; }

inline Constraint notBelow(const LinearExpr &a, const LinearExpr &b) {
  return {a - b, false};
}

/// `'name'`, or a plain number.
std::string quote(const std::string &name);
/// How a handler's code writes `value`; nothing if only messages have a name
/// for it.
std::optional<std::string> spelling(mlir::Value value);
/// Whether `difference` is `end - begin` of a part `[begin ..< end]`.
bool isLengthOfPart(mlir::arith::SubIOp difference);

class ObligationBuilder {
public:
  ObligationBuilder(mlir::Operation *op, Evaluator &evaluator)
      : op(op), evaluator(evaluator) {}

  std::vector<Obligation> build();

private:
  void index(mlir::Value slice, mlir::Value index);
  void wireAccess(mlir::Value slice, mlir::Value offset, unsigned bytes);
  void subslice(SubsliceOp part);
  void copy(mlir::Value dest, mlir::Value source);
  void stridedView(StridedViewOp view);
  void forPieces(ForPiecesOp loop);
  void notify(NotifyOp notify);
  void send(SendOp send);
  void clusterCopy(StateCopyOp copy);

  // ArithObligations.cpp
  void overflow(bool isSigned);
  void order(mlir::arith::SubIOp difference);
  void division();
  void shift(int64_t width);
  void loopStep(mlir::scf::ForOp loop);

  Obligation &add(std::string message, std::string claim, std::string fix);
  std::string lengthName(mlir::Value slice);

  mlir::Operation *op;
  Evaluator &evaluator;
  std::vector<Obligation> result;
};

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_OBLIGATIONBUILDER_H
