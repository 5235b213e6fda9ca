// See NestedTotals.h. Each round of the outer loop is gone through. One whose
// inner rounds are not known counts with the bound of the inner loop.
#include "dialect/Spin/Analysis/NestedTotals.h"
#include "dialect/Spin/IR/SpinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spinc::spin;

/// Rounds that are gone through, and operations that are folded in each.
static constexpr int64_t mostRounds = 4096;
static constexpr size_t mostOps = 32;

namespace {

/// What arithmetic makes of the index of a loop.
class IndexArithmetic {
public:
  explicit IndexArithmetic(Value index) : index(index) {}
  IndexArithmetic(const IndexArithmetic &) = delete;
  IndexArithmetic &operator=(const IndexArithmetic &) = delete;
  ~IndexArithmetic() {
    for (const Step &step : steps)
      step.copy->destroy();
  }

  /// `value` is going to be asked for.
  void need(Value value) {
    Operation *op = value.getDefiningOp();
    if (value == index || !op || seen.size() == mostOps ||
        !isa<arith::ArithDialect>(op->getDialect()) ||
        op->getNumResults() != 1 || !seen.insert(op).second)
      return;
    for (Value operand : op->getOperands())
      need(operand);
    steps.push_back({op, op->clone()});
  }

  void setIndex(const APInt &number) {
    values.clear();
    values[index] = IntegerAttr::get(index.getType(), number);
    for (Step &step : steps)
      fold(step);
  }

  /// Nothing if it is not known.
  std::optional<APInt> get(Value value) const {
    Attribute known = values.lookup(value);
    return known ? std::optional(cast<IntegerAttr>(known).getValue())
                 : std::nullopt;
  }

private:
  struct Step {
    Operation *op;
    Operation *copy; ///< folding may change an operation
  };

  void fold(Step &step) {
    SmallVector<Attribute> operands;
    for (Value operand : step.op->getOperands()) {
      operands.push_back(values.lookup(operand));
      if (!operands.back())
        return;
    }
    SmallVector<OpFoldResult> results;
    if (failed(step.copy->fold(operands, results)))
      return;
    if (results.empty()) {
      step.copy->destroy();
      step.copy = step.op->clone();
      return;
    }
    Attribute known = dyn_cast<Attribute>(results.front());
    if (auto value = dyn_cast<Value>(results.front()))
      known = values.lookup(value);
    if (isa_and_nonnull<IntegerAttr>(known))
      values[step.op->getResult(0)] = known;
  }

  Value index;
  llvm::SmallPtrSet<Operation *, mostOps> seen;
  SmallVector<Step> steps; ///< each behind those that it reads
  llvm::DenseMap<Value, Attribute> values;
};

} // namespace

/// The bound of `loop`, if it is a number.
static std::optional<int64_t> numberOfRounds(scf::ForOp loop) {
  auto bound = loop->getAttrOfType<BoundAttr>("spin.bound");
  if (!bound || !bound.getMap().isSingleConstant())
    return std::nullopt;
  return bound.getMap().getSingleConstantResult();
}

/// Up from `op`, the branches that it is in; what these are in.
static Operation *leaveBranches(Operation *op,
                                SmallVectorImpl<scf::IfOp> &branches) {
  Operation *around = op->getParentOp();
  for (; auto branch = dyn_cast<scf::IfOp>(around);
       around = around->getParentOp())
    branches.push_back(branch);
  return around;
}

/// Most rounds of `inner` in the round that `numbers` are of.
static int64_t roundsIn(scf::ForOp inner, ArrayRef<scf::IfOp> branches,
                        const IndexArithmetic &numbers, int64_t bound) {
  for (scf::IfOp branch : branches) {
    std::optional<APInt> taken = numbers.get(branch.getCondition());
    bool isThen = branch.getThenRegion().isAncestor(inner->getParentRegion());
    if (taken && taken->isOne() != isThen)
      return 0;
  }
  std::optional<APInt> from = numbers.get(inner.getLowerBound()),
                       to = numbers.get(inner.getUpperBound()),
                       step = numbers.get(inner.getStep());
  if (!from || !to || !step || step->isZero())
    return bound;
  if (to->ule(*from))
    return 0;
  APInt last = (*to - *from - 1).udiv(*step);
  return last.ult(uint64_t(bound)) ? int64_t(last.getZExtValue()) + 1 : bound;
}

std::optional<int64_t> spinc::spin::sumRounds(scf::ForOp inner) {
  SmallVector<scf::IfOp> branches, outside;
  auto outer = dyn_cast<scf::ForOp>(leaveBranches(inner, branches));
  // Control comes to it once.
  if (!outer || !isa<HandlerOp>(leaveBranches(outer, outside)))
    return std::nullopt;
  std::optional<int64_t> rounds = numberOfRounds(outer);
  std::optional<int64_t> bound = numberOfRounds(inner);
  APInt first, step;
  if (!rounds || !bound || *rounds > mostRounds || !outer.getUnsignedCmp() ||
      !inner.getUnsignedCmp() ||
      !matchPattern(outer.getLowerBound(), m_ConstantInt(&first)) ||
      !matchPattern(outer.getStep(), m_ConstantInt(&step)))
    return std::nullopt;
  IndexArithmetic numbers(outer.getInductionVar());
  for (scf::IfOp branch : branches)
    numbers.need(branch.getCondition());
  for (Value limit :
       {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()})
    numbers.need(limit);
  int64_t sum = 0, product = 0;
  for (int64_t round = 0; round != *rounds; ++round) {
    numbers.setIndex(first + step * uint64_t(round));
    sum += roundsIn(inner, branches, numbers, *bound);
    product += *bound;
  }
  return sum < product ? std::optional(sum) : std::nullopt;
}
