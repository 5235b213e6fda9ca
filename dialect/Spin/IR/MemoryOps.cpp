// Verifiers, folds, canonical forms and meaning of the operations on slices.
#include "dialect/Spin/IR/Numbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::meaning;

LogicalResult PacketBytesOp::verify() {
  SliceType type = getType();
  if (!type.getElement().isInteger(8) || !type.isInPacket())
    return emitOpError() << "gives i8 elements in packet memory, not " << type;
  return success();
}

LogicalResult ViewAsOp::verify() {
  SliceType from = getSlice().getType(), to = getType();
  if (!from.getElement().isInteger(8) || from.getSpace() != to.getSpace())
    return emitOpError() << "turns i8 elements into elements of the same "
                            "space, not "
                         << from << " into " << to;
  return success();
}

LogicalResult TableSliceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto module = (*this)->getParentOfType<ModuleOp>();
  auto table = symbols.lookupSymbolIn<TableOp>(module, getTableAttr());
  if (!table)
    return emitOpError() << "names " << getTableAttr()
                         << ", which is no spin.table";
  uint64_t bytes = uint64_t(getCount()) * getType().getElementBytes();
  if (bytes != table.getBytes().size())
    return emitOpError() << "has " << bytes << " bytes; " << getTableAttr()
                         << " has " << table.getBytes().size();
  return success();
}

LogicalResult MemberOp::verify() {
  SliceType from = getSlice().getType(), to = getType();
  uint64_t end = getOffset() + uint64_t(getCount()) * to.getElementBytes();
  if (from.getSpace() != to.getSpace() || end > from.getElementBytes())
    return emitOpError() << "gives " << getCount() << " elements of " << to
                         << " from byte " << getOffset()
                         << " on, which are not within an element of " << from;
  return success();
}

/// Checks that an element access moves a value of the element type.
static LogicalResult verifyElement(Operation *op, SliceType slice, Type value) {
  if (slice.getElement() != value)
    return op->emitOpError()
           << "moves " << value << " but elements are " << slice.getElement();
  return success();
}

/// Checks that an access at a byte offset has bytes to work on.
static LogicalResult verifyWire(Operation *op, SliceType slice, Type value) {
  if (!slice.getElement().isInteger(8))
    return op->emitOpError() << "needs a slice of i8, not " << slice;
  if (value.getIntOrFloatBitWidth() % 8 != 0 ||
      value.getIntOrFloatBitWidth() > 64)
    return op->emitOpError() << "moves whole bytes, at most 8, not " << value;
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyElement(*this, getSlice().getType(), getType());
}

LogicalResult StoreOp::verify() {
  return verifyElement(*this, getSlice().getType(), getValue().getType());
}

LogicalResult WireLoadOp::verify() {
  return verifyWire(*this, getSlice().getType(), getType());
}

LogicalResult WireStoreOp::verify() {
  return verifyWire(*this, getSlice().getType(), getValue().getType());
}

OpFoldResult SliceLengthOp::fold(FoldAdaptor) {
  if (auto cut = getSlice().getDefiningOp<SubsliceOp>())
    return cut.getLength();
  return {};
}

/// Number of elements of the field, array or record that `slice` is, if it is
/// one.
static std::optional<uint32_t> fieldCount(Value slice) {
  Operation *op = slice.getDefiningOp();
  if (auto local = dyn_cast_or_null<LocalOp>(op))
    return local.getCount();
  if (auto member = dyn_cast_or_null<MemberOp>(op))
    return member.getCount();
  if (auto table = dyn_cast_or_null<TableSliceOp>(op))
    return table.getCount();
  if (!isa_and_nonnull<StateSliceOp, StateCopyOp>(op))
    return std::nullopt;
  auto context = op->getParentOfType<ContextOp>();
  auto name = op->getAttrOfType<FlatSymbolRefAttr>("field");
  auto field = context ? context.lookupSymbol<StateOp>(name) : StateOp();
  if (!field)
    return std::nullopt;
  return field.getCount();
}

LogicalResult SliceLengthOp::canonicalize(SliceLengthOp op,
                                          PatternRewriter &rewriter) {
  if (auto host = op.getSlice().getDefiningOp<HostSliceOp>()) {
    rewriter.replaceOpWithNewOp<HostSizeOp>(op, host.getRegionAttr());
    return success();
  }
  std::optional<uint32_t> count = fieldCount(op.getSlice());
  if (!count)
    return failure();
  rewriter.replaceOpWithNewOp<arith::ConstantIntOp>(op, op.getType(), *count);
  return success();
}

/// All of a slice is the slice.
OpFoldResult SubsliceOp::fold(FoldAdaptor) {
  auto length = getLength().getDefiningOp<SliceLengthOp>();
  if (length && length.getSlice() == getSlice() &&
      matchPattern(getOffset(), m_Zero()))
    return getSlice();
  return {};
}

// Meaning.

/// `count` elements from `index` on are within the slice.
static Obligations inside(Value slice, Value index, Int count,
                          Numbers &numbers) {
  return {Obligation::notBelow(numbers.length(slice),
                               numbers.number(index).plus(Form(count)))};
}

static Int bytesOf(Type type) { return Int(type.getIntOrFloatBitWidth() / 8); }

Obligations LoadOp::getObligations(Numbers &numbers) {
  return inside(getSlice(), getIndex(), Int(1), numbers);
}

Obligations StoreOp::getObligations(Numbers &numbers) {
  return inside(getSlice(), getIndex(), Int(1), numbers);
}

Obligations WireLoadOp::getObligations(Numbers &numbers) {
  return inside(getSlice(), getOffset(), bytesOf(getType()), numbers);
}

Obligations WireStoreOp::getObligations(Numbers &numbers) {
  return inside(getSlice(), getOffset(), bytesOf(getValue().getType()),
                numbers);
}

Obligations MemberOp::getObligations(Numbers &numbers) {
  return inside(getSlice(), getIndex(), Int(1), numbers);
}

Obligations SubsliceOp::getObligations(Numbers &numbers) {
  return {Obligation::notBelow(
      numbers.length(getSlice()),
      numbers.number(getOffset()).plus(numbers.number(getLength())))};
}

std::optional<Form> MemberOp::getLength(Value, Numbers &) {
  return Form(Int(getCount()));
}

std::optional<Form> LocalOp::getLength(Value, Numbers &) {
  return Form(Int(getCount()));
}

std::optional<Form> TableSliceOp::getLength(Value, Numbers &) {
  return Form(Int(getCount()));
}

std::optional<Form> PacketBytesOp::getLength(Value, Numbers &numbers) {
  return numbers.packetBytes();
}

std::optional<Form> SubsliceOp::getLength(Value, Numbers &numbers) {
  return numbers.number(getLength());
}

std::optional<Form> ViewAsOp::getLength(Value, Numbers &numbers) {
  return numbers.quotient(numbers.bytes(getSlice()),
                          Int(getType().getElementBytes()));
}

std::optional<Form> HeaderBytesOp::getNumber(Value, bool isSigned,
                                             Numbers &numbers) {
  return isSigned ? std::nullopt : std::optional(numbers.number(getBytes()));
}

std::optional<Form> SliceLengthOp::getNumber(Value, bool isSigned,
                                             Numbers &numbers) {
  return isSigned ? std::nullopt : std::optional(numbers.length(getSlice()));
}
