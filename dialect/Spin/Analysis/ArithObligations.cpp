// The obligations of arith are those of its overflow flags, divisors and shift
// amounts; those of scf.for keep its index from wrapping round.
#include "dialect/Spin/Analysis/ObligationBuilder.h"

using namespace mlir;
using namespace spinc::spin;

/// The result of `op` as a number if nothing wraps.
static std::optional<LinearExpr> unwrapped(Operation *op, Evaluator &evaluator,
                                           Reading reading) {
  VariableTable &variables = evaluator.getVariables();
  LinearExpr left = evaluator.number(op->getOperand(0), reading);
  if (isa<arith::TruncIOp, arith::ExtUIOp>(op))
    return left;
  if (isa<arith::AddIOp>(op))
    return left + evaluator.number(op->getOperand(1), reading);
  if (isa<arith::SubIOp>(op))
    return left - evaluator.number(op->getOperand(1), reading);
  if (isa<arith::MulIOp>(op))
    return variables.multiply(left,
                              evaluator.number(op->getOperand(1), reading));
  if (!isa<arith::ShLIOp>(op))
    return std::nullopt;
  Interval amount = variables.interval(evaluator.number(op->getOperand(1)));
  int64_t width = op->getResult(0).getType().getIntOrFloatBitWidth();
  Interval range = variables.interval(left);
  // Below zero: no value at all, in code that is never reached.
  if (!amount.high || *amount.high < 0 || *amount.high >= width || !range.low ||
      *range.low < 0)
    return std::nullopt;
  // Monotone in the amount, so the largest decides.
  return left * powerOfTwo(int64_t(*amount.high));
}

/// bnd-2: the begin of a part is not behind its end.
void ObligationBuilder::order(arith::SubIOp difference) {
  std::string begin = describe(difference.getRhs());
  std::string end = describe(difference.getLhs());
  Obligation &obligation =
      add("E0403: slice may be out of bounds: its begin " + quote(begin) +
              " may be behind its end " + quote(end),
          begin + " <= " + end, "check that the begin is not behind the end");
  LinearExpr low = evaluator.number(difference.getRhs(), Reading::Unsigned);
  LinearExpr high = evaluator.number(difference.getLhs(), Reading::Unsigned);
  obligation.goals.push_back(notBelow(high, low));
  obligation.display = {{begin, low}, {end, high}};
}

/// How an operand reads beside an operator.
static std::string operand(Value value) {
  std::string name = describe(value);
  bool needsParentheses =
      StringRef(name).contains(' ') && !StringRef(name).starts_with("(");
  return needsParentheses ? "(" + name + ")" : name;
}

/// bnd-3: no overflow; bnd-6: a truncation keeps the value.
void ObligationBuilder::overflow(bool isSigned) {
  if (auto difference = dyn_cast<arith::SubIOp>(op);
      !isSigned && difference && isLengthOfPart(difference))
    return order(difference);
  bool narrows = isa<arith::TruncIOp>(op);
  unsigned width = op->getResult(0).getType().getIntOrFloatBitWidth();
  Interval limits =
      isSigned ? Interval::signedBits(width) : Interval::unsignedBits(width);
  std::string type = (isSigned ? "i" : "u") + std::to_string(width);
  std::string text = describe(op->getOperand(0));
  if (op->getNumOperands() == 2) {
    StringRef symbol = isa<arith::AddIOp>(op)   ? " + "
                       : isa<arith::SubIOp>(op) ? " - "
                       : isa<arith::MulIOp>(op) ? " * "
                                                : " << ";
    text = (operand(op->getOperand(0)) + symbol + operand(op->getOperand(1)))
               .str();
  }
  Reading reading = isSigned ? Reading::Signed : Reading::Unsigned;
  std::optional<LinearExpr> value = unwrapped(op, evaluator, reading);
  Obligation &obligation =
      add((narrows ? "E0411: narrowing may lose bits: "
                   : "E0410: arithmetic may "
                     "overflow: ") +
              quote(text) + " may not fit into '" + type + "'",
          text + " fits into " + type,
          narrows ? "check the range first, or mask the value"
                  : "check the operands first, or write the wrapping operator");
  obligation.followsPrevious = isa<arith::ShLIOp>(op);
  if (!value) {
    obligation.goals.push_back(unprovable());
    return;
  }
  obligation.goals.push_back(notBelow(*value, LinearExpr(*limits.low)));
  obligation.goals.push_back(notBelow(LinearExpr(*limits.high), *value));
  for (Value operand : op->getOperands())
    obligation.display.emplace_back(describe(operand),
                                    evaluator.number(operand, reading));
}

/// bnd-4: the divisor is not zero.
void ObligationBuilder::division() {
  Value divisor = op->getOperand(1);
  std::string name = describe(divisor);
  LinearExpr number = evaluator.number(divisor);
  Obligation &zero = add(
      "E0412: division by zero: " + quote(name) + " may be 0", name + " != 0",
      "guard the division, for example `if (" +
          spelling(divisor).value_or(name) + " != 0)`");
  zero.goals.push_back(notBelow(number, LinearExpr::number(1)));
  zero.display = {{name, number}};
  if (!isa<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp,
           arith::RemSIOp>(op))
    return;
  Value dividend = op->getOperand(0);
  unsigned width = divisor.getType().getIntOrFloatBitWidth();
  LinearExpr top = evaluator.number(dividend, Reading::Signed);
  LinearExpr bottom = evaluator.number(divisor, Reading::Signed);
  Obligation &least =
      add("E0410: arithmetic may overflow: the least 'i" +
              std::to_string(width) + "' divided by -1",
          describe(dividend) + " is not the least number or " + name + " != -1",
          "exclude the divisor -1");
  least.anyOf = true;
  least.goals = {
      notBelow(bottom, LinearExpr()), notBelow(LinearExpr::number(-2), bottom),
      notBelow(top, LinearExpr(*Interval::signedBits(width).low) + 1)};
}

/// bnd-5: the amount is below the width.
void ObligationBuilder::shift(int64_t width) {
  Value amount = op->getOperand(1);
  std::string name = describe(amount);
  std::string claim = name + " < " + std::to_string(width);
  Obligation &obligation =
      add("E0413: shift amount may be out of range: " + quote(name) +
              " is not below " + std::to_string(width),
          claim,
          "mask the amount, for example `" + spelling(amount).value_or(name) +
              " & " + std::to_string(width - 1) + "`");
  LinearExpr number = evaluator.number(amount);
  obligation.goals.push_back(notBelow(LinearExpr::number(width - 1), number));
  obligation.display = {{name, number}};
}

void ObligationBuilder::loopStep(scf::ForOp loop) {
  auto type = dyn_cast<IntegerType>(loop.getInductionVar().getType());
  Reading reading = loop.getUnsignedCmp() ? Reading::Unsigned : Reading::Signed;
  if (!type) {
    add("E0414: loop index needs an integer type of known width", "", "")
        .goals.push_back(unprovable());
    return;
  }
  LinearExpr step = evaluator.number(loop.getStep(), reading);
  std::string name = describe(loop.getStep());
  Obligation &positive =
      add("E0414: loop may not end: step " + quote(name) + " may be 0",
          name + " >= 1", "use a step of at least 1");
  positive.goals.push_back(notBelow(step, LinearExpr::number(1)));
  positive.display = {{name, step}};
  if (step == LinearExpr::number(1))
    return;
  Interval limits = reading == Reading::Signed
                        ? Interval::signedBits(type.getWidth())
                        : Interval::unsignedBits(type.getWidth());
  LinearExpr index = evaluator.number(loop.getInductionVar(), reading);
  std::string end = describe(loop.getUpperBound());
  Obligation &wraps =
      add("E0414: loop may not end: its index may step over the largest "
          "number before it reaches " +
              quote(end),
          "index + " + name + " fits", "bound " + quote(end) + " first");
  wraps.goals.push_back(notBelow(LinearExpr(*limits.high), index + step));
  wraps.display = {{end, evaluator.number(loop.getUpperBound(), reading)}};
}
