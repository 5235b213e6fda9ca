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
  Value bytes = constant(at, offset);
  if (after < 0)
    return bytes;
  Value end = runTimeHeaders.at(after).end;
  return offset == 0 ? end : addBytes(builder, at, end, bytes);
}

/// The size that the packet gives for header `index`.
Value HandlerGenerator::emitHeaderSize(Location at, unsigned index) {
  const sema::PacketHeader &header = context.packet.headers[index];
  const sema::HeaderType &type = *header.type;
  const sema::HeaderField &field = *type.sizeField;
  bindings[field.decl] = {readField(fieldPlace(header, field), field.value, at,
                                    "p." + header.name + "." + field.name),
                          {}};
  Value size = emitU32(*type.sized);
  bindings.erase(field.decl);
  return size;
}

/// bnd-11: whatever a packet says, it holds the headers after this. Before each
/// step it holds what is known of them, with the least size of the rest.
void HandlerGenerator::emitHeaderSizes() {
  if (!context.packet.hasRunTimeSize())
    return;
  Location at = loc(handler.decl->parameter->range,
                    "the packet holds headers as long as it says");
  auto require = [&](Value large, Value small) {
    Value holds = arith::CmpIOp::create(builder, at, arith::CmpIPredicate::uge,
                                        large, small);
    spin::RequireOp::create(builder, at, holds, spin::ReturnCode::Drop);
  };
  const std::vector<sema::PacketHeader> &headers = context.packet.headers;
  int last = -1;
  unsigned behindLast = 0;
  for (unsigned i = 0; i < headers.size(); ++i) {
    behindLast += headers[i].bytes;
    if (!headers[i].isRunTime)
      continue;
    unsigned others = 0;
    for (unsigned j = i + 1; j < headers.size(); ++j)
      others += headers[j].bytes;
    Value start = behindHeader(at, headers[i].after, headers[i].offset);
    Value size = emitHeaderSize(at, i);
    if (headers[i].checksSize)
      require(size, constant(at, headers[i].bytes));
    Value room = subtractBytes(builder, at, packetSize, start);
    if (others != 0)
      room = subtractBytes(builder, at, room, constant(at, others));
    require(room, size);
    runTimeHeaders[i] = {addBytes(builder, at, start, size), size};
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
  const auto &base = llvm::cast<ast::FieldExpr>(*expr.base);
  const sema::PacketHeader *header = context.packet.find(base.member.text);
  unsigned fixed = header->type->fixedBytes;
  Value length = constant(at, header->bytes - fixed);
  if (header->isRunTime) {
    int index = header - context.packet.headers.data();
    length = subtractBytes(builder, at, runTimeHeaders.at(index).size,
                           constant(at, fixed));
  }
  return spin::SubsliceOp::create(
      builder, at, packetBytes.getType(), packetBytes,
      behindHeader(at, header->after, header->offset + fixed), length,
      spin::ProofAttr());
}
