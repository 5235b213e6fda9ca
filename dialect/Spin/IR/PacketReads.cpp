// What loads of the packet give: the matching rules speak of the packet as it
// arrived, and two loads of the same bytes give the same number as long as
// nothing writes the packet in between.
#include "dialect/Spin/IR/Numbers.h"
#include "runtime/abi/portals.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::meaning;

/// Notes what may write the packet, in this handler and in earlier ones. A copy
/// from the host goes on after the operation that starts it.
void Numbers::notePacketWrites() {
  for (HandlerOp other : context.getBody().getOps<HandlerOp>()) {
    if (other != handler && other.getKind() >= handler.getKind())
      continue;
    other.walk([&](Operation *op) {
      bool writes = false, stays = true;
      if (auto store = dyn_cast<StoreOp>(op))
        writes = store.getSlice().getType().isInPacket();
      else if (auto store = dyn_cast<WireStoreOp>(op))
        writes = store.getSlice().getType().isInPacket();
      else if (auto call = dyn_cast<CallOp>(op))
        writes = call.mayWritePacket();
      else if (auto copy = dyn_cast<DmaFromHostOp>(op))
        stays = !copy.getDest().getType().isInPacket();
      else
        stays = isa<MeaningOpInterface>(op) || op == other;
      if (other == handler && writes)
        writers.push_back(op);
      packetIsStable &= other != handler || stays;
      packetIsFresh &=
          other.getKind() >= handler.getKind() || (stays && !writes);
    });
  }
}

/// Whether `writer` may run after `from` and before `to`.
bool Numbers::isReached(Operation *writer, Operation *from,
                        Operation *to) const {
  unsigned place = order.lookup(writer);
  bool isBetween = place > order.lookup(from) && place < order.lookup(to);
  for (Operation *loop = to->getParentOp(); loop != handler;
       loop = loop->getParentOp())
    isBetween |= !isa<scf::IfOp>(loop) && loop->isAncestor(writer) &&
                 !loop->isAncestor(from);
  return isBetween;
}

bool Numbers::isOverwritten(Operation *from, Operation *to) const {
  return llvm::any_of(
      writers, [&](Operation *writer) { return isReached(writer, from, to); });
}

/// Whether what is loaded of the packet is what arrived.
bool Numbers::isPristine(Value loaded) const {
  return packetIsFresh && !isOverwritten(handler, loaded.getDefiningOp());
}

std::optional<std::pair<Form, ByteOrder>> Numbers::packetPlace(Value loaded) {
  Value root;
  Form offset;
  ByteOrder byteOrder{};
  if (auto load = loaded.getDefiningOp<WireLoadOp>()) {
    std::tie(root, offset) = start(load.getSlice());
    offset = offset.plus(number(load.getOffset()));
    byteOrder = load.getOrder();
  } else if (auto load = loaded.getDefiningOp<LoadOp>()) {
    std::tie(root, offset) = start(load.getSlice());
    offset = offset.plus(number(load.getIndex()),
                         Int(load.getSlice().getType().getElementBytes()));
    byteOrder = load.getOrder();
  }
  if (!root || !root.getDefiningOp<PacketBytesOp>() || !packetIsStable)
    return std::nullopt;
  return std::pair(offset, byteOrder);
}

Constraints Numbers::matched(Value loaded) {
  Constraints result;
  auto place = packetPlace(loaded);
  if (!place || !isPristine(loaded))
    return result;
  result = inMessage(loaded, place->first, place->second);
  unsigned width = loaded.getType().getIntOrFloatBitWidth(), low, size;
  if (!place->first.isConstant() ||
      (place->second != ByteOrder::Big && width != 8))
    return result;
  for (Attribute attribute : context.getMatch()) {
    auto rule = cast<MatchRuleAttr>(attribute);
    if (place->first.constant != int64_t(rule.getOffset()) ||
        rule.getWidth() * 8 != width ||
        !llvm::APInt(width, rule.getMask()).isShiftedMask(low, size))
      continue;
    Form bits = quotient(number(loaded), powerOfTwo(low));
    if (low + size != width)
      bits = bits.plus(quotient(bits, powerOfTwo(size)), -powerOfTwo(size));
    llvm::append_range(result,
                       within(bits.times(powerOfTwo(low)),
                              {Int(rule.getMin()), Int(rule.getMax())}));
  }
  return result;
}

/// msg-1: a message is as long as its first packet says, which the header
/// handler sees; the payload of each packet lies within it.
Constraints Numbers::inMessage(Value loaded, const Form &place,
                               ByteOrder byteOrder) {
  HandlerKind kind = handler.getKind();
  if (context.getLink() != Link::Portals || !place.isConstant() ||
      !loaded.getType().isInteger(32) || byteOrder != ByteOrder::Little)
    return {};
  if (kind == HandlerKind::Header && place.constant == PORTALS_MESSAGE_LENGTH)
    return {{number(loaded).minus(messageBytes()), true}};
  if (kind == HandlerKind::Payload && place.constant == PORTALS_OFFSET)
    return {
        notBelow(messageBytes(), number(loaded)
                                     .plus(packetBytes())
                                     .plus(Form(Int(-PORTALS_HEADER_BYTES))))};
  return {};
}

Constraints Numbers::sameBytes(Value first, Value second) {
  Operation *from = first.getDefiningOp(), *to = second.getDefiningOp();
  if (from && to && order[to] < order[from])
    std::swap(from, to);
  auto field = dyn_cast_or_null<StateLoadOp>(from);
  auto again = dyn_cast_or_null<StateLoadOp>(to);
  if (field && again && isSameField(field, again))
    return {{number(first).minus(number(second)), true}};
  auto one = packetPlace(first), other = packetPlace(second);
  if (!one || !other || first.getType() != second.getType() ||
      (one->second != other->second && !first.getType().isInteger(8)))
    return {};
  Form apart = one->first.minus(other->first);
  if (!apart.isConstant() || apart.constant != 0 || isOverwritten(from, to))
    return {};
  return {{number(first).minus(number(second)), true}};
}
