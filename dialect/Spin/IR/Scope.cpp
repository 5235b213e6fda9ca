#include "dialect/Spin/IR/Scope.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::meaning;

void Scope::walk(Visitor visit) {
  at = handler;
  // The host has checked these conditions at installation.
  for (Operation &op : context.getBody().front())
    if (isa<StateOp, ContractOp>(op) && !op.getRegion(0).empty())
      if (auto yield =
              dyn_cast<YieldConditionOp>(op.getRegion(0).front().back()))
        assume(yield.getCondition(), true);
  walkBlock(handler.getBody().front(), visit);
  undo(0);
}

void Scope::walkBlock(Block &block, Visitor visit) {
  size_t start = mark();
  for (Operation &op : block) {
    at = &op;
    size_t before = mark();
    // What a round must begin with holds where its condition does.
    if (auto test = dyn_cast<scf::ConditionOp>(op))
      assume(test.getCondition(), true);
    visit(&op);
    undo(before);
    walkRegions(&op, visit);
  }
  // Summaries of loops are never asked for.
  summaries[&block].assign(trail.begin() + start, trail.end());
}

void Scope::walkRegions(Operation *op, Visitor visit) {
  size_t before = mark();
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
    push({Event::Opened, {}, false, loop.getBeforeBody()});
    Value condition = loop.getConditionOp().getCondition();
    size_t tested = mark();
    assume(condition, true);
    walkBlock(*loop.getAfterBody(), visit);
    undo(tested);
    assume(condition, false);
  } else if (auto require = dyn_cast<RequireOp>(op)) {
    assume(require.getCondition(), true);
  } else if (isa<ExitOp>(op)) {
    push({Event::Dead});
  } else {
    for (Region &region : op->getRegions())
      for (Block &inner : region) {
        walkBlock(inner, visit);
        undo(before);
      }
  }
}

void Scope::push(Event event) {
  event.serial = ++events;
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

void Scope::undo(size_t mark) {
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
void Scope::open(scf::IfOp branch, bool taken) {
  Region &region = taken ? branch.getThenRegion() : branch.getElseRegion();
  if (region.empty())
    return;
  push({Event::Opened, {}, false, &region.front()});
  SmallVector<Event, 2> events = summaries[&region.front()];
  for (const Event &event : events)
    if (event.kind == Event::Known)
      assume(event.condition, event.truth);
    else
      push(event);
}

std::optional<bool> Scope::known(Value condition) const {
  auto found = truths.find(condition);
  if (found != truths.end())
    return found->second;
  std::optional<llvm::APInt> constant =
      condition.getType().isInteger(1) ? constantOf(condition) : std::nullopt;
  return constant ? std::optional(!constant->isZero()) : std::nullopt;
}

void Scope::assume(Value condition, bool truth) {
  std::optional<bool> old = known(condition);
  if (old && *old != truth)
    return push({Event::Dead});
  if (old)
    return;
  push({Event::Known, condition, truth});
  Operation *op = condition.getDefiningOp();
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op) &&
      isa<arith::AndIOp>(op) == truth)
    for (Value part : op->getOperands())
      assume(part, truth);
  else if (isa_and_nonnull<arith::XOrIOp>(op))
    if (std::optional<llvm::APInt> mask = constantOf(op->getOperand(1)))
      assume(op->getOperand(0), truth == mask->isZero());
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
void Scope::assumeChoice(Value chosen) {
  auto [condition, ifTrue, ifFalse] = choice(chosen);
  if (!condition)
    return;
  bool truth = *known(chosen);
  for (bool taken : {false, true})
    if (auto constant = constantOf(taken ? ifTrue : ifFalse))
      if (constant->isZero() == truth)
        assume(condition, !taken);
  if (std::optional<bool> taken = known(condition))
    assume(*taken ? ifTrue : ifFalse, truth);
}

std::array<Value, 3> Scope::choice(Value value) {
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

bool Scope::isInstalled(Value value) {
  return isa<ContractOp, StateOp>(value.getParentBlock()->getParentOp());
}

/// Whether `op` (nothing: the argument of `block`) has run before the present
/// place, and its block not again since then.
bool Scope::isAvailable(Block *block, Operation *op) const {
  if (opened.contains(block) || isa<ContractOp, StateOp>(block->getParentOp()))
    return true;
  Operation *around = block->findAncestorOpInBlock(*at);
  return around && (!op || op->isBeforeInBlock(around));
}

bool Scope::isAvailable(Value value) const {
  return isAvailable(value.getParentBlock(), value.getDefiningOp());
}

static const Constraints none;

const Constraints &Scope::axiomsOf(AtomId atom) {
  if (atom->value && !isAvailable(atom->value))
    return none;
  auto [entry, isNew] = axiomsFound.try_emplace(atom);
  if (isNew)
    entry->second = axioms(atom);
  return entry->second;
}

const Constraints &Scope::truthOf(Value condition) {
  std::optional<bool> truth = known(condition);
  if (!truth)
    return none;
  auto [entry, isNew] =
      truthsFound[*truth].try_emplace(condition.getAsOpaquePointer());
  Constraints &result = entry->second;
  if (!isNew)
    return result;
  result.push_back({number(condition).minus(Form(Int(*truth))), true});
  if (auto op = condition.getDefiningOp<MeaningOpInterface>())
    llvm::append_range(result, op.getTruth(*truth, *this));
  return result;
}

/// That a value is what its condition chooses, and what the matching rules say
/// of it.
Constraints Scope::factsOf(Value value) {
  auto [condition, ifTrue, ifFalse] = choice(value);
  if (!isAvailable(value))
    return {};
  if (!condition || !known(condition))
    return matched(value);
  Value one = *known(condition) ? ifTrue : ifFalse;
  if (isa<SliceType>(value.getType()))
    return {{length(value).minus(length(one)), true}};
  Constraints result;
  for (bool isSigned : {false, true})
    result.push_back(
        {number(value, isSigned).minus(number(one, isSigned)), true});
  return result;
}

std::optional<Cases> Scope::casesOf(Value value) {
  auto op = value.getDefiningOp<MeaningOpInterface>();
  return op && isAvailable(value) ? op.getCases(known(value), *this)
                                  : std::nullopt;
}
