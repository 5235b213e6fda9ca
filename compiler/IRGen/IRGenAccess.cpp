// Memory: slices, header fields, state, and what packets and messages offer.
#include "compiler/IRGen/HandlerGenerator.h"

#include "runtime/abi/portals.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

spin::SliceType HandlerGenerator::byteSlice(spin::MemorySpace space) {
  return spin::SliceType::get(builder.getContext(), builder.getI8Type(), space);
}

spin::SliceType HandlerGenerator::stateSlice(const sema::StateField &field) {
  return spin::SliceType::get(
      builder.getContext(), stateType(builder.getContext(), field),
      field.space == sema::StateSpace::L1 ? spin::MemorySpace::StateL1
                                          : spin::MemorySpace::StateL2);
}

/// The state field that `expr` names, or null.
const sema::StateField *
HandlerGenerator::stateField(const ast::Expr &expr) const {
  const auto *field = llvm::dyn_cast<ast::FieldExpr>(&expr);
  return field && field->decl ? context.findState(field->decl) : nullptr;
}

//===-- Slices ------------------------------------------------------------===//

Value HandlerGenerator::emitSlice(const ast::Expr &expr) {
  Location at = loc(expr.range);
  if (expr.type->is(sema::TypeKind::Array) || stateField(expr))
    return emitArray(expr);
  switch (expr.kind) {
  case ast::ExprKind::Name: {
    const auto &named = llvm::cast<ast::NameExpr>(expr);
    if (context.host && named.decl == context.host->decl)
      return spin::HostSliceOp::create(
          builder, at, byteSlice(spin::MemorySpace::Host), context.host->name);
    return bindings.lookup(named.decl).value;
  }
  case ast::ExprKind::Field:
    return emitSliceField(llvm::cast<ast::FieldExpr>(expr));
  case ast::ExprKind::Slice:
    return emitSubslice(llvm::cast<ast::SliceExpr>(expr));
  case ast::ExprKind::Cast: {
    const auto &cast = llvm::cast<ast::CastExpr>(expr);
    Value bytes = emitSlice(*cast.operand);
    const auto *type = as<SliceType>(cast.type);
    return viewAs(at, bytes, type->element);
  }
  case ast::ExprKind::Call:
    return emitCall(llvm::cast<ast::CallExpr>(expr));
  default:
    llvm_unreachable("Sema gives no other expression a slice type");
  }
}

Value HandlerGenerator::emitSliceField(const ast::FieldExpr &expr) {
  switch (expr.builtin) {
  case Builtin::PacketAll:
    return packetBytes;
  case Builtin::PacketPayload:
    return emitPayload(loc(expr.range));
  case Builtin::PieceHost:
  case Builtin::PieceData: {
    const auto &piece = llvm::cast<ast::NameExpr>(*expr.base);
    Binding binding = bindings.lookup(piece.decl);
    return expr.builtin == Builtin::PieceHost ? binding.value : binding.data;
  }
  case Builtin::None:
    return emitHeaderRest(expr);
  default:
    llvm_unreachable("no other member is a slice");
  }
}

/// `p.length`: what follows the headers.
Value HandlerGenerator::emitPacketLength(Location at) {
  Value headers = emitHeaderBytes(at);
  Location named = NameLoc::get(builder.getStringAttr("p.length"), at);
  return arith::SubIOp::create(builder, named, packetSize, headers,
                               arith::IntegerOverflowFlags::nuw);
}

Value HandlerGenerator::emitPayload(Location at) {
  return spin::SubsliceOp::create(builder, at, packetBytes.getType(),
                                  packetBytes, emitHeaderBytes(at),
                                  emitPacketLength(at), spin::ProofAttr());
}

Value HandlerGenerator::emitSubslice(const ast::SliceExpr &expr) {
  Location at = loc(expr.range);
  Value base = emitSlice(*expr.base);
  Value begin = emitU32(*expr.begin);
  Value length = emitU32(*expr.extent);
  if (expr.form == ast::RangeForm::ToEnd)
    length = arith::SubIOp::create(builder, at, length, begin,
                                   arith::IntegerOverflowFlags::nuw);
  return spin::SubsliceOp::create(builder, at, base.getType(), base, begin,
                                  length, spin::ProofAttr());
}

//===-- Members that are scalars ------------------------------------------===//

Value HandlerGenerator::emitField(const ast::FieldExpr &expr) {
  if (isElement(expr))
    return emitElementLoad(expr);
  Location at = loc(expr.range);
  if (const sema::StateField *field = stateField(expr)) {
    IntegerType type = scalarType(builder.getContext(), field->type);
    Location named = loc(expr.range, field->name);
    if (field->kind == sema::StateKind::Param)
      return spin::ParamOp::create(builder, named, type, field->name);
    return spin::StateLoadOp::create(builder, named, type, field->name);
  }
  switch (expr.builtin) {
  case Builtin::None:
    return emitHeaderField(expr);
  case Builtin::PacketLength:
    return emitPacketLength(at);
  case Builtin::PacketOffset:
  case Builtin::MessageType:
  case Builtin::MessageLength:
  case Builtin::MessageSource:
  case Builtin::MessageMatchBits:
  case Builtin::MessageOffset:
  case Builtin::MessageHdrData:
    return emitMessageField(expr);
  case Builtin::SliceLength:
    return spin::SliceLengthOp::create(builder, at, builder.getI32Type(),
                                       emitSlice(*expr.base));
  case Builtin::ViewLength:
    return spin::StridedLengthOp::create(builder, at, builder.getI32Type(),
                                         emitSlice(*expr.base));
  case Builtin::HostSize:
    return spin::HostSizeOp::create(builder, at, builder.getI32Type(),
                                    context.host->name);
  case Builtin::HpuId:
    return spin::HpuIdOp::create(builder, at, builder.getI32Type());
  case Builtin::ClusterId:
    return spin::ClusterIdOp::create(builder, at, builder.getI32Type());
  case Builtin::HpuCount:
    return constant(at, hpus);
  case Builtin::ClusterCount:
    return constant(at, clusters);
  default:
    llvm_unreachable("Sema refuses members that are not lowered");
  }
}

/// Fields of the message header in front of every portals packet.
Value HandlerGenerator::emitMessageField(const ast::FieldExpr &expr) {
  unsigned offset, bits;
  switch (expr.builtin) {
  case Builtin::MessageMatchBits:
    offset = PORTALS_MATCH_BITS, bits = 64;
    break;
  case Builtin::MessageHdrData:
    offset = PORTALS_HDR_DATA, bits = 64;
    break;
  case Builtin::MessageLength:
    offset = PORTALS_MESSAGE_LENGTH, bits = 32;
    break;
  case Builtin::MessageSource:
    offset = PORTALS_SOURCE, bits = 32;
    break;
  case Builtin::MessageType:
    offset = PORTALS_TYPE, bits = 8;
    break;
  default:
    offset = PORTALS_OFFSET, bits = 32;
    break;
  }
  Location at = loc(expr.range);
  Location named = NameLoc::get(builder.getStringAttr(expr.range.text()), at);
  Value value = readHeader(named, -1, offset, bits, spin::ByteOrder::Little);
  return convert(at, value, {bits, false}, shapeOf(expr.type),
                 /*exact=*/true);
}

//===-- Header fields -----------------------------------------------------===//

/// `p.header.field`: the smallest power-of-two number of bytes that holds it,
/// and its distance from their least significant bit.
HandlerGenerator::FieldPlace
HandlerGenerator::fieldPlace(const ast::FieldExpr &expr) const {
  const sema::PacketHeader &header = packetHeader(*expr.base);
  return fieldPlace(header,
                    *header.type->find(llvm::cast<ast::FieldDecl>(expr.decl)));
}

/// The header of the packet that `expr` names: `p.udp`, or the variable of a
/// case.
const sema::PacketHeader &
HandlerGenerator::packetHeader(const ast::Expr &expr) const {
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(&expr))
    return *matched.lookup(name->decl);
  return *context.packet.find(llvm::cast<ast::FieldExpr>(expr).member.text);
}

HandlerGenerator::FieldPlace
HandlerGenerator::fieldPlace(const sema::PacketHeader &header,
                             const HeaderField &field) const {
  unsigned first = field.bitOffset / 8;
  unsigned end = (field.bitOffset + field.bitWidth + 7) / 8;
  unsigned bytes = end - first;
  unsigned shift = end * 8 - (field.bitOffset + field.bitWidth);
  const sema::PacketHeader *named = context.packet.find(header.name);
  return {&field, header.after, header.offset + first,
          bytes,  shift,        named != &header};
}

Value HandlerGenerator::emitHeaderField(const ast::FieldExpr &expr) {
  return readField(fieldPlace(expr), expr.type, loc(expr.range),
                   expr.range.text());
}

Value HandlerGenerator::readField(const FieldPlace &place,
                                  const sema::Type *fieldType, Location at,
                                  StringRef name) {
  Location named = NameLoc::get(builder.getStringAttr(name), at);
  IntegerType stored = builder.getIntegerType(place.bytes * 8);
  Value value =
      readHeader(named, place.after, place.byteOffset, stored.getWidth(),
                 place.field->order == ByteOrder::Big ? spin::ByteOrder::Big
                                                      : spin::ByteOrder::Little,
                 place.isConditional);
  if (place.shift != 0)
    value = arith::ShRUIOp::create(
        builder, at, value, constant(at, place.shift, stored.getWidth()));
  IntegerType type = scalarType(builder.getContext(), fieldType);
  if (isSigned(fieldType)) {
    if (place.field->bitWidth < stored.getWidth())
      value = arith::TruncIOp::create(
          builder, named, builder.getIntegerType(place.field->bitWidth), value);
    return extend(at, value, true, type.getWidth());
  }
  if (place.shift + place.field->bitWidth < stored.getWidth()) {
    Value mask = arith::ConstantOp::create(
        builder, at,
        builder.getIntegerAttr(
            stored,
            APInt::getLowBitsSet(stored.getWidth(), place.field->bitWidth)));
    value = arith::AndIOp::create(builder, named, value, mask);
  }
  if (type.getWidth() >= stored.getWidth())
    return extend(at, value, false, type.getWidth());
  // The mask has made the field fit.
  return arith::TruncIOp::create(builder, at, type, value);
}

void HandlerGenerator::emitHeaderFieldStore(const ast::FieldExpr &expr,
                                            Value value) {
  FieldPlace place = fieldPlace(expr);
  Location at = loc(expr.range);
  IntegerType stored = builder.getIntegerType(place.bytes * 8);
  spin::ByteOrder order = place.field->order == ByteOrder::Big
                              ? spin::ByteOrder::Big
                              : spin::ByteOrder::Little;
  Value offset = behindHeader(at, place.after, place.byteOffset);
  if (value.getType().getIntOrFloatBitWidth() > stored.getWidth())
    value = arith::TruncIOp::create(builder, at, stored, value);
  else
    value = extend(at, value, false, stored.getWidth());
  unsigned width = stored.getWidth();
  if (place.field->bitWidth < width) {
    APInt field = APInt::getBitsSet(width, place.shift,
                                    place.shift + place.field->bitWidth);
    auto bits = [&](const APInt &mask) -> Value {
      return arith::ConstantOp::create(builder, at,
                                       builder.getIntegerAttr(stored, mask));
    };
    Value old = spin::WireLoadOp::create(builder, at, stored, packetBytes,
                                         offset, order, spin::ProofAttr());
    old = arith::AndIOp::create(builder, at, old, bits(~field));
    value = arith::ShLIOp::create(builder, at, value,
                                  constant(at, place.shift, width));
    value = arith::AndIOp::create(builder, at, value, bits(field));
    value = arith::OrIOp::create(builder, at, old, value);
  }
  spin::WireStoreOp::create(builder, at, value, packetBytes, offset, order,
                            spin::ProofAttr());
}

//===-- Stores ------------------------------------------------------------===//

void HandlerGenerator::emitStore(const ast::Expr &target, Value value) {
  Location at = loc(target.range);
  if (isElement(target))
    return emitElementStore(at, emitElement(target), value, storedType(target));
  const auto &field = llvm::cast<ast::FieldExpr>(target);
  if (const sema::StateField *state = stateField(target))
    spin::StateStoreOp::create(builder, at, value, state->name);
  else
    emitHeaderFieldStore(field, value);
}
