// What the operations of scf mean, and what loops carry from round to round.
#include "dialect/Spin/IR/Loops.h"
#include "dialect/Spin/IR/Models.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::meaning;

namespace {

struct IfModel : public MeaningOpInterface::ExternalModel<IfModel, scf::IfOp> {
};
struct YieldModel
    : public MeaningOpInterface::ExternalModel<YieldModel, scf::YieldOp> {};
struct ConditionModel
    : public MeaningOpInterface::ExternalModel<ConditionModel,
                                               scf::ConditionOp> {};

/// Behind a loop: that after the rounds it has run, less `fewer`, its index was
/// at the end; nothing if `value` is not the result that stands for them.
std::optional<Constraint> ranThrough(scf::ForOp loop, Value value, int fewer,
                                     Numbers &numbers) {
  bool isSigned = !loop.getUnsignedCmp();
  Form step = numbers.number(loop.getStep(), isSigned);
  if (loop.getNumResults() == 0 || value != loop.getResult(0) ||
      !step.isConstant())
    return std::nullopt;
  Form index =
      numbers.number(loop.getLowerBound(), isSigned)
          .plus(numbers.rounds(value).plus(Form(Int(-fewer))), step.constant);
  return notBelow(index, numbers.number(loop.getUpperBound(), isSigned));
}

struct ForModel
    : public MeaningOpInterface::ExternalModel<ForModel, scf::ForOp> {
  Obligations getObligations(Operation *op, Numbers &numbers) const {
    auto loop = cast<scf::ForOp>(op);
    Type type = loop.getInductionVar().getType();
    if (!isa<IntegerType>(type))
      return {Obligation::impossible()};
    bool isSigned = !loop.getUnsignedCmp();
    Form step = numbers.number(loop.getStep(), isSigned);
    // The last index is below the end, and one step behind it does not wrap.
    Form end(limits(type.getIntOrFloatBitWidth(), isSigned).second + 1);
    return {
        Obligation::notBelow(step, Form(Int(1))),
        Obligation::notBelow(
            end, numbers.number(loop.getUpperBound(), isSigned).plus(step))};
  }
  std::optional<Form> getNumber(Operation *op, Value value, bool isSigned,
                                Numbers &numbers) const {
    auto loop = cast<scf::ForOp>(op);
    if (loop.getInductionVar() != value || loop.getUnsignedCmp() == isSigned)
      return std::nullopt;
    std::optional<llvm::APInt> step = constantOf(loop.getStep());
    if (!step || step->isOne())
      return numbers.reading(value, isSigned);
    return numbers.number(loop.getLowerBound(), isSigned)
        .plus(numbers.rounds(value),
              numbers.number(loop.getStep(), isSigned).constant);
  }
  Constraints getAxioms(Operation *op, Value value, bool,
                        Numbers &numbers) const {
    auto loop = cast<scf::ForOp>(op);
    bool isSigned = !loop.getUnsignedCmp();
    if (loop.getInductionVar() != value) {
      std::optional<Constraint> enough = ranThrough(loop, value, 0, numbers);
      if (!enough)
        return {};
      return {*enough, {numbers.rounds(value)}};
    }
    Form index = numbers.number(value, isSigned);
    return {notBelow(index, numbers.number(loop.getLowerBound(), isSigned)),
            notBelow(numbers.number(loop.getUpperBound(), isSigned),
                     index.plus(Form(Int(1))))};
  }
  /// It has run no round, or the last one began below the end.
  std::optional<Cases> getCases(Operation *op, std::optional<bool>,
                                Numbers &numbers) const {
    auto loop = cast<scf::ForOp>(op);
    if (loop.getNumResults() == 0)
      return std::nullopt;
    Value value = loop.getResult(0);
    std::optional<Constraint> last = ranThrough(loop, value, 1, numbers);
    if (!last)
      return std::nullopt;
    Form none = numbers.rounds(value).times(Int(-1));
    return Cases{{{{none}, {Form(Int(-1)).minus(last->form)}}}, {}};
  }
};

struct WhileModel
    : public MeaningOpInterface::ExternalModel<WhileModel, scf::WhileOp> {
  std::optional<Form> getNumber(Operation *op, Value value, bool isSigned,
                                Numbers &numbers) const {
    auto loop = cast<scf::WhileOp>(op);
    unsigned index;
    if (auto result = dyn_cast<OpResult>(value))
      index = result.getResultNumber();
    else if (value.getParentBlock() == loop.getAfterBody())
      index = cast<BlockArgument>(value).getArgNumber();
    else
      return std::nullopt;
    return numbers.number(loop.getConditionOp().getArgs()[index], isSigned);
  }
};

} // namespace

void spinc::spin::attachLoopModels(MLIRContext *context) {
  scf::IfOp::attachInterface<IfModel>(*context);
  scf::YieldOp::attachInterface<YieldModel>(*context);
  scf::ConditionOp::attachInterface<ConditionModel>(*context);
  scf::ForOp::attachInterface<ForModel>(*context);
  scf::WhileOp::attachInterface<WhileModel>(*context);
}

bool spinc::spin::meaning::isLoop(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, ForPiecesOp>(op);
}

Operation *spinc::spin::meaning::loopEndedBy(Operation *op) {
  return isa<scf::YieldOp, YieldOp>(op) && isLoop(op->getParentOp())
             ? op->getParentOp()
             : nullptr;
}

Operation *spinc::spin::meaning::roundStart(Operation *loop) {
  if (RequireOp guard = getLoopGuard(loop))
    return guard;
  auto test = dyn_cast<scf::WhileOp>(loop);
  return test ? test.getConditionOp().getOperation() : nullptr;
}

LoopVariables spinc::spin::meaning::variablesOf(Operation *op) {
  LoopVariables result;
  result.loop = op;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    llvm::append_range(result.arguments, loop.getRegionIterArgs());
    llvm::append_range(result.inits, loop.getInitArgs());
    llvm::append_range(result.yields, loop.getYieldedValues());
    llvm::append_range(result.results, loop.getResults());
    result.arguments.push_back(loop.getInductionVar());
    result.inits.push_back(loop.getLowerBound());
    result.yields.push_back(loop.getInductionVar());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    llvm::append_range(result.arguments, loop.getBeforeArguments());
    llvm::append_range(result.inits, loop.getInits());
    llvm::append_range(result.yields, loop.getYieldOp().getOperands());
  } else if (auto pieces = dyn_cast<ForPiecesOp>(op)) {
    Block &body = pieces.getBody().front();
    llvm::append_range(result.arguments, body.getArguments().drop_front(2));
    llvm::append_range(result.inits, pieces.getInits());
    llvm::append_range(result.yields, body.getTerminator()->getOperands());
    llvm::append_range(result.results, pieces.getResults());
  }
  return result;
}

/// What is left of `atom`, which is about the index of a loop, behind it.
static std::optional<Form> atLast(AtomId atom, Operation *op,
                                  Numbers &numbers) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || loop.getInductionVar() != atom->value ||
      loop.getNumResults() == 0)
    return std::nullopt;
  Form count = numbers.rounds(loop.getResult(0));
  if (atom->kind == AtomKind::Rounds)
    return count;
  bool isSigned = !loop.getUnsignedCmp();
  Form step = numbers.number(loop.getStep(), isSigned);
  if ((atom->kind == AtomKind::Signed) != isSigned || !step.isConstant())
    return std::nullopt;
  return numbers.number(loop.getLowerBound(), isSigned)
      .plus(count, step.constant);
}

/// `form` with the values `by` for the loop's variables.
std::optional<Form> spinc::spin::meaning::substitute(const Form &form,
                                                     const LoopVariables &loop,
                                                     ArrayRef<Value> by,
                                                     Numbers &numbers) {
  Form result(form.constant);
  for (auto [atom, factor] : form.terms) {
    size_t index =
        llvm::find(loop.arguments, atom->value) - loop.arguments.begin();
    if (index == loop.arguments.size() || !atom->value) {
      result = result.plus(Form::of(atom, factor));
      continue;
    }
    if (index >= by.size()) {
      std::optional<Form> last = atLast(atom, loop.loop, numbers);
      if (!last)
        return std::nullopt;
      result = result.plus(*last, factor);
      continue;
    }
    // The index of scf.for is yielded by nobody: its next value is one step on.
    bool isIndex = loop.arguments[index] == by[index];
    bool isSigned = atom->kind == AtomKind::Signed;
    Form value = numbers.number(by[index], isSigned);
    if (atom->kind == AtomKind::Rounds)
      value = isIndex ? Form::of(atom).plus(Form(Int(1))) : Form();
    else if (isIndex)
      if (scf::ForOp counted = scf::getForInductionVarOwner(by[index]))
        value = value.plus(numbers.number(counted.getStep(), isSigned));
    result = result.plus(value, factor);
  }
  return result;
}

std::optional<Form> spinc::spin::meaning::spareRounds(Operation *op,
                                                      const Form &bound,
                                                      Numbers &numbers) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    auto number = [&](Value value) {
      return numbers.number(value, !loop.getUnsignedCmp());
    };
    return number(loop.getLowerBound())
        .plus(numbers.multiply(number(loop.getStep()), bound))
        .minus(number(loop.getUpperBound()));
  }
  auto pieces = dyn_cast<ForPiecesOp>(op);
  auto view = pieces ? pieces.getView().getDefiningOp<StridedViewOp>()
                     : StridedViewOp();
  if (!view)
    return std::nullopt;
  return bound
      .minus(numbers.ratio(numbers.bytes(pieces.getData()),
                           numbers.number(view.getBlock())))
      .plus(Form(Int(-2)));
}
