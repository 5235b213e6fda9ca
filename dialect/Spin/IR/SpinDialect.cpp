// Registration of the dialect, and the verifiers of its types and attributes.
#include "dialect/Spin/IR/SpinDialect.h"
#include "dialect/Spin/IR/Models.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace spinc::spin;

#include "dialect/Spin/IR/SpinEnums.cpp.inc"
#include "dialect/Spin/IR/SpinOpsDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/Spin/IR/SpinAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/Spin/IR/SpinOpsTypes.cpp.inc"

/// An enumeration attribute as its bare word. The attribute's own format puts
/// a space first, which the generic form needs.
template <typename EnumAttr>
static ParseResult parseWord(OpAsmParser &parser, EnumAttr &attr) {
  using Value = decltype(attr.getValue());
  FailureOr<Value> value = FieldParser<Value>::parse(parser);
  if (failed(value))
    return failure();
  attr = EnumAttr::get(parser.getContext(), *value);
  return success();
}

template <typename EnumAttr>
static void printWord(OpAsmPrinter &printer, Operation *, EnumAttr attr) {
  printer.getStream() << attr.getValue();
}

#include "dialect/Spin/IR/MeaningInterface.cpp.inc"

#define GET_OP_CLASSES
#include "dialect/Spin/IR/SpinOps.cpp.inc"

void SpinDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/Spin/IR/SpinAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/Spin/IR/SpinOpsTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/Spin/IR/SpinOps.cpp.inc"
      >();
  attachArithModels(getContext());
  attachLoopModels(getContext());
}

Operation *SpinDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

LogicalResult
MatchRuleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      uint32_t offset, uint32_t width, uint32_t mask,
                      uint32_t min, uint32_t max) {
  if (width != 1 && width != 2 && width != 4)
    return emitError() << "matching rule reads 1, 2 or 4 bytes, not " << width;
  if (min > max)
    return emitError() << "matching rule has min " << min << " above max "
                       << max;
  return success();
}

LogicalResult BoundAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                AffineMap map, ArrayRef<StringAttr> symbols) {
  if (map.getNumDims() != 0 || map.getNumResults() != 1)
    return emitError() << "bound needs a map of symbols to one result";
  if (map.getNumSymbols() != symbols.size())
    return emitError() << "bound has " << map.getNumSymbols()
                       << " symbols but names " << symbols.size();
  return success();
}

LogicalResult SliceType::verify(function_ref<InFlightDiagnostic()> emitError,
                                Type element, MemorySpace space) {
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer || !integer.isSignless() || integer.getWidth() % 8 != 0)
    return emitError()
           << "slice elements are signless integers of whole bytes, "
              "not "
           << element;
  return success();
}
