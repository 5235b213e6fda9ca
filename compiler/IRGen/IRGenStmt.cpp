// Statements. Structured control flow becomes scf; variables that it assigns
// become its results.
#include "compiler/IRGen/HandlerGenerator.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

bool HandlerGenerator::emit(const ast::Stmt &stmt) {
  switch (stmt.kind) {
  case ast::StmtKind::Block:
    return emitBlock(llvm::cast<ast::BlockStmt>(stmt));
  case ast::StmtKind::Declare:
    emitDeclare(llvm::cast<ast::DeclareStmt>(stmt));
    return false;
  case ast::StmtKind::Assign:
    emitAssign(llvm::cast<ast::AssignStmt>(stmt));
    return false;
  case ast::StmtKind::Expression: {
    const auto &expr = *llvm::cast<ast::ExprStmt>(stmt).expr;
    emitCall(llvm::cast<ast::CallExpr>(expr));
    return false;
  }
  case ast::StmtKind::If:
    return emitIf(llvm::cast<ast::IfStmt>(stmt));
  case ast::StmtKind::ForEach:
    emitForEach(llvm::cast<ast::ForEachStmt>(stmt));
    return false;
  case ast::StmtKind::ForRange:
    emitForRange(llvm::cast<ast::ForRangeStmt>(stmt));
    return false;
  case ast::StmtKind::Require: {
    const auto &require = llvm::cast<ast::RequireStmt>(stmt);
    emitRequire(*require.condition, returnCode(*require.result));
    return false;
  }
  case ast::StmtKind::Return:
    emitReturn(loc(stmt.range),
               returnCode(*llvm::cast<ast::ReturnStmt>(stmt).result));
    return true;
  case ast::StmtKind::Wrapping: {
    llvm::SaveAndRestore<bool> inside(wrapping, true);
    return emit(*llvm::cast<ast::WrappingStmt>(stmt).body);
  }
  default:
    llvm_unreachable("Sema refuses statements that are not lowered");
  }
}

bool HandlerGenerator::emitBlock(const ast::BlockStmt &stmt) {
  for (const ast::StmtPtr &child : stmt.statements)
    if (emit(*child))
      return true;
  return false;
}

void HandlerGenerator::emitReturn(Location at, spin::ReturnCode code) {
  spin::ExitOp::create(builder, at, code);
}

/// One requirement per conjunct: each may rely on those before it.
void HandlerGenerator::emitRequire(const ast::Expr &condition,
                                   spin::ReturnCode code) {
  const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(&condition);
  if (binary && binary->op == ast::BinaryOp::And) {
    emitRequire(*binary->left, code);
    emitRequire(*binary->right, code);
    return;
  }
  Value holds = emitScalar(condition);
  spin::RequireOp::create(builder, loc(condition.range), holds, code);
}

void HandlerGenerator::emitDeclare(const ast::DeclareStmt &stmt) {
  const ast::LocalDecl &local = *stmt.local;
  Value value;
  if (!local.init)
    value = constant(loc(stmt.range), 0,
                     scalarType(builder.getContext(), local.type).getWidth());
  else if (local.type->is(sema::TypeKind::Slice) ||
           local.type->is(sema::TypeKind::View))
    value = emitSlice(*local.init);
  else if (local.type->is(sema::TypeKind::Command))
    value = emitCall(llvm::cast<ast::CallExpr>(*local.init));
  else
    value = emitAs(*local.init, local.type);
  bindings[&local] = {name(local, value), {}};
}

void HandlerGenerator::emitAssign(const ast::AssignStmt &stmt) {
  const ast::Expr &target = *stmt.target;
  Value value;
  if (stmt.op) {
    Value left = emitScalar(target);
    Value right = emitAs(*stmt.value, target.type);
    value = emitArithmetic(loc(stmt.range), *stmt.op, left, right,
                           isSigned(target.type));
  } else {
    value = emitAs(*stmt.value, target.type);
  }
  if (const auto *named = llvm::dyn_cast<ast::NameExpr>(&target)) {
    bindings[named->decl] = {name(*named->decl, value), {}};
    return;
  }
  emitStore(target, value);
}

bool HandlerGenerator::emitIf(const ast::IfStmt &stmt) {
  Value condition = emitScalar(*stmt.condition);
  Variables carried = assignedIn(stmt);
  SmallVector<Value> before = valuesOf(carried);
  auto op = scf::IfOp::create(
      builder, loc(stmt.range), ValueRange(before).getTypes(), condition,
      /*withElseRegion=*/stmt.elseBody || !carried.empty());
  // A branch that leaves the handler still yields; its values are never read.
  auto branch = [&](Block *block, const ast::Stmt *body) {
    OpBuilder::InsertionGuard guard(builder);
    bind(carried, before);
    if (!block->empty())
      block->getTerminator()->erase();
    builder.setInsertionPointToEnd(block);
    bool ended = body && emit(*body);
    scf::YieldOp::create(builder, loc(stmt.range), valuesOf(carried));
    return ended;
  };
  bool thenEnds = branch(op.thenBlock(), stmt.thenBody.get());
  bool elseEnds = op.elseBlock() && branch(op.elseBlock(), stmt.elseBody.get());
  bind(carried, op.getResults());
  return thenEnds && elseEnds;
}

/// A loop over `lower … upper` by `step`; `element` makes the variable's value
/// from the index.
void HandlerGenerator::emitCountedLoop(
    const ast::Stmt &stmt, const ast::Stmt &body,
    const ast::LocalDecl &variable, Value lower, Value upper, Value step,
    llvm::function_ref<Value(Value)> element) {
  Variables carried = assignedIn(body);
  auto op = scf::ForOp::create(builder, loc(stmt.range), lower, upper, step,
                               valuesOf(carried), nullptr,
                               /*unsignedCmp=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = op.getBody();
    if (!block->empty())
      block->getTerminator()->erase();
    builder.setInsertionPointToEnd(block);
    op.getInductionVar().setLoc(
        locationOf(builder.getContext(), variable.range, variable.name.text));
    bind(carried, op.getRegionIterArgs());
    bindings[&variable] = {name(variable, element(op.getInductionVar())), {}};
    emit(body);
    scf::YieldOp::create(builder, loc(stmt.range), valuesOf(carried));
  }
  bind(carried, op.getResults());
}

void HandlerGenerator::emitForRange(const ast::ForRangeStmt &stmt) {
  Location at = loc(stmt.range);
  const sema::Type *type = stmt.variable->type;
  Value lower = emitAs(*stmt.begin, type);
  Value upper = emitAs(*stmt.extent, type);
  if (stmt.form == ast::RangeForm::Length)
    upper = arith::AddIOp::create(builder, at, lower, upper,
                                  arith::IntegerOverflowFlags::nuw);
  unsigned bits = scalarType(builder.getContext(), type).getWidth();
  Value step = stmt.step ? emitAs(*stmt.step, type) : constant(at, 1, bits);
  emitCountedLoop(stmt, *stmt.body, *stmt.variable, lower, upper, step,
                  [](Value index) { return index; });
}

void HandlerGenerator::emitForEach(const ast::ForEachStmt &stmt) {
  if (stmt.iterable->type->is(sema::TypeKind::Pieces))
    emitForPieces(stmt);
  else
    emitForElements(stmt);
}

void HandlerGenerator::emitForElements(const ast::ForEachStmt &stmt) {
  Location at = loc(stmt.range);
  Value slice = emitSlice(*stmt.iterable);
  Value length = spin::SliceLengthOp::create(builder, loc(stmt.iterable->range),
                                             builder.getI32Type(), slice);
  const auto *type = sema::as<sema::SliceType>(stmt.iterable->type);
  const sema::Type *elementType = type->element;
  IntegerType stored = scalarType(builder.getContext(), elementType);
  emitCountedLoop(stmt, *stmt.body, *stmt.variable, constant(at, 0), length,
                  constant(at, 1), [&](Value index) -> Value {
                    Value value = spin::LoadOp::create(
                        builder, loc(stmt.variable->range), stored, slice,
                        index, byteOrder(elementType), spin::ProofAttr());
                    return convert(loc(stmt.variable->range), value,
                                   shapeOf(elementType),
                                   shapeOf(stmt.variable->type),
                                   /*exact=*/true);
                  });
}

void HandlerGenerator::emitForPieces(const ast::ForEachStmt &stmt) {
  const auto &call = llvm::cast<ast::CallExpr>(*stmt.iterable);
  const auto &callee = llvm::cast<ast::FieldExpr>(*call.callee);
  Value view = emitSlice(*callee.base);
  Value offset = emitU32(argument(call, 0));
  Value data = emitSlice(argument(call, 1));
  Variables carried = assignedIn(*stmt.body);
  SmallVector<Value> before = valuesOf(carried);
  auto op = spin::ForPiecesOp::create(builder, loc(stmt.range),
                                      ValueRange(before).getTypes(), view,
                                      offset, data, before, spin::ProofAttr());
  {
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<mlir::Type> types = {byteSlice(spin::MemorySpace::Host),
                                     data.getType()};
    llvm::append_range(types, ValueRange(before).getTypes());
    SmallVector<Location> places(types.size(), loc(stmt.variable->range));
    Block *block = builder.createBlock(&op.getBody(), {}, types, places);
    bindings[stmt.variable.get()] = {block->getArgument(0),
                                     block->getArgument(1)};
    bind(carried, block->getArguments().drop_front(2));
    emit(*stmt.body);
    spin::YieldOp::create(builder, loc(stmt.range), valuesOf(carried));
  }
  bind(carried, op.getResults());
}
