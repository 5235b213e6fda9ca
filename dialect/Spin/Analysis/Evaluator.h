// Turns the SSA values of a handler into linear expressions, lengths of slices
// into linear expressions, and conditions into formulas.
//
// An expression is valid wherever its value is visible. It relies on the
// obligations of the operations that compute the value (an `nuw` addition does
// not wrap, a divisor is not zero); `spin-prove-bounds` proves each of these.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_EVALUATOR_H
#define SPINC_DIALECT_SPIN_ANALYSIS_EVALUATOR_H

#include "dialect/Spin/Analysis/Variables.h"
#include "dialect/Spin/IR/SpinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include <array>

namespace spinc::spin {

/// How the bits of a value are read as a number.
enum class Reading { Unsigned, Signed };

/// Where a slice lies: `offset` bytes behind the start of the region that the
/// slice `root` (not a subslice) is.
struct SlicePlace {
  mlir::Value root;
  LinearExpr offset;
};

class Evaluator {
public:
  explicit Evaluator(HandlerOp handler);

  LinearExpr number(mlir::Value value, Reading reading = Reading::Unsigned);
  LinearExpr length(mlir::Value slice);
  LinearExpr bytes(mlir::Value slice);
  SlicePlace place(mlir::Value slice);
  /// `count * block`, which are those of `strided_view`.
  std::optional<LinearExpr> stridedLength(mlir::Value view);
  /// What follows from `condition` being `truth`.
  Formula condition(mlir::Value condition, bool truth);
  /// Tells that `load` reads the packet as it arrived.
  void setPristine(WireLoadOp load) { pristine.insert(load); }
  /// Tells that loads of equal `epoch` from the same bytes of the packet give
  /// the same value. The first epoch of a load counts.
  void setEpoch(mlir::Operation *load, unsigned epoch) {
    epochs.try_emplace(load, epoch);
  }

  /// How far `expr` is above the variable `base`, as far as the way in which
  /// it is computed says: through the branches that give it.
  Interval distance(const LinearExpr &expr, VarId base) const;

  /// The two values of which a branch gives one, if the variable is that.
  const std::pair<LinearExpr, LinearExpr> *waysOf(VarId id) const {
    auto found = ways.find(id);
    return found == ways.end() ? nullptr : &found->second;
  }

  bool isPristine(WireLoadOp load) const { return pristine.contains(load); }
  /// A number that somebody has asked for before.
  const LinearExpr *knownNumber(mlir::Value value, Reading reading) const {
    auto found = numbers.find({value, unsigned(reading)});
    return found == numbers.end() ? nullptr : &found->second;
  }
  const LinearExpr *knownLength(mlir::Value slice) const {
    auto found = lengths.find(slice);
    return found == lengths.end() ? nullptr : &found->second;
  }
  /// Gives a value that memory holds; the first time counts.
  void setNumber(mlir::Value value, const LinearExpr &number) {
    numbers.try_emplace({value, unsigned(Reading::Unsigned)}, number);
  }
  /// msg-1: the length that the header handler saw bounds every packet.
  void setMessageLength(LinearExpr length) {
    messageLength = std::move(length);
  }
  LinearExpr symbolVariable(Variable::Kind kind, llvm::StringRef symbol,
                            Interval interval);

  /// What the host has checked at installation.
  const std::vector<Formula> &getInstallFacts() const { return installFacts; }
  ContextOp getContext() { return context; }
  VariableTable &getVariables() { return variables; }
  const VariableTable &getVariables() const { return variables; }

private:
  // Evaluator.cpp: dispatch over what defines the value.
  std::optional<LinearExpr> compute(mlir::Value value, Reading reading);
  std::optional<LinearExpr> computeArgument(mlir::BlockArgument argument,
                                            Reading reading);
  LinearExpr inductionVariable(mlir::scf::ForOp loop, Reading reading);
  LinearExpr opaque(mlir::Value value, Interval interval);
  LinearExpr oneOf(mlir::Value value, mlir::Value condition,
                   const LinearExpr &ifTrue, const LinearExpr &ifFalse,
                   Interval limits, mlir::scf::IfOp branch = {});
  void relate(VarId result, const LinearExpr &first, const LinearExpr &second);
  std::optional<LinearExpr> computeSpin(mlir::Operation *op);
  LinearExpr wireLoad(WireLoadOp load);
  LinearExpr packetLoad(mlir::Value loaded, mlir::Value slice,
                        const LinearExpr &offset, ByteOrder order);
  void boundByMessage(WireLoadOp load, const LinearExpr &loaded,
                      const SlicePlace &place);
  LinearExpr pieceLength(ForPiecesOp loop);
  LinearExpr packetBytes(PacketBytesOp packet);

  // EvaluateArith.cpp
  std::optional<LinearExpr> computeArith(mlir::Operation *op, Reading reading);
  std::optional<LinearExpr> computeWrapping(mlir::Operation *op,
                                            Reading reading);
  std::optional<LinearExpr> shiftedLeft(mlir::Operation *op,
                                        const LinearExpr &left, bool exact);
  std::optional<LinearExpr> computeUnsigned(mlir::Operation *op,
                                            unsigned width);
  std::optional<LinearExpr> computeBitwise(mlir::Operation *op, unsigned width);
  std::optional<LinearExpr> computeMinMax(mlir::Operation *op, Reading reading);
  std::optional<LinearExpr> masked(const LinearExpr &expr, llvm::APInt mask);

  // Conditions.cpp
  Formula condition(mlir::Value condition, bool truth, unsigned &fuel);
  Formula comparison(mlir::arith::CmpIOp cmp, bool truth);
  Formula passed(mlir::Block &block, unsigned &fuel);
  LinearExpr truthValue(mlir::Value value);
  void addInstallFact(Formula fact);
  void readInstallRegion(mlir::Region &region, const LinearExpr *argument);
  std::optional<LinearExpr> exactNumber(mlir::Value value,
                                        const LinearExpr *argument);
  std::optional<Formula> exactCondition(mlir::Value value, bool truth,
                                        const LinearExpr *argument);

  ContextOp context;
  VariableTable variables;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, LinearExpr> numbers;
  llvm::DenseMap<mlir::Value, LinearExpr> lengths;
  llvm::DenseMap<mlir::Operation *, LinearExpr> pieceLengths;
  std::map<VarId, std::pair<LinearExpr, LinearExpr>> ways;
  /// How far the result of a branch is above a variable that both ways add to.
  std::map<VarId, std::vector<std::pair<VarId, Interval>>> distances;
  std::map<std::pair<unsigned, std::string>, VarId> symbols;
  llvm::DenseSet<mlir::Operation *> pristine;
  llvm::DenseMap<mlir::Operation *, unsigned> epochs;
  /// Loads by epoch, width, byte order and offset.
  std::map<std::pair<std::array<unsigned, 3>, LinearExpr>, VarId> packetLoads;
  std::vector<Formula> installFacts;
  std::optional<LinearExpr> messageLength;
};

/// a <= b, as a formula.
inline Formula atMost(const LinearExpr &a, const LinearExpr &b) {
  return Formula::atLeast(b, a);
}

/// Number of clusters of the target: the module's `spin.clusters`, or that of
/// PsPIN.
unsigned getClusterCount(mlir::Operation *op);
/// Number of HPUs of the target: the module's `spin.hpus`, or that of PsPIN.
unsigned getHpuCount(mlir::Operation *op);

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_EVALUATOR_H
