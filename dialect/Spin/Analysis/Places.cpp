// See Places.h.
#include "dialect/Spin/Analysis/Places.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spinc::spin;

/// Stands for the bytes of the packet, of which a handler has one.
static const char packetObject = 0;

static std::optional<int64_t> constantOf(Value value) {
  llvm::APInt number;
  if (value && matchPattern(value, m_ConstantInt(&number)))
    return int64_t(number.getZExtValue());
  // The length of a part that lies between two constants.
  auto difference =
      value ? value.getDefiningOp<arith::SubIOp>() : arith::SubIOp();
  if (!difference)
    return std::nullopt;
  std::optional<int64_t> from = constantOf(difference.getRhs());
  std::optional<int64_t> to = constantOf(difference.getLhs());
  if (!from || !to || *to < *from)
    return std::nullopt;
  return *to - *from;
}

bool Place::mayOverlap(const Place &other) const {
  if (!object || !other.object)
    return true;
  return object == other.object && low < other.high && other.low < high;
}

Place spinc::spin::partOf(const Place &place, Value offset, int64_t scale,
                          std::optional<int64_t> bytes) {
  Place part = place;
  std::optional<int64_t> distance = constantOf(offset);
  if (!place.first || !distance) {
    part.first = std::nullopt;
    return part;
  }
  part.first = *place.first + *distance * scale;
  part.low = *part.first;
  if (bytes)
    part.high = std::min(part.high, *part.first + *bytes);
  return part;
}

Place spinc::spin::placeOfField(Operation *op) {
  Place place;
  auto field = op->getAttrOfType<FlatSymbolRefAttr>("field");
  // Attributes are unique, so the name is the field.
  place.object = field.getAttr().getAsOpaquePointer();
  auto context = op->getParentOfType<ContextOp>();
  auto state = context ? context.lookupSymbol<StateOp>(field) : StateOp();
  place.space = state ? state.getSpace() : MemorySpace::StateL1;
  place.ofHpu = state && state.getKind() == StateKind::PerHpu;
  place.isCopy = isa<StateCopyOp>(op);
  return place;
}

Place spinc::spin::placeOf(Value slice) {
  Place place;
  place.space = cast<SliceType>(slice.getType()).getSpace();
  place.ofHpu = place.space == MemorySpace::Local;
  Operation *op = slice.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(slice)) {
    auto pieces = dyn_cast<ForPiecesOp>(argument.getOwner()->getParentOp());
    if (!pieces)
      return place;
    place = placeOf(pieces.getData());
    place.first = std::nullopt;
    return place;
  }
  if (isa_and_nonnull<PacketBytesOp>(op)) {
    place.object = &packetObject;
    return place;
  }
  if (isa_and_nonnull<StateSliceOp, StateCopyOp>(op))
    return placeOfField(op);
  if (auto view = dyn_cast_or_null<ViewAsOp>(op))
    return placeOf(view.getSlice());
  if (auto cut = dyn_cast_or_null<SubsliceOp>(op)) {
    int64_t bytes = cast<SliceType>(slice.getType()).getElementBytes();
    std::optional<int64_t> length = constantOf(cut.getLength());
    if (length)
      *length *= bytes;
    return partOf(placeOf(cut.getSlice()), cut.getOffset(), bytes, length);
  }
  if (isa_and_nonnull<LocalOp, TableSliceOp>(op)) {
    place.object = slice.getAsOpaquePointer();
    return place;
  }
  if (auto member = dyn_cast_or_null<MemberOp>(op)) {
    int64_t record = member.getSlice().getType().getElementBytes();
    place =
        partOf(placeOf(member.getSlice()), member.getIndex(), record, record);
    if (!place.first)
      return place;
    // All of it lies within the record.
    place.low = *place.first += member.getOffset();
    place.high = std::min(place.high,
                          place.low + int64_t(member.getCount()) *
                                          member.getType().getElementBytes());
    return place;
  }
  // Anything else, such as one of two slices: any object of the space.
  place.first = std::nullopt;
  return place;
}
