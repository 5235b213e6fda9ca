// The frame of a handler: its prologue, and what statements have in common.
#include "compiler/IRGen/HandlerGenerator.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

void HandlerGenerator::generate(spin::HandlerOp op) {
  OpBuilder::InsertionGuard guard(builder);
  MLIRContext *mlir = builder.getContext();
  mlir::Type argumentType = handler.kind == sema::HandlerKind::Payload
                                ? mlir::Type(spin::PacketType::get(mlir))
                                : mlir::Type(spin::MessageType::get(mlir));
  Block *entry = builder.createBlock(&op.getBody(), {}, {argumentType},
                                     {loc(handler.decl->parameter->range)});
  emitPrologue(entry->getArgument(0));
  prologueEnd = &entry->back();
  readsOnce = !effectsOf(handler.decl->body.get()).storesPacket;
  // A handler whose every path returns early still needs a terminator.
  if (!emitBlock(*handler.decl->body))
    spin::ReturnOp::create(builder, loc(handler.decl->range),
                           handler.kind == sema::HandlerKind::Header
                               ? spin::ReturnCode::ProcessData
                               : spin::ReturnCode::Success);
  Operation *last = &entry->back();
  if (auto exit = dyn_cast<spin::ExitOp>(last)) {
    builder.setInsertionPointToEnd(entry);
    spin::ReturnOp::create(builder, exit.getLoc(), exit.getCode());
    exit.erase();
  } else if (!isa<spin::ReturnOp>(last)) {
    builder.setInsertionPointToEnd(entry);
    spin::ReturnOp::create(builder, loc(handler.decl->range),
                           spin::ReturnCode::Fail);
  }
}

/// bnd-11: a payload handler sees only packets that hold all headers; shorter
/// ones are dropped here, once.
void HandlerGenerator::emitPrologue(Value argument) {
  Location at = loc(handler.decl->parameter->range);
  auto contextOp =
      builder.getBlock()->getParentOp()->getParentOfType<spin::ContextOp>();
  headerBytes = contextOp.getHeaderBytes();
  packetBytes = spin::PacketBytesOp::create(
      builder, at, byteSlice(spin::MemorySpace::PacketL1), argument);
  packetSize = spin::SliceLengthOp::create(
      builder,
      loc(handler.decl->parameter->range,
          handler.decl->parameter->name.text + ".all.length"),
      builder.getI32Type(), packetBytes);
  // pkt-8: the header handler sees the user header.
  unsigned bytes = handler.kind == sema::HandlerKind::Payload ? headerBytes
                   : handler.kind == sema::HandlerKind::Header && context.user
                       ? headerBytes + context.user->size
                       : 0;
  if (bytes <= contextOp.getGuaranteedBytes())
    return;
  Value needed = constant(at, bytes);
  Value enough = arith::CmpIOp::create(builder, at, arith::CmpIPredicate::uge,
                                       packetSize, needed);
  spin::RequireOp::create(
      builder,
      loc(handler.decl->parameter->range, "the packet holds its headers"),
      enough, spin::ReturnCode::Drop);
  if (handler.kind == sema::HandlerKind::Payload)
    emitHeaderSizes();
}

Value HandlerGenerator::readHeader(Location loc, int after, unsigned offset,
                                   unsigned bits, spin::ByteOrder order,
                                   bool isConditional) {
  auto read = [&]() -> Value {
    return spin::WireLoadOp::create(
        builder, loc, builder.getIntegerType(bits), packetBytes,
        behindHeader(loc, after, offset), order, spin::ProofAttr());
  };
  if (!readsOnce || isConditional)
    return read();
  Value &value = headerReads[{after, offset, bits, unsigned(order)}];
  if (value)
    return value;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(prologueEnd);
  value = read();
  prologueEnd = value.getDefiningOp();
  return value;
}

Value HandlerGenerator::constant(Location loc, uint64_t value, unsigned bits) {
  return arith::ConstantOp::create(
      builder, loc,
      builder.getIntegerAttr(builder.getIntegerType(bits),
                             APInt(bits, value, false, true)));
}

/// Gives an SSA value the name that the user knows it by.
Value HandlerGenerator::name(const ast::Decl &decl, Value value) {
  if (Operation *op = value.getDefiningOp();
      op && !isa<arith::ConstantOp>(op) && !isa<NameLoc>(op->getLoc()))
    op->setLoc(
        NameLoc::get(builder.getStringAttr(decl.name.text), op->getLoc()));
  return value;
}

spin::ReturnCode HandlerGenerator::returnCode(const ast::Expr &expr) {
  switch (llvm::cast<ast::NameExpr>(expr).builtin) {
  case Builtin::ReturnSuccess:
    return spin::ReturnCode::Success;
  case Builtin::ReturnProcessData:
    return spin::ReturnCode::ProcessData;
  case Builtin::ReturnDrop:
    return spin::ReturnCode::Drop;
  case Builtin::ReturnFail:
    return spin::ReturnCode::Fail;
  default:
    llvm_unreachable("Sema refuses return codes that are not lowered");
  }
}

SmallVector<Value>
HandlerGenerator::valuesOf(const Variables &variables) const {
  SmallVector<Value> values;
  for (const ast::Decl *variable : variables)
    values.push_back(bindings.lookup(variable).value);
  return values;
}

void HandlerGenerator::bind(const Variables &variables, ValueRange values) {
  for (auto [variable, value] : llvm::zip_equal(variables, values))
    bindings[variable] = {value, {}};
}
