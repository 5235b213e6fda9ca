// The walk over the structured control flow of a handler.
//
// Invariant: a fact on the stack is about the values that each variable had
// when its operation ran last, and holds for them. Facts from a region that
// may not have run are dropped at its end.
#include "dialect/Spin/Analysis/HandlerFacts.h"

using namespace mlir;
using namespace spinc::spin;

/// Whether `op` itself may write packet memory.
static bool writesPacket(Operation *op) {
  if (auto call = dyn_cast<CallOp>(op))
    return call.mayWritePacket();
  if (auto store = dyn_cast<StoreOp>(op))
    return store.getSlice().getType().isInPacket();
  if (auto store = dyn_cast<WireStoreOp>(op))
    return store.getSlice().getType().isInPacket();
  if (auto copy = dyn_cast<DmaFromHostOp>(op))
    return copy.getDest().getType().isInPacket();
  Dialect *dialect = op->getDialect();
  return !dialect ||
         !isa<SpinDialect, scf::SCFDialect, arith::ArithDialect>(dialect);
}

bool spinc::spin::writesPacketWithin(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return writesPacket(inner) ? WalkResult::interrupt()
                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool spinc::spin::exits(Block &block) {
  Operation *terminator = block.getTerminator();
  Operation *last = terminator->getPrevNode();
  if (isa_and_nonnull<ExitOp>(last))
    return true;
  auto branch = dyn_cast_or_null<scf::IfOp>(last);
  return branch && !branch.getElseRegion().empty() &&
         exits(*branch.thenBlock()) && exits(*branch.elseBlock());
}

HandlerFacts::HandlerFacts(HandlerOp handler, Depth depth)
    : handler(handler), depth(depth), evaluator(handler) {
  for (const Formula &fact : evaluator.getInstallFacts())
    facts.push(fact);
  // A copy from the host goes on after the operation that starts it.
  handler.walk([&](Operation *op) {
    if (writesPacket(op) && !isa<StoreOp, WireStoreOp, CallOp>(op))
      epoch = std::nullopt;
  });
  // What a function computes with comes from its arguments.
  if (handler.isFunction())
    return;
  // Handlers of an earlier phase may have changed the packet.
  for (HandlerOp other : evaluator.getContext().getBody().getOps<HandlerOp>())
    if (other.getKind() < handler.getKind())
      packetWritten |= writesPacketWithin(other);
  for (HandlerOp other : evaluator.getContext().getBody().getOps<HandlerOp>())
    if (other.getKind() == HandlerKind::Header && other != handler)
      assumeHeader(other);
}

void HandlerFacts::walk(Visitor visit) {
  size_t mark = facts.size();
  auto start = std::tuple(fields, headerOutcomes, packetWritten, epoch);
  walkBlock(handler.getBody().front(), visit);
  facts.truncate(mark);
  std::tie(fields, headerOutcomes, packetWritten, epoch) = std::move(start);
}

void HandlerFacts::walkBlock(Block &block, Visitor visit) {
  for (Operation &op : block) {
    visit(&op);
    walkOperation(&op, visit);
  }
}

void HandlerFacts::notePacketWrites(bool writes) {
  packetWritten |= writes;
  if (writes && epoch)
    ++*epoch;
}

void HandlerFacts::walkOperation(Operation *op, Visitor visit) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return walkIf(branch, visit);
  if (isa<scf::ForOp, scf::WhileOp, ForPiecesOp>(op)) {
    notePacketWrites(writesPacketWithin(op));
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return walkFor(loop, visit);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return walkWhile(loop, visit);
    return walkPieces(cast<ForPiecesOp>(op), visit);
  }
  if (auto require = dyn_cast<RequireOp>(op)) {
    facts.push(evaluator.condition(require.getCondition(), true));
    dropOutcomes();
  }
  if (auto load = dyn_cast<StateLoadOp>(op))
    loadField(load);
  if (auto store = dyn_cast<StateStoreOp>(op);
      store && isTracked(store.getField()))
    fields[store.getField().str()] = evaluator.number(store.getValue());
  if (auto headers = dyn_cast<HeaderBytesOp>(op))
    facts.push(Formula::equal(evaluator.number(headers.getResult()),
                              evaluator.number(headers.getBytes())));
  // spin-expand-pieces marks what its law makes non-empty.
  auto part = dyn_cast<SubsliceOp>(op);
  if (part && part->hasAttr("spin.nonempty"))
    facts.push(Formula::atLeast(evaluator.length(part), LinearExpr::number(1)));
  if (auto load = dyn_cast<WireLoadOp>(op))
    if (!packetWritten)
      evaluator.setPristine(load);
  if (isa<LoadOp, WireLoadOp>(op) && epoch)
    evaluator.setEpoch(op, *epoch);
  notePacketWrites(writesPacketWithin(op));
  for (Region &region : op->getRegions()) {
    for (Block &block : region) {
      forgetFields(op, 0);
      size_t mark = facts.size();
      walkBlock(block, visit);
      facts.truncate(mark);
      forgetFields(op, 1);
    }
  }
}

void HandlerFacts::walkIf(scf::IfOp branch, Visitor visit) {
  size_t mark = facts.size();
  facts.push(evaluator.condition(branch.getCondition(), true));
  Fields before = fields;
  walkBlock(*branch.thenBlock(), visit);
  Fields thenFields = std::exchange(fields, std::move(before));
  std::vector<Formula> thenFacts;
  if (!branch.getElseRegion().empty() && exits(*branch.elseBlock()))
    thenFacts = facts.copyFrom(mark);
  facts.truncate(mark);

  bool thenExits = exits(*branch.thenBlock());
  bool hasElse = !branch.getElseRegion().empty();
  bool elseExits = hasElse && exits(*branch.elseBlock());
  facts.push(evaluator.condition(branch.getCondition(), false));
  if (hasElse)
    walkBlock(*branch.elseBlock(), visit);
  if (!thenExits)
    joinFields(branch, std::move(thenFields), elseExits);
  if (thenExits && elseExits)
    facts.push(Formula::never());
  if (thenExits)
    return;
  facts.truncate(mark);
  if (elseExits)
    for (Formula &fact : thenFacts)
      facts.push(std::move(fact));
}

void HandlerFacts::walkFor(scf::ForOp loop, Visitor visit) {
  LoopVariables variables = loopVariables(loop);
  size_t mark = facts.size();
  std::vector<Constraint> kept = invariants(
      variables, loop, [&](AtEnd atEnd) { iterateFor(loop, atEnd); });
  facts.push(Formula{kept, {}});
  assumeCounters(loop, variables);
  // A search around has walked the body itself.
  if (!searching) {
    forgetFields(loop, 0);
    walkBlock(*loop.getBody(), visit);
  }
  facts.truncate(mark);
  forgetFields(loop, 1);
  // Only invariants that mention the index make a question of where it ends.
  bool isAsked =
      variables.indexStep && llvm::any_of(kept, [&](const Constraint &each) {
        return each.expr.coefficient(variables.arguments.back()) != 0;
      });
  std::optional<LinearExpr> last;
  if (isAsked)
    last = lastIndex(loop, *variables.indexStep);
  assumeFor(kept, variables, loop.getResults(), std::move(last));
}

void HandlerFacts::walkWhile(scf::WhileOp loop, Visitor visit) {
  LoopVariables variables =
      loopVariables(loop.getBeforeArguments(), loop.getInits());
  std::vector<Constraint> kept = invariants(
      variables, loop, [&](AtEnd atEnd) { iterateWhile(loop, [] {}, atEnd); });
  // The condition runs last, so its facts stay after the loop.
  facts.push(Formula{std::move(kept), {}});
  forgetFields(loop, 0);
  walkBlock(*loop.getBeforeBody(), visit);
  Value condition = loop.getConditionOp().getCondition();
  if (!searching) {
    size_t mark = facts.size();
    facts.push(evaluator.condition(condition, true));
    walkBlock(*loop.getAfterBody(), visit);
    facts.truncate(mark);
  }
  forgetFields(loop, 1);
  facts.push(evaluator.condition(condition, false));
}

void HandlerFacts::walkPieces(ForPiecesOp loop, Visitor visit) {
  Block &body = loop.getBody().front();
  LoopVariables variables = loopVariables(
      ValueRange(body.getArguments().drop_front(2)), loop.getInits());
  size_t mark = facts.size();
  std::vector<Constraint> kept = invariants(variables, loop, [&](AtEnd atEnd) {
    forgetFields(loop, 0);
    walkBlock(body, [](Operation *) {});
    atEnd(body.getTerminator()->getOperands());
  });
  facts.push(Formula{kept, {}});
  if (!searching) {
    forgetFields(loop, 0);
    walkBlock(body, visit);
  }
  facts.truncate(mark);
  forgetFields(loop, 1);
  assumeFor(kept, variables, loop.getResults());
}

void HandlerFacts::iterateFor(scf::ForOp loop, AtEnd atEnd) {
  forgetFields(loop, 0);
  walkBlock(*loop.getBody(), [](Operation *) {});
  atEnd(loop.getYieldedValues());
}

void HandlerFacts::iterateWhile(scf::WhileOp loop,
                                llvm::function_ref<void()> atEntry,
                                AtEnd atEnd) {
  forgetFields(loop, 0);
  walkBlock(*loop.getBeforeBody(), [](Operation *) {});
  facts.push(evaluator.condition(loop.getConditionOp().getCondition(), true));
  atEntry();
  walkBlock(*loop.getAfterBody(), [](Operation *) {});
  atEnd(loop.getYieldOp().getOperands());
}

void HandlerFacts::walkIteration(scf::WhileOp loop,
                                 llvm::function_ref<void()> atEntry,
                                 llvm::function_ref<void()> atEnd) {
  size_t mark = facts.size();
  Fields before = fields;
  LoopVariables variables =
      loopVariables(loop.getBeforeArguments(), loop.getInits());
  facts.push(
      Formula{invariants(variables, loop,
                         [&](AtEnd end) { iterateWhile(loop, [] {}, end); }),
              {}});
  ++searching;
  iterateWhile(loop, atEntry, [&](ValueRange) { atEnd(); });
  --searching;
  facts.truncate(mark);
  fields = std::move(before);
}
