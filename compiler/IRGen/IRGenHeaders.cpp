// Headers that say themselves how long they are (pkt-9): the prologue reads
// their sizes, checks that the packet holds them, and keeps where they end.
#include "compiler/IRGen/HandlerGenerator.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

static Value addBytes(OpBuilder &builder, Location at, Value a, Value b) {
  return arith::AddIOp::create(builder, at, a, b,
                               arith::IntegerOverflowFlags::nuw);
}

static Value subtractBytes(OpBuilder &builder, Location at, Value a, Value b) {
  return arith::SubIOp::create(builder, at, a, b,
                               arith::IntegerOverflowFlags::nuw);
}

/// The byte `offset` behind header `after`, or behind the packet's start.
Value HandlerGenerator::behindHeader(Location at, int after, unsigned offset) {
  // The place is not what is read there.
  if (auto named = dyn_cast<NameLoc>(at))
    at = NameLoc::get(
        builder.getStringAttr("offset of " + named.getName().strref()),
        named.getChildLoc());
  Value bytes = constant(at, offset);
  if (after < 0)
    return bytes;
  Value end = runTimeHeaders.at(after).end;
  return offset == 0 ? end : addBytes(builder, at, end, bytes);
}

/// The size that the packet gives for a header.
Value HandlerGenerator::emitHeaderSize(Location at,
                                       const sema::PacketHeader &header) {
  const sema::HeaderType &type = *header.type;
  const sema::HeaderField &field = *type.sizeField;
  bindings[field.decl] = {readField(fieldPlace(header, field), field.value, at,
                                    "p." + header.name + "." + field.name),
                          {}};
  Value size = emitU32(*type.sized);
  bindings.erase(field.decl);
  return size;
}

void HandlerGenerator::emitDropUnless(Location at, Value large, Value small) {
  Value holds = arith::CmpIOp::create(builder, at, arith::CmpIPredicate::uge,
                                      large, small);
  spin::RequireOp::create(builder, at, holds, spin::ReturnCode::Drop);
}

/// bnd-11: whatever a packet says, it holds the headers after this. Before each
/// step it holds what is known of them, with the least size of the rest.
void HandlerGenerator::emitHeaderSizes() {
  if (!context.packet.hasRunTimeSize())
    return;
  Location at = loc(handler.decl->parameter->range,
                    "the packet holds headers as long as it says");
  const std::vector<sema::PacketHeader> &headers = context.packet.headers;
  int last = -1;
  unsigned behindLast = 0;
  for (unsigned i = 0; i < headers.size(); ++i) {
    const sema::PacketHeader &header = headers[i];
    behindLast += header.bytes;
    if (!header.isRunTime) {
      emitHeaderChecks(header);
      continue;
    }
    unsigned others = 0;
    for (unsigned j = i + 1; j < headers.size(); ++j)
      others += headers[j].bytes;
    Value start = behindHeader(at, header.after, header.offset);
    Value size = header.isChoice() ? Value() : emitHeaderSize(at, header);
    if (header.checksSize)
      emitDropUnless(at, size, constant(at, header.bytes));
    Value room = subtractBytes(builder, at, packetSize, start);
    if (others != 0)
      room = subtractBytes(builder, at, room, constant(at, others));
    if (header.isChoice()) {
      Value selector = emitSelector(at, i, header.alternatives[0].follows);
      for (const sema::PacketHeader &alternative : header.alternatives)
        choices[i].push_back(arith::CmpIOp::create(
            builder, at, arith::CmpIPredicate::eq, selector,
            constant(at, alternative.follows[0].value, 64)));
      size = emitChosenSize(at, i, 0, room);
    }
    emitDropUnless(at, room, size);
    runTimeHeaders[i] = {addBytes(builder, at, start, size), size};
    emitHeaderChecks(header);
    last = i;
    behindLast = 0;
  }
  readHeaderBytes = spin::HeaderBytesOp::create(
      builder, at, builder.getI32Type(), behindHeader(at, last, behindLast),
      builder.getI32IntegerAttr(context.packet.maxHeaderBytes));
}

/// The bytes in front of the payload.
Value HandlerGenerator::emitHeaderBytes(Location at) {
  return readHeaderBytes ? readHeaderBytes : constant(at, headerBytes);
}

/// pkt-10: what a sized header has behind its fields.
Value HandlerGenerator::emitHeaderRest(const ast::FieldExpr &expr) {
  Location at = loc(expr.range);
  const sema::PacketHeader *header = &packetHeader(*expr.base);
  unsigned fixed = header->type->fixedBytes;
  Value length = constant(at, header->bytes - fixed);
  if (header->isRunTime) {
    // An alternative has the size of the place that it is in.
    int index =
        context.packet.find(header->name) - context.packet.headers.data();
    length = subtractBytes(builder, at, runTimeHeaders.at(index).size,
                           constant(at, fixed));
  }
  return spin::SubsliceOp::create(
      builder, at, packetBytes.getType(), packetBytes,
      behindHeader(at, header->after, header->offset + fixed), length,
      spin::ProofAttr());
}
