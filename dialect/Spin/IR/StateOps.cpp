// Verifiers and meaning of the operations on state and on the executing HPU.
#include "dialect/Spin/IR/Numbers.h"

#include "runtime/abi/pspin.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::meaning;

LogicalResult AtomicRmwOp::verify() {
  SliceType slice = getSlice().getType();
  if (!slice.getElement().isInteger(32))
    return emitOpError() << "works on elements of i32, not " << slice;
  bool isCas = getKind() == AtomicKind::Cas;
  if (isCas != bool(getExpected()))
    return emitOpError() << "compares with an expected value for cas only";
  if (isCas && slice.getSpace() != MemorySpace::StateL2)
    return emitOpError() << "compares and swaps in state_l2 only";
  return success();
}

// Meaning.

static Form countOf(FlatSymbolRefAttr field, Numbers &numbers) {
  auto state = numbers.context.lookupSymbol<StateOp>(field.getAttr());
  return Form(Int(state.getCount()));
}

/// The argument of a `where` region is the parameter.
std::optional<Form> StateOp::getNumber(Value, bool isSigned, Numbers &numbers) {
  return isSigned ? std::nullopt
                  : std::optional(numbers.param(getSymNameAttr()));
}

std::optional<Form> ParamOp::getNumber(Value, bool isSigned, Numbers &numbers) {
  return isSigned ? std::nullopt
                  : std::optional(numbers.param(getFieldAttr().getAttr()));
}

std::optional<Form> StateLoadOp::getNumber(Value, bool isSigned,
                                           Numbers &numbers) {
  return isSigned ? std::nullopt
                  : numbers.fieldAt(*this, getFieldAttr().getAttr());
}

std::optional<Form> StateSliceOp::getLength(Value, Numbers &numbers) {
  return countOf(getFieldAttr(), numbers);
}

std::optional<Form> StateCopyOp::getLength(Value, Numbers &numbers) {
  return countOf(getFieldAttr(), numbers);
}

/// The numbers of the cards that a module is for; those of PsPIN if it does not
/// say.
static Form last(StringRef name, int64_t count, Numbers &numbers) {
  return Form(Int(numbers.moduleNumber(name, count) - 1));
}

/// One copy for each cluster or, of a per_hpu field, each HPU.
Obligations StateCopyOp::getObligations(Numbers &numbers) {
  auto state = numbers.context.lookupSymbol<StateOp>(getFieldAttr().getAttr());
  bool isPerHpu = state.getKind() == StateKind::PerHpu;
  int64_t copies = numbers.moduleNumber("spin.clusters", 4) *
                   (isPerHpu ? PSPIN_HPUS_PER_CLUSTER : 1);
  return {Obligation::notBelow(Form(Int(copies - 1)),
                               numbers.number(getCluster()))};
}

Constraints HpuIdOp::getAxioms(Value id, bool isSigned, Numbers &numbers) {
  if (isSigned)
    return {};
  return {notBelow(last("spin.hpus", 32, numbers), numbers.number(id))};
}

Constraints ClusterIdOp::getAxioms(Value id, bool isSigned, Numbers &numbers) {
  if (isSigned)
    return {};
  return {notBelow(last("spin.clusters", 4, numbers), numbers.number(id))};
}

Obligations AtomicRmwOp::getObligations(Numbers &numbers) {
  return {Obligation::notBelow(numbers.length(getSlice()),
                               numbers.number(getIndex()).plus(Form(Int(1))))};
}
