// spin-narrow-divisions: the core divides in up to 35 cycles, and a call
// divides numbers of 64 bits. Where the facts know how large the operands are,
// less does: a comparison, one multiplication, or a division of words. LLVM
// knows the types, but not what guards and proofs say.
#include "dialect/Spin/Analysis/HandlerFacts.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINNARROWDIVISIONS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;

namespace {

constexpr unsigned wordBits = 32;
constexpr int64_t largestWord = (int64_t(1) << wordBits) - 1;

/// floor(x / c) is floor(x * factor / 2^shift), in 32 bits, for each x up to
/// some limit.
struct Reciprocal {
  uint32_t factor;
  unsigned shift;
};

/// What a division becomes.
struct Plan {
  enum Kind {
    /// The quotient is 0.
    Zero,
    /// The quotient is 0 or 1.
    Compare,
    Multiply,
    /// Both operands are words.
    Words
  } kind;
  Operation *op;
  Reciprocal reciprocal{};
};

/// With factor * c = 2^shift + error, the product is x / c * 2^shift, and
/// x / c * error too large: less than the next quotient is away, if
/// x * error < 2^shift.
std::optional<Reciprocal> reciprocalOf(uint64_t divisor, uint64_t limit) {
  for (unsigned shift = 0; shift != wordBits; ++shift) {
    uint64_t power = uint64_t(1) << shift;
    uint64_t factor = llvm::divideCeil(power, divisor);
    uint64_t error = factor * divisor - power;
    if (factor * limit <= uint64_t(largestWord) && error * limit < power)
      return Reciprocal{uint32_t(factor), shift};
  }
  return std::nullopt;
}

/// Of a division by a constant that is no power of two, which LLVM multiplies
/// with a wide product otherwise.
std::optional<Plan> planConstant(Operation *op, HandlerFacts &facts,
                                 const LinearExpr &dividend, uint64_t divisor) {
  if (llvm::isPowerOf2_64(divisor))
    return std::nullopt;
  std::optional<int64_t> limit =
      facts.getSolver().maximum(dividend, largestWord);
  if (!limit)
    return std::nullopt;
  if (uint64_t(*limit) < divisor)
    return Plan{Plan::Zero, op};
  if (uint64_t(*limit) < 2 * divisor)
    return Plan{Plan::Compare, op};
  if (std::optional<Reciprocal> found = reciprocalOf(divisor, uint64_t(*limit)))
    return Plan{Plan::Multiply, op, *found};
  return std::nullopt;
}

std::optional<Plan> planFor(Operation *op, HandlerFacts &facts) {
  Evaluator &evaluator = facts.getEvaluator();
  LinearExpr dividend = evaluator.number(op->getOperand(0));
  LinearExpr divisor = evaluator.number(op->getOperand(1));
  Solver solver = facts.getSolver();
  auto isPositive = [&](const LinearExpr &expr) {
    return solver.impliesSimply({expr - 1, /*equality=*/false});
  };
  auto isWord = [&](const LinearExpr &expr) {
    return isPositive(LinearExpr::number(largestWord + 1) - expr);
  };
  bool isWide = op->getResult(0).getType().getIntOrFloatBitWidth() > wordBits;
  if (divisor.isConstant() && divisor.getConstant() >= 1 &&
      divisor.getConstant() <= largestWord)
    if (std::optional<Plan> plan = planConstant(
            op, facts, dividend, uint64_t(int64_t(divisor.getConstant()))))
      return plan;
  if (!divisor.isConstant() && isPositive(divisor - dividend))
    return Plan{Plan::Zero, op};
  if (!divisor.isConstant() && isPositive(divisor * Integer(2) - dividend))
    return Plan{Plan::Compare, op};
  if (isWide && isWord(dividend) && isWord(divisor))
    return Plan{Plan::Words, op};
  return std::nullopt;
}

/// Replaces one division or remainder.
class Narrower {
public:
  explicit Narrower(const Plan &plan)
      : plan(plan), builder(plan.op->getLoc(), plan.op),
        type(plan.op->getResult(0).getType()),
        isRemainder(isa<arith::RemUIOp>(plan.op)),
        dividend(plan.op->getOperand(0)), divisor(plan.op->getOperand(1)) {}

  void run() {
    plan.op->getResult(0).replaceAllUsesWith(make());
    plan.op->erase();
  }

private:
  Value make() {
    switch (plan.kind) {
    case Plan::Zero:
      return isRemainder ? dividend : number(type, 0);
    case Plan::Compare:
      return compare();
    case Plan::Multiply:
      return toType(multiply(toWord(dividend), toWord(divisor)));
    case Plan::Words:
      return toType(divide(toWord(dividend), toWord(divisor)));
    }
    llvm_unreachable("all kinds are above");
  }

  /// x - c wraps to a larger number than x exactly if x < c.
  Value compare() {
    if (isRemainder)
      return arith::MinUIOp::create(
          builder, dividend, arith::SubIOp::create(builder, dividend, divisor));
    Value isOne = arith::CmpIOp::create(builder, arith::CmpIPredicate::uge,
                                        dividend, divisor);
    return arith::ExtUIOp::create(builder, type, isOne);
  }

  Value multiply(Value left, Value right) {
    Type word = left.getType();
    Value product = arith::MulIOp::create(builder, left,
                                          number(word, plan.reciprocal.factor));
    Value quotient = arith::ShRUIOp::create(
        builder, product, number(word, plan.reciprocal.shift));
    if (!isRemainder)
      return quotient;
    return arith::SubIOp::create(
        builder, left, arith::MulIOp::create(builder, quotient, right));
  }

  Value divide(Value left, Value right) {
    return isRemainder
               ? arith::RemUIOp::create(builder, left, right).getResult()
               : arith::DivUIOp::create(builder, left, right);
  }

  Value number(Type of, uint64_t value) {
    return arith::ConstantIntOp::create(builder, of, int64_t(value));
  }

  /// `value`, which fits, as a word.
  Value toWord(Value value) {
    unsigned width = value.getType().getIntOrFloatBitWidth();
    Type word = builder.getIntegerType(wordBits);
    if (width == wordBits)
      return value;
    if (width < wordBits)
      return arith::ExtUIOp::create(builder, word, value);
    return arith::TruncIOp::create(builder, word, value);
  }

  Value toType(Value word) {
    unsigned width = type.getIntOrFloatBitWidth();
    if (width == wordBits)
      return word;
    if (width < wordBits)
      return arith::TruncIOp::create(builder, type, word);
    return arith::ExtUIOp::create(builder, type, word);
  }

  const Plan &plan;
  ImplicitLocOpBuilder builder;
  Type type;
  bool isRemainder;
  Value dividend, divisor;
};

class NarrowDivisions
    : public spinc::spin::impl::SpinNarrowDivisionsBase<NarrowDivisions> {
  void runOnOperation() override {
    getOperation().walk([](HandlerOp handler) {
      bool divides = false;
      handler.walk([&](Operation *op) {
        divides |= isa<arith::DivUIOp, arith::RemUIOp>(op);
      });
      if (divides)
        narrowIn(handler);
    });
  }

  static void narrowIn(HandlerOp handler) {
    SmallVector<Plan> plans;
    HandlerFacts facts(handler, HandlerFacts::Depth::Guards);
    facts.walk([&](Operation *op) {
      if (isa<arith::DivUIOp, arith::RemUIOp>(op))
        if (std::optional<Plan> plan = planFor(op, facts))
          plans.push_back(*plan);
    });
    for (const Plan &plan : plans)
      Narrower(plan).run();
  }
};

} // namespace
