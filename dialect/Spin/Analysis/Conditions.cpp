// What follows from a condition: in handlers, where bits wrap, and in `where`
// and `contract` regions, whose integers are by definition wide enough and are
// read as mathematical numbers, as the host does at installation.
#include "dialect/Spin/Analysis/Evaluator.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spinc::spin;

/// Larger conditions give no fact beyond this: formulas stay small.
static constexpr unsigned maxConditionSize = 128;

static bool isSignedPredicate(arith::CmpIPredicate predicate) {
  return predicate == arith::CmpIPredicate::slt ||
         predicate == arith::CmpIPredicate::sle ||
         predicate == arith::CmpIPredicate::sgt ||
         predicate == arith::CmpIPredicate::sge;
}

/// `left predicate right` between numbers.
static Formula compare(arith::CmpIPredicate predicate, const LinearExpr &left,
                       const LinearExpr &right) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return Formula::equal(left, right);
  case arith::CmpIPredicate::ne:
    return Formula::either(atMost(left, right - 1), atMost(right, left - 1));
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::slt:
    return atMost(left, right - 1);
  case arith::CmpIPredicate::ule:
  case arith::CmpIPredicate::sle:
    return atMost(left, right);
  case arith::CmpIPredicate::ugt:
  case arith::CmpIPredicate::sgt:
    return atMost(right, left - 1);
  case arith::CmpIPredicate::uge:
  case arith::CmpIPredicate::sge:
    return atMost(right, left);
  }
  llvm_unreachable("all predicates are above");
}

/// Whether `value` is simpler as a signed number.
static bool isSignedResult(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::ExtSIOp>(op))
    return true;
  auto flags = dyn_cast_or_null<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap() && !flags.hasNoUnsignedWrap();
}

Formula Evaluator::comparison(arith::CmpIOp cmp, bool truth) {
  if (!isa<IntegerType>(cmp.getLhs().getType()))
    return Formula();
  bool isEquality = cmp.getPredicate() == arith::CmpIPredicate::eq ||
                    cmp.getPredicate() == arith::CmpIPredicate::ne;
  bool asSigned =
      isEquality ? isSignedResult(cmp.getLhs()) || isSignedResult(cmp.getRhs())
                 : isSignedPredicate(cmp.getPredicate());
  Reading reading = asSigned ? Reading::Signed : Reading::Unsigned;
  arith::CmpIPredicate predicate =
      truth ? cmp.getPredicate() : arith::invertPredicate(cmp.getPredicate());
  return compare(predicate, number(cmp.getLhs(), reading),
                 number(cmp.getRhs(), reading));
}

/// What held on the way through a block: what it requires of the values that
/// it yields outlives it with them.
Formula Evaluator::passed(Block &block, unsigned &fuel) {
  Formula result;
  for (RequireOp require : block.getOps<RequireOp>())
    result.conjoin(condition(require.getCondition(), true, fuel));
  return result;
}

Formula Evaluator::condition(Value value, bool truth) {
  unsigned fuel = maxConditionSize;
  return condition(value, truth, fuel);
}

Formula Evaluator::condition(Value value, bool truth, unsigned &fuel) {
  if (fuel == 0)
    return Formula();
  --fuel;
  auto recurse = [&](Value operand, bool operandTruth) {
    return condition(operand, operandTruth, fuel);
  };
  llvm::APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isZero() == truth ? Formula::never() : Formula();
  Operation *op = value.getDefiningOp();
  if (auto cmp = dyn_cast_or_null<arith::CmpIOp>(op))
    return comparison(cmp, truth);
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op)) {
    Formula left = recurse(op->getOperand(0), truth);
    Formula right = recurse(op->getOperand(1), truth);
    if (isa<arith::AndIOp>(op) == truth)
      return left.conjoin(right);
    return Formula::either(std::move(left), std::move(right));
  }
  if (auto xorOp = dyn_cast_or_null<arith::XOrIOp>(op)) {
    if (matchPattern(xorOp.getRhs(), m_ConstantInt(&constant)))
      return recurse(xorOp.getLhs(), truth == constant.isZero());
    Formula same = recurse(xorOp.getLhs(), true);
    same.conjoin(recurse(xorOp.getRhs(), !truth));
    Formula other = recurse(xorOp.getLhs(), false);
    other.conjoin(recurse(xorOp.getRhs(), truth));
    return Formula::either(std::move(same), std::move(other));
  }
  Value decision, ifTrue, ifFalse;
  scf::IfOp region;
  if (auto select = dyn_cast_or_null<arith::SelectOp>(op)) {
    decision = select.getCondition();
    ifTrue = select.getTrueValue();
    ifFalse = select.getFalseValue();
  } else if (auto branch = dyn_cast_or_null<scf::IfOp>(op)) {
    region = branch;
    unsigned index = cast<OpResult>(value).getResultNumber();
    decision = branch.getCondition();
    ifTrue = branch.thenYield().getOperand(index);
    ifFalse = branch.elseYield().getOperand(index);
  }
  if (decision) {
    Formula first = recurse(decision, true);
    first.conjoin(recurse(ifTrue, truth));
    Formula second = recurse(decision, false);
    second.conjoin(recurse(ifFalse, truth));
    if (region) {
      first.conjoin(passed(*region.thenBlock(), fuel));
      second.conjoin(passed(*region.elseBlock(), fuel));
    }
    return Formula::either(std::move(first), std::move(second));
  }
  return Formula::equal(number(value), LinearExpr::number(truth ? 1 : 0));
}

/// An `i1` as a number that is 1 exactly if the condition holds.
LinearExpr Evaluator::truthValue(Value value) {
  LinearExpr result = opaque(value, Interval::between(0, 1));
  Formula yes = Formula::equal(result, LinearExpr::number(1));
  Formula no = Formula::equal(result, LinearExpr::number(0));
  yes.conjoin(condition(value, true));
  no.conjoin(condition(value, false));
  variables[*result.getIfVariable()].definition =
      Formula::either(std::move(yes), std::move(no));
  return result;
}

/// Facts about one variable sharpen its interval, so that products of
/// parameters get useful bounds; the others are kept as they are.
void Evaluator::addInstallFact(Formula fact) {
  Formula rest;
  rest.splits = std::move(fact.splits);
  for (const Constraint &constraint : fact.constraints) {
    rest.constraints.push_back(constraint);
    if (constraint.expr.getTerms().size() != 1)
      continue;
    const LinearExpr::Term &term = constraint.expr.getTerms()[0];
    Interval &interval = variables[term.first].interval;
    // coefficient * v + constant >= 0
    const Integer &constant = constraint.expr.getConstant();
    if (term.second > 0 || constraint.equality) {
      Integer size = abs(term.second);
      Integer bound = term.second > 0 ? -constant : constant;
      interval = interval.intersect({ceilDiv(bound, size), std::nullopt});
    }
    if (term.second < 0 || constraint.equality) {
      Integer size = abs(term.second);
      Integer bound = term.second < 0 ? constant : -constant;
      interval = interval.intersect({std::nullopt, floorDiv(bound, size)});
    }
  }
  installFacts.push_back(std::move(rest));
}

void Evaluator::readInstallRegion(Region &region, const LinearExpr *argument) {
  if (region.empty())
    return;
  auto yield = dyn_cast<YieldConditionOp>(region.front().getTerminator());
  if (!yield)
    return;
  if (std::optional<Formula> fact =
          exactCondition(yield.getCondition(), true, argument))
    addInstallFact(std::move(*fact));
}

std::optional<LinearExpr> Evaluator::exactNumber(Value value,
                                                 const LinearExpr *argument) {
  if (isa<BlockArgument>(value))
    return argument ? std::optional<LinearExpr>(*argument) : std::nullopt;
  Operation *op = value.getDefiningOp();
  llvm::APInt constant;
  // A constant with its top bit set has two readings: no fact then.
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.isNegative()
               ? std::nullopt
               : std::optional<LinearExpr>(fromUnsigned(constant));
  if (isa<ParamOp, HostSizeOp>(op))
    return number(value);
  if (auto extend = dyn_cast<arith::ExtUIOp>(op))
    return exactNumber(extend.getIn(), argument);
  if (auto extend = dyn_cast<arith::ExtSIOp>(op)) {
    Value narrow = extend.getIn();
    std::optional<LinearExpr> bits = exactNumber(narrow, argument);
    if (!bits || (!isa<BlockArgument>(narrow) &&
                  !isa_and_nonnull<ParamOp>(narrow.getDefiningOp())))
      return std::nullopt;
    return variables.wrapSigned(*bits,
                                narrow.getType().getIntOrFloatBitWidth());
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp>(op))
    return std::nullopt;
  std::optional<LinearExpr> left = exactNumber(op->getOperand(0), argument);
  std::optional<LinearExpr> right = exactNumber(op->getOperand(1), argument);
  if (!left || !right)
    return std::nullopt;
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (!isa<arith::DivUIOp>(op)) {
    std::optional<LinearExpr> result = isa<arith::AddIOp>(op) ? *left + *right
                                       : isa<arith::SubIOp>(op)
                                           ? *left - *right
                                           : variables.multiply(*left, *right);
    // A type that is not wide enough makes the meaning doubtful.
    Interval representable{Interval::signedBits(width).low,
                           Interval::unsignedBits(width).high};
    if (!result || !variables.interval(*result).within(representable))
      return std::nullopt;
    return result;
  }
  std::optional<Integer> low = variables.interval(*left).low;
  if (!right->isConstant() || right->getConstant() <= 0 || !low || *low < 0)
    return std::nullopt;
  return variables.floorDivide(*left, right->getConstant());
}

/// Whether a parameter takes part in `value` with its own width, so that a
/// signed comparison might read it as a negative number.
static bool hasUnextendedLeaf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<ParamOp, HostSizeOp>(op))
    return true;
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp>(op) &&
         llvm::any_of(op->getOperands(), hasUnextendedLeaf);
}

std::optional<Formula> Evaluator::exactCondition(Value value, bool truth,
                                                 const LinearExpr *argument) {
  Operation *op = value.getDefiningOp();
  if (auto cmp = dyn_cast_or_null<arith::CmpIOp>(op)) {
    std::optional<LinearExpr> left = exactNumber(cmp.getLhs(), argument);
    std::optional<LinearExpr> right = exactNumber(cmp.getRhs(), argument);
    if (!left || !right ||
        (isSignedPredicate(cmp.getPredicate()) &&
         (hasUnextendedLeaf(cmp.getLhs()) || hasUnextendedLeaf(cmp.getRhs()))))
      return std::nullopt;
    return compare(truth ? cmp.getPredicate()
                         : arith::invertPredicate(cmp.getPredicate()),
                   *left, *right);
  }
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op)) {
    std::optional<Formula> left =
        exactCondition(op->getOperand(0), truth, argument);
    std::optional<Formula> right =
        exactCondition(op->getOperand(1), truth, argument);
    if (isa<arith::AndIOp>(op) != truth) {
      if (!left || !right)
        return std::nullopt;
      return Formula::either(std::move(*left), std::move(*right));
    }
    Formula both = left ? *left : Formula();
    return right ? both.conjoin(*right) : both;
  }
  auto negation = dyn_cast_or_null<arith::XOrIOp>(op);
  llvm::APInt constant;
  if (negation && matchPattern(negation.getRhs(), m_ConstantInt(&constant)) &&
      constant.isAllOnes())
    return exactCondition(negation.getLhs(), !truth, argument);
  return std::nullopt;
}
