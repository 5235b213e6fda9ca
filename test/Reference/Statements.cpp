// Statements, loops and the frame of a handler.
#include "test/Reference/Interpreter.h"

using namespace spinc;
using namespace spinc::reference;
using llvm::cast;
using llvm::dyn_cast;

void Interpreter::fail(const char *rule, std::string message,
                       SourceRange range) {
  if (!stopped())
    outcome.violation = Violation{rule, std::move(message), range};
}

bool Interpreter::tick(SourceRange range) {
  if (++outcome.steps > stepLimit)
    fail("lop", "still running after " + std::to_string(stepLimit) + " steps",
         range);
  return !stopped();
}

Outcome Interpreter::run(const sema::HandlerInfo &which,
                         const std::vector<uint8_t> &bytes) {
  handler = &which;
  packet.name = "packet";
  packet.bytes = bytes;
  bool isPayload = which.kind == sema::HandlerKind::Payload;
  // bnd-11
  if (isPayload && !placeHeaders()) {
    outcome.code = returnValue(Builtin::ReturnDrop);
    return std::move(outcome);
  }
  if (isPayload)
    outcome.payloadLength = packet.bytes.size() - payloadStart;
  // pkt-8
  if (which.kind == sema::HandlerKind::Header && machine.info.user &&
      packet.bytes.size() <
          machine.info.packet.headerBytes + machine.info.user->size) {
    outcome.code = returnValue(Builtin::ReturnDrop);
    return std::move(outcome);
  }
  exec(*which.decl->body);
  outcome.code = unsigned(returned.number);
  return std::move(outcome);
}

Interpreter::Flow Interpreter::exec(const ast::Stmt &stmt) {
  if (!tick(stmt.range))
    return Flow::Return;
  switch (stmt.kind) {
  case ast::StmtKind::Block:
    return execBlock(cast<ast::BlockStmt>(stmt));
  case ast::StmtKind::Declare:
    return execDeclare(*cast<ast::DeclareStmt>(stmt).local);
  case ast::StmtKind::Assign:
    return execAssign(cast<ast::AssignStmt>(stmt));
  case ast::StmtKind::Expression:
    eval(*cast<ast::ExprStmt>(stmt).expr);
    return Flow::Next;
  case ast::StmtKind::If: {
    const auto &branch = cast<ast::IfStmt>(stmt);
    bool condition = evalNumber(*branch.condition) != 0;
    if (stopped())
      return Flow::Return;
    if (condition)
      return exec(*branch.thenBody);
    return branch.elseBody ? exec(*branch.elseBody) : Flow::Next;
  }
  case ast::StmtKind::ForEach:
    return execForEach(cast<ast::ForEachStmt>(stmt));
  case ast::StmtKind::ForRange:
    return execForRange(cast<ast::ForRangeStmt>(stmt));
  case ast::StmtKind::While:
    return execWhile(cast<ast::WhileStmt>(stmt));
  case ast::StmtKind::Require: {
    const auto &require = cast<ast::RequireStmt>(stmt);
    bool condition = evalNumber(*require.condition) != 0;
    if (condition && !stopped())
      return Flow::Next;
    return execReturn(require.result.get());
  }
  case ast::StmtKind::Return:
    return execReturn(cast<ast::ReturnStmt>(stmt).result.get());
  case ast::StmtKind::With:
    return exec(*cast<ast::WithStmt>(stmt).body);
  case ast::StmtKind::Wrapping: {
    bool outside = wrapping;
    wrapping = true;
    Flow flow = exec(*cast<ast::WrappingStmt>(stmt).body);
    wrapping = outside;
    return flow;
  }
  case ast::StmtKind::Switch:
    return execSwitch(cast<ast::SwitchStmt>(stmt));
  case ast::StmtKind::Match:
    return execMatch(cast<ast::MatchStmt>(stmt));
  case ast::StmtKind::Break:
    return Flow::Break;
  case ast::StmtKind::Continue:
    return Flow::Continue;
  }
  return Flow::Next;
}

Interpreter::Flow Interpreter::execBlock(const ast::BlockStmt &stmt) {
  for (const ast::StmtPtr &child : stmt.statements) {
    Flow flow = exec(*child);
    if (flow != Flow::Next || stopped())
      return stopped() ? Flow::Return : flow;
  }
  return Flow::Next;
}

Interpreter::Flow Interpreter::execReturn(const ast::Expr *result) {
  if (stopped() || !result)
    return Flow::Return;
  Value value = eval(*result);
  // A loop that ended the handler has said what it returns.
  if (!stopped())
    returned = std::move(value);
  return Flow::Return;
}

Interpreter::Flow Interpreter::execDeclare(const ast::LocalDecl &local) {
  if (local.localKind == ast::LocalKind::Memory ||
      local.type->is(TypeKind::Array) || local.type->is(TypeKind::Struct)) {
    // Zero-filled, so no byte of it is read before it is written.
    Region &region = locals[&local];
    region = Region(local.name.text, sizeInBytes(local.type));
    Slice whole{&region, 0, 1, local.type};
    if (const auto *array = dynAs<ArrayType>(local.type))
      whole = {&region, 0, array->count, array->element};
    values[&local] = whole;
    if (local.init)
      initialize({&region, 0, 1, local.type}, *local.init);
    return stopped() ? Flow::Return : Flow::Next;
  }
  Value value = local.init ? eval(*local.init) : Value();
  if (!stopped() && local.init)
    value = convert(value, local.type, *local.init);
  values[&local] = value;
  return Flow::Next;
}

/// The target's place is evaluated after the value; neither has an effect that
/// the other sees.
Interpreter::Flow Interpreter::execAssign(const ast::AssignStmt &stmt) {
  if (const auto *simd = dynAs<SimdType>(stmt.target->type); simd && stmt.op) {
    Number lanes = evalNumber(*stmt.target);
    Number result =
        computeSimd(*stmt.target, *stmt.op, lanes, *stmt.value, *simd);
    if (!stopped())
      storeTo(*stmt.target, result);
    return Flow::Next;
  }
  Value value = eval(*stmt.value);
  if (stopped())
    return Flow::Return;
  if (stmt.op) {
    // typ-12
    Number left = evalNumber(*stmt.target);
    if (!stopped())
      value = compute(*stmt.target, *stmt.op, left, value.number,
                      stmt.target->type);
  } else {
    value = convert(value, stmt.target->type, *stmt.value);
  }
  if (!stopped())
    storeTo(*stmt.target, value);
  return Flow::Next;
}

bool Interpreter::goesOn(Flow round, Flow &flow) {
  if (stopped() || round == Flow::Return)
    flow = Flow::Return;
  return !stopped() && (round == Flow::Next || round == Flow::Continue);
}

Interpreter::Flow Interpreter::execForRange(const ast::ForRangeStmt &stmt) {
  Number at = evalNumber(*stmt.begin);
  Number end = evalNumber(*stmt.extent);
  Number step = stmt.step ? evalNumber(*stmt.step) : Number(1);
  if (stopped())
    return Flow::Return;
  if (stmt.form == ast::RangeForm::Length)
    end = convert(at + end, stmt.variable->type, *stmt.extent);
  Number most = boundOf(stmt.bound.get());
  // A counter that leaves its type after the last round is never seen.
  for (Number round = 0; at < end && tick(stmt.range); at += step, round += 1) {
    if (isPast(most, round))
      return Flow::Return;
    values[stmt.variable.get()] = at;
    Flow flow = Flow::Next;
    if (!goesOn(exec(*stmt.body), flow))
      return flow;
  }
  return Flow::Next;
}

Interpreter::Flow Interpreter::execForEach(const ast::ForEachStmt &stmt) {
  if (stmt.iterable->type->is(TypeKind::Pieces))
    return execForPieces(stmt);
  const auto *call = dyn_cast<ast::CallExpr>(stmt.iterable.get());
  if (call && call->builtin == Builtin::Chunks)
    return execChunks(stmt);
  Slice slice = evalSlice(*stmt.iterable);
  Number most = boundOf(stmt.bound.get());
  for (uint64_t i = 0; i < slice.length && tick(stmt.range); ++i) {
    if (isPast(most, i))
      return Flow::Return;
    Value value = load(element(slice, i, *stmt.iterable), *stmt.iterable);
    if (stopped())
      return Flow::Return;
    values[stmt.variable.get()] =
        convert(value, stmt.variable->type, *stmt.iterable);
    Flow flow = Flow::Next;
    if (!goesOn(exec(*stmt.body), flow))
      return flow;
  }
  return Flow::Next;
}

/// `for (c : s.chunks(n)) … else (tail)`
Interpreter::Flow Interpreter::execChunks(const ast::ForEachStmt &stmt) {
  const auto &call = cast<ast::CallExpr>(*stmt.iterable);
  Slice slice = evalSlice(*cast<ast::FieldExpr>(*call.callee).base);
  Number count = evalNumber(argument(call, 0));
  if (stopped())
    return Flow::Return;
  if (count <= 0) {
    fail("bnd-4", "chunks of no elements", stmt.iterable->range);
    return Flow::Return;
  }
  Number at = 0;
  for (; at + count <= slice.length && tick(stmt.range); at += count) {
    values[stmt.variable.get()] = part(slice, at, count, *stmt.iterable);
    Flow flow = Flow::Next;
    if (!goesOn(exec(*stmt.body), flow))
      return flow;
  }
  if (!stmt.tailBody || stopped())
    return stopped() ? Flow::Return : Flow::Next;
  values[stmt.tail.get()] =
      part(slice, at, Number(slice.length) - at, *stmt.iterable);
  return exec(*stmt.tailBody);
}

/// The contiguous pieces of `data` in the view: block by block, with a gap of
/// stride - block behind each.
Interpreter::Flow Interpreter::execForPieces(const ast::ForEachStmt &stmt) {
  const auto &call = cast<ast::CallExpr>(*stmt.iterable);
  Value value = eval(*cast<ast::FieldExpr>(*call.callee).base);
  Number offset = evalNumber(argument(call, 0));
  Slice data = evalSlice(argument(call, 1));
  if (stopped() || !value.view)
    return Flow::Return;
  const View view = *value.view;
  if (offset + data.length > view.count * view.block) {
    fail("bnd-8", "pieces leave the view", stmt.iterable->range);
    return Flow::Return;
  }
  for (Number done = 0; done < data.length && tick(stmt.range);) {
    Number at = offset + done, within = at % view.block;
    Number left = Number(data.length) - done;
    Number size = view.block - within < left ? view.block - within : left;
    Value piece;
    piece.slice = part(view.region, at / view.block * view.stride + within,
                       size, *stmt.iterable);
    piece.data = part(data, done, size, *stmt.iterable);
    values[stmt.variable.get()] = piece;
    Flow flow = Flow::Next;
    if (!goesOn(exec(*stmt.body), flow))
      return flow;
    done += size;
  }
  return Flow::Next;
}

/// lop-5: computed once, before the loop; -1 for none.
Number Interpreter::boundOf(const ast::Expr *bound) {
  return bound ? evalNumber(*bound) : Number(-1);
}

/// A loop that would begin round n + 1 of bound(n) ends the handler with FAIL.
bool Interpreter::isPast(Number most, Number round) {
  if (most < 0 || round < most)
    return false;
  leaves = true;
  returned = Number(returnValue(Builtin::ReturnFail));
  return true;
}

Interpreter::Flow Interpreter::execWhile(const ast::WhileStmt &stmt) {
  Number most = boundOf(stmt.bound.get());
  for (Number round = 0; tick(stmt.range); round += 1) {
    bool more = evalNumber(*stmt.condition) != 0;
    if (!more || stopped())
      return stopped() ? Flow::Return : Flow::Next;
    if (isPast(most, round))
      return Flow::Return;
    Flow flow = Flow::Next;
    if (!goesOn(exec(*stmt.body), flow))
      return flow;
  }
  return Flow::Return;
}

/// A case never falls into the next one; `break` leaves the switch (lop-6).
Interpreter::Flow Interpreter::execSwitch(const ast::SwitchStmt &stmt) {
  Number subject = evalNumber(*stmt.subject);
  const ast::SwitchCase *chosen = nullptr;
  for (const ast::SwitchCase &candidate : stmt.cases) {
    if (candidate.values.empty() && !chosen)
      chosen = &candidate;
    for (const ast::ExprPtr &value : candidate.values)
      if (evalNumber(*value) == subject)
        chosen = &candidate;
  }
  if (stopped())
    return Flow::Return;
  Flow flow = chosen ? exec(*chosen->body) : Flow::Next;
  return flow == Flow::Break ? Flow::Next : flow;
}

/// swi-4
Interpreter::Flow Interpreter::execMatch(const ast::MatchStmt &stmt) {
  const sema::PacketLayout &layout = machine.info.packet;
  size_t index = layout.find(cast<ast::FieldExpr>(*stmt.subject).member.text) -
                 layout.headers.data();
  const sema::PacketHeader *found = headers[index].chosen;
  const ast::MatchCase *chosen = nullptr;
  for (const ast::MatchCase &arm : stmt.cases) {
    if (!arm.variable && !chosen)
      chosen = &arm;
    if (arm.variable && found && found->type == arm.variable->type)
      chosen = &arm;
  }
  if (!chosen)
    return Flow::Next;
  if (chosen->variable)
    matched[chosen->variable.get()] = index;
  Flow flow = exec(*chosen->body);
  return flow == Flow::Break ? Flow::Next : flow;
}
