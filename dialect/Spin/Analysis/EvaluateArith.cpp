// Values that integer arithmetic computes. An operation without overflow
// flags wraps: its result is written modulo 2^width unless the intervals of
// its operands already exclude a wrap.
#include "dialect/Spin/Analysis/Evaluator.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spinc::spin;

static bool hasFlag(Operation *op, arith::IntegerOverflowFlags flag) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags &&
         arith::bitEnumContainsAny(flags.getOverflowAttr().getValue(), flag);
}

static std::optional<llvm::APInt> constantOf(Value value) {
  llvm::APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant;
  return std::nullopt;
}

/// `value & mask` for a mask of adjacent ones.
std::optional<LinearExpr> Evaluator::masked(const LinearExpr &expr,
                                            llvm::APInt mask) {
  unsigned first, length;
  if (!mask.isShiftedMask(first, length))
    return std::nullopt;
  LinearExpr shifted = variables.floorDivide(expr, powerOfTwo(first));
  Integer size = powerOfTwo(length);
  LinearExpr field = shifted;
  if (!variables.interval(shifted).within({Integer(0), size - 1}))
    field = shifted - variables.floorDivide(shifted, size) * size;
  return field * powerOfTwo(first);
}

std::optional<LinearExpr> Evaluator::computeArith(Operation *op,
                                                  Reading reading) {
  unsigned width = op->getResult(0).getType().getIntOrFloatBitWidth();
  bool isSigned = reading == Reading::Signed;
  if (std::optional<llvm::APInt> constant = constantOf(op->getResult(0)))
    return LinearExpr(isSigned ? fromSigned(*constant)
                               : fromUnsigned(*constant));
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp,
          arith::TruncIOp>(op))
    return computeWrapping(op, reading);
  if (isa<arith::MinUIOp, arith::MaxUIOp, arith::MinSIOp, arith::MaxSIOp>(op))
    return computeMinMax(op, reading);
  if (auto extend = dyn_cast<arith::ExtSIOp>(op)) {
    if (!isSigned)
      return std::nullopt;
    return number(extend.getIn(), Reading::Signed);
  }
  if (isSigned)
    return std::nullopt;
  if (auto extend = dyn_cast<arith::ExtUIOp>(op))
    return number(extend.getIn());
  if (width == 1 &&
      isa<arith::CmpIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return truthValue(op->getResult(0));
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return computeBitwise(op, width);
  return computeUnsigned(op, width);
}

/// Addition, subtraction, multiplication, left shift and truncation: exact if
/// flagged in this reading, left to the other reading if flagged only there,
/// modulo 2^width if not flagged.
std::optional<LinearExpr> Evaluator::computeWrapping(Operation *op,
                                                     Reading reading) {
  bool isSigned = reading == Reading::Signed;
  bool nuw = hasFlag(op, arith::IntegerOverflowFlags::nuw);
  bool nsw = hasFlag(op, arith::IntegerOverflowFlags::nsw);
  bool exact = isSigned ? nsw : nuw;
  if (!exact && (nuw || nsw))
    return std::nullopt;
  unsigned width = op->getResult(0).getType().getIntOrFloatBitWidth();
  LinearExpr left = number(op->getOperand(0), reading);
  std::optional<LinearExpr> result;
  if (isa<arith::TruncIOp>(op))
    result = left;
  else if (isa<arith::AddIOp>(op))
    result = left + number(op->getOperand(1), reading);
  else if (isa<arith::SubIOp>(op))
    result = left - number(op->getOperand(1), reading);
  else if (isa<arith::MulIOp>(op))
    result = variables.multiply(left, number(op->getOperand(1), reading));
  else if (std::optional<llvm::APInt> amount = constantOf(op->getOperand(1))) {
    if (amount->ult(width))
      result = left * powerOfTwo(amount->getZExtValue());
  } else if (!isSigned) {
    return shiftedLeft(op, left, exact);
  }
  if (!result || exact)
    return result;
  Interval own =
      isSigned ? Interval::signedBits(width) : Interval::unsignedBits(width);
  if (variables.interval(*result).within(own))
    return result;
  // Where both readings wrap, the signed one is made from the unsigned one:
  // what is known of one is then known of the other.
  if (isSigned)
    return std::nullopt;
  return variables.wrap(*result, width);
}

/// A left shift by an amount below the width, which is the operation's
/// obligation (bnd-5), that loses no bits.
std::optional<LinearExpr>
Evaluator::shiftedLeft(Operation *op, const LinearExpr &left, bool exact) {
  unsigned width = op->getResult(0).getType().getIntOrFloatBitWidth();
  Interval range = variables.interval(left);
  Interval amount = variables.interval(number(op->getOperand(1)))
                        .intersect(Interval::between(0, width - 1));
  if (!range.low || *range.low < 0 || !range.high || *amount.low > *amount.high)
    return std::nullopt;
  Integer least = powerOfTwo(int64_t(*amount.low));
  Integer most = powerOfTwo(int64_t(*amount.high));
  Interval own = Interval::unsignedBits(width);
  Interval product{*range.low * least, *range.high * most};
  if (!exact && !product.within(own))
    return std::nullopt;
  LinearExpr result = opaque(op->getResult(0), product.intersect(own));
  Formula definition = Formula::atLeast(result, left * least);
  definition.conjoin(atMost(result, left * most));
  variables[*result.getIfVariable()].definition = std::move(definition);
  return result;
}

std::optional<LinearExpr> Evaluator::computeUnsigned(Operation *op,
                                                     unsigned width) {
  if (op->getNumOperands() != 2)
    return std::nullopt;
  LinearExpr left = number(op->getOperand(0));
  LinearExpr right = number(op->getOperand(1));
  bool byConstant = right.isConstant() && right.getConstant() > 0;
  if (isa<arith::ShRUIOp>(op)) {
    if (right.isConstant() && right.getConstant() < int64_t(width))
      return variables.floorDivide(left,
                                   powerOfTwo(int64_t(right.getConstant())));
    LinearExpr result =
        opaque(op->getResult(0), {Integer(0), variables.interval(left).high});
    variables[*result.getIfVariable()].definition = atMost(result, left);
    return result;
  }
  if (isa<arith::DivUIOp>(op))
    return byConstant ? variables.floorDivide(left, right.getConstant())
                      : variables.ratio(left, right);
  if (isa<arith::CeilDivUIOp>(op) && byConstant)
    return variables.floorDivide(left + LinearExpr(right.getConstant() - 1),
                                 right.getConstant());
  if (!isa<arith::RemUIOp>(op))
    return std::nullopt;
  if (byConstant)
    return left - variables.floorDivide(left, right.getConstant()) *
                      right.getConstant();
  LinearExpr result =
      opaque(op->getResult(0), {Integer(0), variables.interval(left).high});
  Formula definition = atMost(result, left);
  definition.conjoin(atMost(result, right - 1));
  LinearExpr quotient = variables.ratio(left, right);
  if (std::optional<LinearExpr> covered = variables.multiply(quotient, right))
    definition.conjoin(Formula::equal(*covered + result, left));
  variables[*result.getIfVariable()].definition = std::move(definition);
  return result;
}

/// Whether every coefficient of `expr` is a multiple of `factor`.
static bool isMultiple(const LinearExpr &expr, const Integer &factor) {
  for (const LinearExpr::Term &term : expr.getTerms())
    if (term.second % factor != 0)
      return false;
  return expr.getConstant() % factor == 0;
}

std::optional<LinearExpr> Evaluator::computeBitwise(Operation *op,
                                                    unsigned width) {
  LinearExpr left = number(op->getOperand(0));
  LinearExpr right = number(op->getOperand(1));
  std::optional<llvm::APInt> mask = constantOf(op->getOperand(1));
  Interval leftRange = variables.interval(left);
  Interval rightRange = variables.interval(right);
  if (isa<arith::AndIOp>(op)) {
    if (mask)
      if (std::optional<LinearExpr> field = masked(left, *mask))
        return field;
    LinearExpr result =
        opaque(op->getResult(0), Interval{Integer(0), leftRange.high}.intersect(
                                     {Integer(0), rightRange.high}));
    Formula definition = atMost(result, left);
    definition.conjoin(atMost(result, right));
    variables[*result.getIfVariable()].definition = std::move(definition);
    return result;
  }
  // The masked field becomes what it lacks of the mask.
  if (isa<arith::XOrIOp>(op) && mask)
    if (std::optional<LinearExpr> field = masked(left, *mask))
      return left - *field * Integer(2) + right;
  // An operand whose low bits are zero, and one that fits into them.
  for (bool swapped : {false, true}) {
    const LinearExpr &upper = swapped ? right : left;
    const Interval &lowRange = swapped ? leftRange : rightRange;
    for (unsigned bits = 1; bits < width; ++bits) {
      Integer size = powerOfTwo(bits);
      if (!isMultiple(upper, size))
        break;
      if (lowRange.within({Integer(0), size - 1}))
        return left + right;
    }
  }
  LinearExpr result = opaque(op->getResult(0), Interval::unsignedBits(width));
  Formula definition = atMost(result, left + right);
  if (isa<arith::OrIOp>(op)) {
    definition.conjoin(Formula::atLeast(result, left));
    definition.conjoin(Formula::atLeast(result, right));
  }
  variables[*result.getIfVariable()].definition = std::move(definition);
  return result;
}

std::optional<LinearExpr> Evaluator::computeMinMax(Operation *op,
                                                   Reading reading) {
  Reading own = isa<arith::MinUIOp, arith::MaxUIOp>(op) ? Reading::Unsigned
                                                        : Reading::Signed;
  if (own != reading)
    return std::nullopt;
  bool isMin = isa<arith::MinUIOp, arith::MinSIOp>(op);
  LinearExpr left = number(op->getOperand(0), reading);
  LinearExpr right = number(op->getOperand(1), reading);
  Interval a = variables.interval(left), b = variables.interval(right);
  LinearExpr result = opaque(op->getResult(0), a.hull(b));
  Formula definition;
  for (const LinearExpr &operand : {left, right})
    definition.conjoin(isMin ? atMost(result, operand)
                             : Formula::atLeast(result, operand));
  definition.conjoin(Formula::either(Formula::equal(result, left),
                                     Formula::equal(result, right)));
  variables[*result.getIfVariable()].definition = std::move(definition);
  return result;
}
