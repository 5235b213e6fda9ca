// The walk in the order of execution, and what each place may rely on: a value
// that has been computed stays what it is until its block runs again, and that
// only happens when the scope of the block has been left.
#include "dialect/Spin/Checker/Facts.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::checker;

Facts::Facts(HandlerOp handler)
    : handler(handler), context(handler->getParentOfType<ContextOp>()),
      at(handler) {
  auto addValues = [&](Operation *op) {
    order[op] = order.size();
    llvm::append_range(values, op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::append_range(values, block.getArguments());
  };
  auto inPacket = [](Value slice) {
    return llvm::is_contained({MemorySpace::PacketL1, MemorySpace::PacketL2},
                              cast<SliceType>(slice.getType()).getSpace());
  };
  for (Operation &op : context.getBody().front())
    if (isa<StateOp, ContractOp>(op))
      op.walk<WalkOrder::PreOrder>(addValues);
  for (HandlerOp other : context.getBody().getOps<HandlerOp>())
    other.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (other == handler)
        addValues(op);
      bool writes = false, stays = true;
      if (auto store = dyn_cast<StoreOp>(op))
        writes = inPacket(store.getSlice());
      else if (auto store = dyn_cast<WireStoreOp>(op))
        writes = inPacket(store.getSlice());
      else if (auto copy = dyn_cast<DmaFromHostOp>(op))
        stays = !inPacket(copy.getDest());
      else
        stays =
            isa_and_nonnull<SpinDialect, scf::SCFDialect, arith::ArithDialect>(
                op->getDialect());
      if (other == handler && writes)
        writers.push_back(op);
      packetIsStable &= other != handler || stays;
      packetIsFresh &=
          other.getKind() >= handler.getKind() || (stays && !writes);
    });
}

void Facts::walk(llvm::function_ref<void(Operation *)> visit) {
  // The host has checked these conditions at installation.
  for (Operation &op : context.getBody().front())
    if (isa<StateOp, ContractOp>(op) && !op.getRegion(0).empty())
      if (auto yield =
              dyn_cast<YieldConditionOp>(op.getRegion(0).front().back()))
        assume(yield.getCondition(), true);
  walkBlock(handler.getBody().front(), visit);
  undo(0);
}

void Facts::walkBlock(Block &block,
                      llvm::function_ref<void(Operation *)> visit) {
  size_t start = mark();
  for (Operation &op : block) {
    at = &op;
    size_t before = mark();
    // What a round must begin with holds where its condition does.
    if (auto test = dyn_cast<scf::ConditionOp>(op))
      assume(test.getCondition(), true);
    else if (auto guard = dyn_cast<RequireOp>(op))
      assume(guard.getCondition(), true);
    visit(&op);
    undo(before);
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (Region &region : branch->getRegions()) {
        if (region.empty())
          continue;
        assume(branch.getCondition(), &region == &branch.getThenRegion());
        walkBlock(region.front(), visit);
        undo(before);
      }
      push({Event::Done, branch.getCondition(), false, nullptr, branch});
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      walkBlock(*loop.getBeforeBody(), visit);
      push({Event::Opened, {}, false, loop.getBeforeBody(), {}});
      Value condition = loop.getConditionOp().getCondition();
      size_t tested = mark();
      assume(condition, true);
      walkBlock(*loop.getAfterBody(), visit);
      undo(tested);
      assume(condition, false);
    } else if (auto require = dyn_cast<RequireOp>(op)) {
      assume(require.getCondition(), true);
    } else if (isa<ExitOp>(op)) {
      push({Event::Dead, {}, false, nullptr, {}});
    } else {
      for (Region &region : op.getRegions())
        for (Block &inner : region) {
          walkBlock(inner, visit);
          undo(before);
        }
    }
  }
  // Summaries of loops are never asked for.
  summaries[&block].assign(trail.begin() + start, trail.end());
}

void Facts::push(Event event) {
  trail.push_back(event);
  switch (event.kind) {
  case Event::Known:
    truths[event.condition] = event.truth;
    break;
  case Event::Opened:
    opened.insert(event.block);
    break;
  case Event::Dead:
    ++dead;
    break;
  case Event::Done:
    done[event.condition].push_back(event.branch);
    if (std::optional<bool> taken = known(event.condition))
      return open(event.branch, *taken);
    // A branch that left the handler was not taken.
    for (Region &region : event.branch->getRegions())
      if (!region.empty() &&
          llvm::any_of(summaries[&region.front()], [](const Event &inner) {
            return inner.kind == Event::Dead;
          }))
        assume(event.condition, &region != &event.branch.getThenRegion());
  }
}

void Facts::undo(size_t mark) {
  while (trail.size() > mark) {
    Event event = trail.pop_back_val();
    if (event.kind == Event::Known)
      truths.erase(event.condition);
    else if (event.kind == Event::Opened)
      opened.erase(event.block);
    else if (event.kind == Event::Done)
      done[event.condition].pop_back();
    else
      --dead;
  }
}

/// What follows from `branch` having run this way.
void Facts::open(scf::IfOp branch, bool taken) {
  Region &region = taken ? branch.getThenRegion() : branch.getElseRegion();
  if (region.empty())
    return;
  push({Event::Opened, {}, false, &region.front(), {}});
  SmallVector<Event, 2> events = summaries[&region.front()];
  for (const Event &event : events)
    if (event.kind == Event::Known)
      assume(event.condition, event.truth);
    else
      push(event);
}

std::optional<bool> Facts::known(Value condition) const {
  auto found = truths.find(condition);
  return found == truths.end() ? std::nullopt : std::optional(found->second);
}

void Facts::assume(Value condition, bool truth) {
  llvm::APInt constant;
  bool isConstant = matchPattern(condition, m_ConstantInt(&constant));
  std::optional<bool> old = isConstant ? !constant.isZero() : known(condition);
  if (old && *old != truth)
    return push({Event::Dead, {}, false, nullptr, {}});
  if (old)
    return;
  push({Event::Known, condition, truth, nullptr, {}});
  Operation *op = condition.getDefiningOp();
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op) &&
      isa<arith::AndIOp>(op) == truth) {
    assume(op->getOperand(0), truth);
    assume(op->getOperand(1), truth);
  } else if (isa_and_nonnull<arith::XOrIOp>(op) &&
             matchPattern(op->getOperand(1), m_ConstantInt(&constant))) {
    assume(op->getOperand(0), truth == constant.isZero());
  }
  assumeChoice(condition);
  for (Operation *user : condition.getUsers())
    for (Value result : user->getResults())
      if (known(result))
        assumeChoice(result);
  SmallVector<scf::IfOp, 1> branches = done.lookup(condition);
  for (scf::IfOp branch : branches)
    open(branch, truth);
}

/// What the truth of a chosen condition says about what it was chosen from.
void Facts::assumeChoice(Value chosen) {
  auto [condition, ifTrue, ifFalse] = choice(chosen);
  if (!condition)
    return;
  bool truth = *known(chosen);
  for (bool taken : {false, true}) {
    llvm::APInt constant;
    if (matchPattern(taken ? ifTrue : ifFalse, m_ConstantInt(&constant)) &&
        constant.isZero() == truth)
      assume(condition, !taken);
  }
  if (std::optional<bool> taken = known(condition))
    assume(*taken ? ifTrue : ifFalse, truth);
}

/// The condition and the two values of a choice, if `value` is one.
std::array<Value, 3> Facts::choice(Value value) const {
  Operation *op = value.getDefiningOp();
  if (auto select = dyn_cast_or_null<arith::SelectOp>(op))
    return {select.getCondition(), select.getTrueValue(),
            select.getFalseValue()};
  auto branch = dyn_cast_or_null<scf::IfOp>(op);
  if (!branch)
    return {};
  unsigned index = cast<OpResult>(value).getResultNumber();
  return {branch.getCondition(), branch.thenYield().getOperand(index),
          branch.elseYield().getOperand(index)};
}

/// Whether `op` (nothing: the argument of `block`) has run before the present
/// place, and its block not again since then.
bool Facts::isAvailable(Block *block, Operation *op) const {
  if (opened.contains(block) || isa<ContractOp, StateOp>(block->getParentOp()))
    return true;
  Operation *around = block->findAncestorOpInBlock(*at);
  return around && (!op || op->isBeforeInBlock(around));
}

bool Facts::isAvailable(Value value) const {
  return isAvailable(value.getParentBlock(), value.getDefiningOp());
}
