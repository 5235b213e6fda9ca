// What the operations of arith mean.
#include "dialect/Spin/IR/Models.h"
#include "dialect/Spin/IR/Numbers.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::meaning;

namespace {

unsigned widthOf(Value value) {
  return value.getType().getIntOrFloatBitWidth();
}

/// The largest value that `amount`, which is below its width, can have.
unsigned largestAmount(Value amount) {
  unsigned largest = widthOf(amount) - 1;
  // Neither makes a number larger.
  while (
      isa_and_nonnull<arith::ExtUIOp, arith::TruncIOp>(amount.getDefiningOp()))
    amount = amount.getDefiningOp()->getOperand(0);
  if (auto masked = amount.getDefiningOp<arith::AndIOp>())
    if (std::optional<llvm::APInt> mask = constantOf(masked.getRhs()))
      largest = mask->getLimitedValue(largest);
  return largest;
}

/// In how many bits a number fits, whatever it is computed from.
unsigned bitsOf(Value value) {
  if (std::optional<llvm::APInt> constant = constantOf(value))
    return constant->getActiveBits();
  if (auto wide = value.getDefiningOp<arith::ExtUIOp>())
    return bitsOf(wide.getIn());
  if (auto masked = value.getDefiningOp<arith::AndIOp>())
    if (std::optional<llvm::APInt> mask = constantOf(masked.getRhs()))
      return mask->getActiveBits();
  return widthOf(value);
}

/// Whether no amount that a shift to the left can have loses a bit.
bool keepsBits(arith::ShLIOp shift) {
  if (bitEnumContainsAll(shift.getOverflowFlags(),
                         arith::IntegerOverflowFlags::nuw))
    return true;
  return bitsOf(shift.getLhs()) + largestAmount(shift.getRhs()) <=
         widthOf(shift.getResult());
}

/// The range of a sum is known better than that of each product of its parts,
/// and that of a product better than those of three factors.
Form factor(Value value, bool isSigned, Numbers &numbers) {
  Form form = numbers.number(value, isSigned);
  bool isProduct =
      form.terms.size() == 1 && form.terms[0].first->kind == AtomKind::Product;
  return form.terms.size() < 2 && !isProduct
             ? form
             : numbers.reading(value, isSigned, form);
}

/// The result in unbounded integers; nothing if that is no form.
std::optional<Form> unbounded(Operation *op, bool isSigned, Numbers &numbers) {
  auto operand = [&](unsigned index) {
    return numbers.number(op->getOperand(index), isSigned);
  };
  if (isa<arith::AddIOp>(op))
    return operand(0).plus(operand(1));
  if (isa<arith::SubIOp>(op))
    return operand(0).minus(operand(1));
  if (isa<arith::MulIOp>(op))
    return numbers.multiply(factor(op->getOperand(0), isSigned, numbers),
                            factor(op->getOperand(1), isSigned, numbers));
  if (isa<arith::TruncIOp>(op))
    return operand(0);
  auto shift = dyn_cast<arith::ShLIOp>(op);
  if (std::optional<llvm::APInt> left =
          shift ? constantOf(shift.getLhs()) : std::nullopt;
      left && left->isZero())
    return Form();
  std::optional<llvm::APInt> amount =
      shift ? constantOf(shift.getRhs()) : std::nullopt;
  if (!amount || amount->uge(amount->getBitWidth()))
    return std::nullopt;
  return operand(0).times(powerOfTwo(amount->getZExtValue()));
}

/// Results that depend on the unsigned reading of the first operand, and on a
/// constant.
std::optional<Form> fromUnsigned(Operation *op, Numbers &numbers) {
  Form left = numbers.number(op->getOperand(0));
  std::optional<llvm::APInt> right = constantOf(op->getOperand(1));
  if (isa<arith::DivUIOp>(op) && !right)
    return numbers.ratio(left, numbers.number(op->getOperand(1)));
  if (!right)
    return std::nullopt;
  unsigned width = right->getBitWidth(), low, size;
  Int by(right->zext(width + 1));
  if (isa<arith::ShRUIOp>(op) && right->ult(width))
    return numbers.quotient(left, powerOfTwo(right->getZExtValue()));
  if (isa<arith::DivUIOp>(op) && by > 0)
    return numbers.quotient(left, by);
  if (isa<arith::CeilDivUIOp>(op) && by > 0)
    return numbers.quotient(left.plus(Form(by - 1)), by);
  if (isa<arith::RemUIOp>(op) && by > 0)
    return left.plus(numbers.quotient(left, by), -by);
  if (isa<arith::AndIOp, arith::XOrIOp>(op) &&
      right->isShiftedMask(low, size)) {
    Form field = numbers.quotient(left, powerOfTwo(low));
    if (low + size != width)
      field = field.plus(numbers.quotient(field, powerOfTwo(size)),
                         -powerOfTwo(size));
    field = field.times(powerOfTwo(low));
    // Exclusive or turns the bits of the field around.
    return isa<arith::AndIOp>(op) ? field
                                  : left.plus(Form(by)).plus(field, Int(-2));
  }
  return std::nullopt;
}

std::optional<Form> numberOf(Operation *op, bool isSigned, Numbers &numbers) {
  if (!isa<IntegerType>(op->getResult(0).getType()))
    return std::nullopt;
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp,
          arith::TruncIOp>(op)) {
    auto flags = cast<arith::ArithIntegerOverflowFlagsInterface>(op);
    bool nuw = flags.hasNoUnsignedWrap(), nsw = flags.hasNoSignedWrap();
    if ((nuw || nsw) && !(isSigned ? nsw : nuw))
      return std::nullopt;
    std::optional<Form> result = unbounded(op, isSigned, numbers);
    return !result || nuw || nsw
               ? result
               : numbers.wrapped(*result, widthOf(op->getResult(0)), isSigned);
  }
  if (isa<arith::ExtUIOp>(op))
    return numbers.number(op->getOperand(0));
  if (isSigned && isa<arith::ExtSIOp>(op))
    return numbers.number(op->getOperand(0), true);
  if (isSigned && isa<arith::MinSIOp, arith::MaxSIOp>(op))
    return numbers.reading(op->getResult(0), true);
  return isSigned || op->getNumOperands() != 2 ? std::nullopt
                                               : fromUnsigned(op, numbers);
}

Constraints axiomsOf(Operation *op, bool isSigned, Numbers &numbers) {
  Constraints result;
  if (op->getNumOperands() != 2 ||
      isSigned != isa<arith::MinSIOp, arith::MaxSIOp>(op) ||
      !isa<IntegerType>(op->getResult(0).getType()) ||
      !isa<IntegerType>(op->getOperand(0).getType()))
    return result;
  // An atom, also if it is known as a sum, whose parts may be many.
  Form self = factor(op->getResult(0), isSigned, numbers),
       a = numbers.number(op->getOperand(0), isSigned),
       b = numbers.number(op->getOperand(1), isSigned);
  auto atLeast = [&](const Form &big, const Form &small) {
    result.push_back(notBelow(big, small));
  };
  if (isa<arith::AndIOp, arith::MinUIOp, arith::MinSIOp, arith::RemUIOp,
          arith::ShRUIOp>(op))
    atLeast(a, self);
  if (isa<arith::AndIOp, arith::MinUIOp, arith::MinSIOp>(op))
    atLeast(b, self);
  if (isa<arith::OrIOp, arith::MaxUIOp, arith::MaxSIOp>(op)) {
    atLeast(self, a);
    atLeast(self, b);
  }
  if (isa<arith::OrIOp, arith::XOrIOp>(op))
    atLeast(a.plus(b), self);
  if (isa<arith::RemUIOp>(op)) {
    atLeast(b, self.plus(Form(Int(1))));
    result.push_back(
        {numbers.multiply(numbers.ratio(a, b), b).plus(self).minus(a), true});
  }
  if (auto shift = dyn_cast<arith::ShLIOp>(op); shift && keepsBits(shift)) {
    atLeast(self, a);
    atLeast(a.times(powerOfTwo(largestAmount(shift.getRhs()))), self);
  }
  return result;
}

Obligations obligationsOf(Operation *op, Numbers &numbers) {
  Obligations result;
  if (op->getNumResults() != 1)
    return result;
  Type type = op->getResult(0).getType();
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  bool isFlagged =
      flags && (flags.hasNoSignedWrap() || flags.hasNoUnsignedWrap());
  bool isSignedDivision = isa<arith::DivSIOp, arith::RemSIOp,
                              arith::CeilDivSIOp, arith::FloorDivSIOp>(op);
  bool isDivision = isSignedDivision ||
                    isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op);
  bool isShift = isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op);
  if (!isFlagged && !isDivision && !isShift)
    return result;
  // Of vectors nothing is known, nor of what `exact` promises.
  if (!isa<IntegerType>(type) || op->hasAttr("isExact"))
    return {Obligation::impossible()};
  unsigned width = type.getIntOrFloatBitWidth();
  if (isDivision)
    result.push_back(
        Obligation::notBelow(numbers.number(op->getOperand(1)), Form(Int(1))));
  if (isSignedDivision) {
    // Not the least number by -1.
    Form top = numbers.number(op->getOperand(0), true),
         bottom = numbers.number(op->getOperand(1), true);
    result.push_back({{bottom, Form(Int(-2)).minus(bottom),
                       top.plus(Form(limits(width, true).second))}});
  }
  if (isShift)
    result.push_back(Obligation::notBelow(Form(Int(width - 1)),
                                          numbers.number(op->getOperand(1))));
  for (bool isSigned : {false, true}) {
    if (!isFlagged ||
        !(isSigned ? flags.hasNoSignedWrap() : flags.hasNoUnsignedWrap()))
      continue;
    std::optional<Form> form = unbounded(op, isSigned, numbers);
    // The largest amount of a shift decides.
    if (!form)
      form = numbers.number(op->getOperand(0), isSigned)
                 .times(powerOfTwo(largestAmount(op->getOperand(1))));
    for (const Constraint &inside : within(*form, limits(width, isSigned)))
      result.push_back({{inside.form}});
  }
  return result;
}

Constraints truthOf(Operation *op, bool truth, Numbers &numbers) {
  Constraints result;
  auto cmp = dyn_cast<arith::CmpIOp>(op);
  if (!cmp || !isa<IntegerType>(cmp.getLhs().getType()))
    return result;
  using P = arith::CmpIPredicate;
  P is =
      truth ? cmp.getPredicate() : arith::invertPredicate(cmp.getPredicate());
  auto difference = [&](bool isSigned) {
    return numbers.number(cmp.getRhs(), isSigned)
        .minus(numbers.number(cmp.getLhs(), isSigned));
  };
  if (is == P::eq)
    for (bool isSigned : {false, true})
      result.push_back({difference(isSigned), true});
  // What is not the least or largest number lies above or below it.
  std::optional<llvm::APInt> other = constantOf(cmp.getRhs());
  for (bool isSigned : {false, true}) {
    if (is != P::ne || !other)
      break;
    auto [least, largest] = limits(widthOf(cmp.getRhs()), isSigned);
    Form apart = difference(isSigned);
    Int constant = numbers.number(cmp.getRhs(), isSigned).constant;
    if (constant == least || constant == largest)
      result.push_back(
          {apart.times(Int(constant == least ? -1 : 1)).plus(Form(Int(-1)))});
  }
  if (is == P::eq || is == P::ne)
    return result;
  bool isLess = llvm::is_contained({P::ult, P::ule, P::slt, P::sle}, is);
  bool isStrict = llvm::is_contained({P::ult, P::ugt, P::slt, P::sgt}, is);
  bool isSigned = llvm::is_contained({P::slt, P::sle, P::sgt, P::sge}, is);
  result.push_back({difference(isSigned)
                        .times(Int(isLess ? 1 : -1))
                        .plus(Form(Int(isStrict ? -1 : 0)))});
  return result;
}

std::optional<Cases> casesOf(Operation *op, std::optional<bool> truth,
                             Numbers &numbers) {
  Cases result;
  bool isMin = isa<arith::MinUIOp, arith::MinSIOp>(op);
  if (isMin || isa<arith::MaxUIOp, arith::MaxSIOp>(op)) {
    bool isSigned = isa<arith::MinSIOp, arith::MaxSIOp>(op);
    for (int i : {0, 1})
      result.facts[i].form =
          numbers.number(op->getResult(0), isSigned)
              .minus(numbers.number(op->getOperand(i), isSigned))
              .times(Int(isMin ? 1 : -1));
    return result;
  }
  if (!truth)
    return std::nullopt;
  if (isa<arith::AndIOp, arith::OrIOp>(op) && isa<arith::OrIOp>(op) == *truth) {
    result.truths = {
        {{op->getOperand(0), *truth}, {op->getOperand(1), *truth}}};
    return result;
  }
  auto cmp = dyn_cast<arith::CmpIOp>(op);
  if (!cmp || !isa<IntegerType>(cmp.getLhs().getType()) ||
      cmp.getPredicate() !=
          (*truth ? arith::CmpIPredicate::ne : arith::CmpIPredicate::eq))
    return std::nullopt;
  Form apart = numbers.number(cmp.getRhs()).minus(numbers.number(cmp.getLhs()));
  result.facts = {{{apart.plus(Form(Int(-1)))},
                   {apart.times(Int(-1)).plus(Form(Int(-1)))}}};
  return result;
}

template <typename Op>
struct ArithModel
    : public MeaningOpInterface::ExternalModel<ArithModel<Op>, Op> {
  Obligations getObligations(Operation *op, Numbers &numbers) const {
    return obligationsOf(op, numbers);
  }
  std::optional<Form> getNumber(Operation *op, Value, bool isSigned,
                                Numbers &numbers) const {
    return numberOf(op, isSigned, numbers);
  }
  Constraints getAxioms(Operation *op, Value, bool isSigned,
                        Numbers &numbers) const {
    return axiomsOf(op, isSigned, numbers);
  }
  Constraints getTruth(Operation *op, bool truth, Numbers &numbers) const {
    return truthOf(op, truth, numbers);
  }
  std::optional<Cases> getCases(Operation *op, std::optional<bool> truth,
                                Numbers &numbers) const {
    return casesOf(op, truth, numbers);
  }
};

template <typename... Ops> void attach(MLIRContext *context) {
  (Ops::template attachInterface<ArithModel<Ops>>(*context), ...);
}

} // namespace

void spinc::spin::attachArithModels(MLIRContext *context) {
  attach<
#define GET_OP_LIST
#include "mlir/Dialect/Arith/IR/ArithOps.cpp.inc"
      >(context);
}
