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
  Operation *op = value.getDefiningOp();
  if (!op || isa<arith::ConstantOp>(op))
    return value;
  Location at = op->getLoc();
  if (auto named = dyn_cast<NameLoc>(at)) {
    if (!namedByText.erase(op))
      return value;
    at = named.getChildLoc();
  }
  op->setLoc(NameLoc::get(builder.getStringAttr(decl.name.text), at));
  return value;
}

/// Calls what `expr` has just computed by the text that says how, until it gets
/// a name.
Value HandlerGenerator::nameByText(const ast::Expr &expr, Value value) {
  constexpr size_t longest = 40;
  StringRef text = expr.range.text();
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1 || isa<arith::ConstantOp>(op) ||
      op->getLoc() != loc(expr.range) || text.size() > longest ||
      text.contains('\n'))
    return value;
  op->setLoc(loc(expr.range, text));
  namedByText.insert(op);
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
