// The frame of a handler: its prologue, and what statements have in common.
#include "compiler/IRGen/HandlerGenerator.h"

#include "llvm/ADT/SetVector.h"

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

/// pkt-2: a payload handler sees only packets that hold all headers; shorter
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
      locationOf(builder.getContext(), handler.decl->parameter->range,
                 handler.decl->parameter->name.text + ".all.length"),
      builder.getI32Type(), packetBytes);
  if (handler.kind != sema::HandlerKind::Payload ||
      headerBytes <= contextOp.getGuaranteedBytes())
    return;
  Value needed = constant(at, headerBytes);
  Value enough = arith::CmpIOp::create(builder, at, arith::CmpIPredicate::uge,
                                       packetSize, needed);
  spin::RequireOp::create(builder, at, enough, spin::ReturnCode::Drop);
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

namespace {

/// Collects the variables that a statement assigns and those it declares.
struct AssignmentCollector {
  llvm::SetVector<const ast::LocalDecl *> assigned;
  llvm::DenseSet<const ast::LocalDecl *> declared;

  void visit(const ast::Stmt *stmt);
};

} // namespace

void AssignmentCollector::visit(const ast::Stmt *stmt) {
  if (!stmt)
    return;
  if (const auto *block = llvm::dyn_cast<ast::BlockStmt>(stmt)) {
    for (const ast::StmtPtr &child : block->statements)
      visit(child.get());
  } else if (const auto *declare = llvm::dyn_cast<ast::DeclareStmt>(stmt)) {
    declared.insert(declare->local.get());
  } else if (const auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt)) {
    if (const auto *target =
            llvm::dyn_cast<ast::NameExpr>(assign->target.get()))
      if (const auto *local =
              llvm::dyn_cast_or_null<ast::LocalDecl>(target->decl))
        assigned.insert(local);
  } else if (const auto *branch = llvm::dyn_cast<ast::IfStmt>(stmt)) {
    visit(branch->thenBody.get());
    visit(branch->elseBody.get());
  } else if (const auto *each = llvm::dyn_cast<ast::ForEachStmt>(stmt)) {
    visit(each->body.get());
    visit(each->tailBody.get());
  } else if (const auto *range = llvm::dyn_cast<ast::ForRangeStmt>(stmt)) {
    visit(range->body.get());
  } else if (const auto *loop = llvm::dyn_cast<ast::WhileStmt>(stmt)) {
    visit(loop->body.get());
  } else if (const auto *wrap = llvm::dyn_cast<ast::WrappingStmt>(stmt)) {
    visit(wrap->body.get());
  }
}

HandlerGenerator::Variables
HandlerGenerator::assignedIn(const ast::Stmt &stmt) const {
  AssignmentCollector collector;
  collector.visit(&stmt);
  Variables result;
  for (const ast::LocalDecl *local : collector.assigned)
    if (!collector.declared.contains(local))
      result.push_back(local);
  return result;
}

SmallVector<Value>
HandlerGenerator::valuesOf(const Variables &variables) const {
  SmallVector<Value> values;
  for (const ast::LocalDecl *variable : variables)
    values.push_back(bindings.lookup(variable).value);
  return values;
}

void HandlerGenerator::bind(const Variables &variables, ValueRange values) {
  for (auto [variable, value] : llvm::zip_equal(variables, values))
    bindings[variable] = {value, {}};
}
