// Loops. One that counts is `scf.for`; one that has a condition, or that a
// `break` may end, is `scf.while`. Variables that the body assigns are carried.
#include "compiler/IRGen/HandlerGenerator.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace spinc;
using namespace spinc::irgen;

/// Opens the scope of a loop over `body`; `condition` and `bound` may be null.
HandlerGenerator::LoopFrame
HandlerGenerator::openLoop(const ast::Stmt &body, const ast::Expr *condition,
                           const ast::Expr *bound, Location at) {
  Effects effects = effectsOf(&body);
  // What breaks and continues in the body stays in this loop.
  Effects outside = effectsOf(&body, condition);
  outside.breaks = outside.continues = false;
  LoopFrame frame{at, carriedBy(outside), assignedIn({}, condition), Value(),
                  nullptr};
  if (bound)
    frame.limit = emitU32(*bound);
  JumpScope scope{JumpScope::Loop};
  if (mayJump(effects))
    scope.live = makeVariable("live");
  if (effects.breaks || (effects.returns && isInFunction())) {
    scope.running = makeVariable("running");
    bindings[scope.running] = {constant(at, 1, 1), {}};
    frame.carried.push_back(scope.running);
  }
  if (frame.limit) {
    frame.rounds = makeVariable("rounds");
    bindings[frame.rounds] = {constant(at, 0), {}};
    frame.carried.push_back(frame.rounds);
  }
  jumpScopes.push_back(scope);
  return frame;
}

/// A message names the variables of the program, not the flags.
Location HandlerGenerator::placeOf(const LoopFrame &frame,
                                   const ast::Decl &variable) {
  if (!variable.range.isValid())
    return frame.at;
  return NameLoc::get(builder.getStringAttr(variable.name.text), frame.at);
}

/// One round: `frame.carried` is bound before and after it.
void HandlerGenerator::emitRound(const LoopFrame &frame,
                                 const ast::Stmt &body) {
  if (const ast::Decl *live = jumpScopes.back().live)
    bindings[live] = {constant(frame.at, 1, 1), {}};
  if (frame.limit)
    emitLoopGuard(frame);
  emitSequence(&body);
  if (!frame.limit)
    return;
  Value next = arith::AddIOp::create(
      builder, frame.at, bindings.lookup(frame.rounds).value,
      constant(frame.at, 1), arith::IntegerOverflowFlags::nuw);
  bindings[frame.rounds] = {next, {}};
}

/// lop-5: the handler fails at the start of round n + 1.
void HandlerGenerator::emitLoopGuard(const LoopFrame &frame) {
  Value holds =
      arith::CmpIOp::create(builder, frame.at, arith::CmpIPredicate::ult,
                            bindings.lookup(frame.rounds).value, frame.limit);
  Location named = NameLoc::get(
      builder.getStringAttr("the loop begins no more rounds than bound() says"),
      frame.at);
  auto guard =
      spin::RequireOp::create(builder, named, holds, spin::ReturnCode::Fail);
  guard->setAttr(spin::loopGuardAttrName, builder.getUnitAttr());
  markRelease(guard);
}

/// What says whether the loop ran to its end; null if nothing stops it.
Value HandlerGenerator::closeLoop(const LoopFrame &frame, ValueRange results) {
  bind(frame.carried, results);
  const ast::Decl *running = jumpScopes.pop_back_val().running;
  return running ? bindings.lookup(running).value : Value();
}

/// A loop over `lower … upper` by `step`; `element` makes the variable's value
/// from the index.
Value HandlerGenerator::emitCountedLoop(
    const ast::Stmt &stmt, const ast::Stmt &body, const ast::Expr *bound,
    const ast::LocalDecl &variable, Value lower, Value upper, Value step,
    llvm::function_ref<Value(Value)> element) {
  LoopFrame frame = openLoop(body, nullptr, bound, loc(stmt.range));
  auto round = [&](Value index) {
    bindings[&variable] = {name(variable, element(index)), {}};
    emitRound(frame, body);
  };
  Location indexLoc = loc(variable.range, variable.name.text);
  if (jumpScopes.back().running) {
    SmallVector<Value> results = emitWhileLoop(
        frame, lower, indexLoc,
        [&](Value index) -> Value {
          return arith::CmpIOp::create(builder, frame.at,
                                       arith::CmpIPredicate::ult, index, upper);
        },
        [&](Value index) -> Value {
          round(index);
          return arith::AddIOp::create(builder, frame.at, index, step,
                                       arith::IntegerOverflowFlags::nuw);
        });
    return closeLoop(frame, results);
  }
  auto op = scf::ForOp::create(builder, frame.at, lower, upper, step,
                               valuesOf(frame.carried), nullptr,
                               /*unsignedCmp=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = op.getBody();
    if (!block->empty())
      block->getTerminator()->erase();
    builder.setInsertionPointToEnd(block);
    op.getInductionVar().setLoc(indexLoc);
    for (auto [variable, argument] :
         llvm::zip_equal(frame.carried, op.getRegionIterArgs()))
      argument.setLoc(placeOf(frame, *variable));
    bind(frame.carried, op.getRegionIterArgs());
    round(op.getInductionVar());
    scf::YieldOp::create(builder, frame.at, valuesOf(frame.carried));
  }
  return closeLoop(frame, op.getResults());
}

/// An `scf.while` that carries `index`, unless that is null, and the variables
/// of `frame`; `round` gives the next index. Returns the carried values after
/// the loop, without the index.
SmallVector<Value>
HandlerGenerator::emitWhileLoop(const LoopFrame &frame, Value index,
                                Location indexLoc,
                                llvm::function_ref<Value(Value)> condition,
                                llvm::function_ref<Value(Value)> round) {
  unsigned indices = index ? 1 : 0;
  SmallVector<Value> inits(indices, index);
  llvm::append_range(inits, valuesOf(frame.carried));
  SmallVector<mlir::Type> types(ValueRange(inits).getTypes());
  SmallVector<Location> places(indices, indexLoc);
  for (const ast::Decl *variable : frame.carried)
    places.push_back(placeOf(frame, *variable));
  auto op = scf::WhileOp::create(builder, frame.at, types, inits);
  OpBuilder::InsertionGuard guard(builder);
  auto open = [&](Region &region) {
    Block *block = builder.createBlock(&region, {}, types, places);
    bind(frame.carried, block->getArguments().drop_front(indices));
    return indices ? Value(block->getArgument(0)) : Value();
  };
  Value now = open(op.getBefore());
  Value holds = emitRunning(frame, [&] { return condition(now); });
  SmallVector<Value> values(indices, now);
  llvm::append_range(values, valuesOf(frame.carried));
  scf::ConditionOp::create(builder, frame.at, holds, values);

  Value next = round(open(op.getAfter()));
  values.assign(indices, next);
  llvm::append_range(values, valuesOf(frame.carried));
  scf::YieldOp::create(builder, frame.at, values);
  return SmallVector<Value>(op.getResults().drop_front(indices));
}

/// The condition of a loop, which is not asked once a jump has ended the loop.
Value HandlerGenerator::emitRunning(const LoopFrame &frame,
                                    llvm::function_ref<Value()> condition) {
  const ast::Decl *running = jumpScopes.back().running;
  if (!running)
    return condition();
  return emitChoice(frame.at, bindings.lookup(running).value,
                    builder.getI1Type(), frame.asked, condition,
                    [&] { return constant(frame.at, 0, 1); });
}

void HandlerGenerator::emitWhile(const ast::WhileStmt &stmt) {
  LoopFrame frame = openLoop(*stmt.body, stmt.condition.get(), stmt.bound.get(),
                             loc(stmt.range));
  SmallVector<Value> results = emitWhileLoop(
      frame, Value(), frame.at,
      [&](Value) { return emitScalar(*stmt.condition); },
      [&](Value) {
        emitRound(frame, *stmt.body);
        return Value();
      });
  closeLoop(frame, results);
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
  emitCountedLoop(stmt, *stmt.body, stmt.bound.get(), *stmt.variable, lower,
                  upper, step, [](Value index) { return index; });
}

void HandlerGenerator::emitForEach(const ast::ForEachStmt &stmt) {
  const auto *call = llvm::dyn_cast<ast::CallExpr>(stmt.iterable.get());
  if (call && call->builtin == Builtin::Chunks)
    emitForChunks(stmt, *call);
  else if (stmt.iterable->type->is(sema::TypeKind::Pieces))
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
  IntegerType stored = memoryType(builder.getContext(), elementType);
  emitCountedLoop(
      stmt, *stmt.body, stmt.bound.get(), *stmt.variable, constant(at, 0),
      length, constant(at, 1), [&](Value index) -> Value {
        Value value = spin::LoadOp::create(
            builder, loc(stmt.variable->range), stored, slice, index,
            byteOrder(elementType), spin::ProofAttr());
        return fromMemory(loc(stmt.variable->range), value, elementType);
      });
}

/// A round of a loop over pieces does nothing once a jump has ended the loop.
void HandlerGenerator::emitPieceRound(const LoopFrame &frame,
                                      const ast::Stmt &body) {
  const ast::Decl *running = jumpScopes.back().running;
  if (!running)
    return emitRound(frame, body);
  SmallVector<Value> before = valuesOf(frame.carried);
  auto op = scf::IfOp::create(builder, frame.at, ValueRange(before).getTypes(),
                              bindings.lookup(running).value,
                              /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(op.elseBlock());
  scf::YieldOp::create(builder, frame.at, before);
  builder.setInsertionPointToEnd(op.thenBlock());
  emitRound(frame, body);
  scf::YieldOp::create(builder, frame.at, valuesOf(frame.carried));
  bind(frame.carried, op.getResults());
}

void HandlerGenerator::emitForPieces(const ast::ForEachStmt &stmt) {
  const auto &call = llvm::cast<ast::CallExpr>(*stmt.iterable);
  const auto &callee = llvm::cast<ast::FieldExpr>(*call.callee);
  Value view = emitSlice(*callee.base);
  Value offset = emitU32(argument(call, 0));
  Value data = emitSlice(argument(call, 1));
  LoopFrame frame =
      openLoop(*stmt.body, nullptr, stmt.bound.get(), loc(stmt.range));
  SmallVector<Value> before = valuesOf(frame.carried);
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
    bind(frame.carried, block->getArguments().drop_front(2));
    emitPieceRound(frame, *stmt.body);
    spin::YieldOp::create(builder, loc(stmt.range), valuesOf(frame.carried));
  }
  closeLoop(frame, op.getResults());
}

/// lop-7: whole chunks by their number, then the rest, unless a jump has ended
/// the loop.
void HandlerGenerator::emitForChunks(const ast::ForEachStmt &stmt,
                                     const ast::CallExpr &call) {
  Location at = loc(stmt.iterable->range);
  Value slice = emitSlice(*llvm::cast<ast::FieldExpr>(*call.callee).base);
  Value size = emitU32(argument(call, 0));
  Value length =
      spin::SliceLengthOp::create(builder, at, builder.getI32Type(), slice);
  Value chunks = arith::DivUIOp::create(builder, at, length, size);
  auto exact = arith::IntegerOverflowFlags::nuw;
  auto part = [&](Value begin, Value count) -> Value {
    return spin::SubsliceOp::create(builder, at, slice.getType(), slice, begin,
                                    count, spin::ProofAttr());
  };
  Value atEnd = emitCountedLoop(
      stmt, *stmt.body, stmt.bound.get(), *stmt.variable, constant(at, 0),
      chunks, constant(at, 1), [&](Value index) {
        return part(arith::MulIOp::create(builder, at, index, size, exact),
                    size);
      });
  if (!stmt.tail)
    return;
  auto tail = [&] {
    Value begin = arith::MulIOp::create(builder, at, chunks, size, exact);
    Value count = arith::SubIOp::create(builder, at, length, begin, exact);
    bindings[stmt.tail.get()] = {part(begin, count), {}};
    return emitSequence(stmt.tailBody.get());
  };
  if (atEnd)
    emitBranches(loc(stmt.tailBody->range), atEnd,
                 assignedIn(stmt.tailBody.get()), tail, Branch());
  else
    tail();
}
