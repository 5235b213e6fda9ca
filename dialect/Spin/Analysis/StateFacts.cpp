// Plain fields of the state: their values within one handler, and what the
// header handler leaves for the handlers that follow it (bnd-13).
//
// A plain field belongs to one message (sta-10). Header and completion handler
// run alone and payload handlers only read it, so that each handler sees its
// own stores and, before them, what the header handler left. Nothing is
// assumed about return codes: what holds is what holds at some end of the
// header handler.
#include "dialect/Spin/Analysis/HandlerFacts.h"
#include "runtime/abi/portals.h"

using namespace mlir;
using namespace spinc::spin;

namespace {

/// Rewrites expressions about one handler's variables for another handler of
/// the same context. Parameters and host sizes are the same in both; all else
/// is a quantity of an earlier time.
class Importer {
public:
  Importer(const VariableTable &from, Evaluator &to) : from(from), to(to) {}

  LinearExpr translate(const LinearExpr &expr) {
    LinearExpr result(expr.getConstant());
    for (const LinearExpr::Term &term : expr.getTerms())
      result = result + translate(term.first) * term.second;
    return result;
  }

  Formula translate(const Formula &formula) {
    Formula result;
    for (const Constraint &constraint : formula.constraints)
      result.constraints.push_back(
          {translate(constraint.expr), constraint.equality});
    for (const Split &split : formula.splits) {
      result.splits.emplace_back();
      for (const Formula &alternative : split.alternatives)
        result.splits.back().alternatives.push_back(translate(alternative));
    }
    return result;
  }

private:
  LinearExpr translate(VarId id);

  const VariableTable &from;
  Evaluator &to;
  std::map<VarId, LinearExpr> known;
};

LinearExpr Importer::translate(VarId id) {
  auto found = known.find(id);
  if (found != known.end())
    return found->second;
  const Variable &variable = from[id];
  VariableTable &table = to.getVariables();
  switch (variable.kind) {
  case Variable::Kind::Param:
  case Variable::Kind::HostSize:
    return known[id] = to.symbolVariable(variable.kind, variable.symbol,
                                         variable.interval);
  case Variable::Kind::Quotient:
    return known[id] = table.floorDivide(translate(variable.dividend),
                                         variable.divisor);
  case Variable::Kind::Alias:
    return known[id] = table.named(translate(variable.dividend));
  case Variable::Kind::Value:
  case Variable::Kind::PacketLength:
  case Variable::Kind::Ratio:
  case Variable::Kind::Product:
  case Variable::Kind::Named:
    break;
  }
  Variable copy;
  copy.kind = Variable::Kind::Named;
  copy.symbol = from.name(id) + " of the header handler";
  copy.interval = variable.interval;
  VarId created = table.create(std::move(copy));
  // First, for the definition mentions the variable.
  known[id] = LinearExpr::variable(created);
  Formula definition = translate(variable.definition);
  table[created].definition = std::move(definition);
  return known[id];
}

} // namespace

/// Whether only loads and stores of the whole field touch it. Payload handlers
/// do not write plain fields, which the verifier sees to.
bool HandlerFacts::isTracked(StringRef field) const {
  ContextOp context = handler->getParentOfType<ContextOp>();
  auto state = context.lookupSymbol<StateOp>(field);
  if (!state || state.getKind() != StateKind::Plain || state.getCount() != 1)
    return false;
  WalkResult result = context.walk([&](Operation *op) {
    bool isOther = false;
    if (auto slice = dyn_cast<StateSliceOp>(op))
      isOther = slice.getField() == field;
    else if (auto copy = dyn_cast<StateCopyOp>(op))
      isOther = copy.getField() == field;
    return isOther ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// The field's value at a place, of which nothing else is known.
LinearExpr HandlerFacts::fieldVariable(Operation *op, StringRef field,
                                       unsigned use) {
  VariableTable &variables = evaluator.getVariables();
  auto [entry, isNew] = fieldVariables.try_emplace({op, field.str(), use}, 0);
  if (isNew) {
    auto state = evaluator.getContext().lookupSymbol<StateOp>(field);
    Variable variable;
    variable.kind = Variable::Kind::Named;
    variable.symbol = ("state." + field).str();
    variable.interval =
        Interval::unsignedBits(state.getElement().getIntOrFloatBitWidth());
    entry->second = variables.create(std::move(variable));
  }
  return LinearExpr::variable(entry->second);
}

void HandlerFacts::loadField(StateLoadOp load) {
  StringRef field = load.getField();
  if (!isTracked(field))
    return;
  auto found = fields.find(field.str());
  if (found == fields.end())
    found = fields.emplace(field.str(), fieldVariable(load, field, 0)).first;
  evaluator.setNumber(load, found->second);
}

/// Before (use 0) and after (use 1) what may run any number of times.
void HandlerFacts::forgetFields(Operation *op, unsigned use) {
  op->walk([&](StateStoreOp store) {
    if (isTracked(store.getField()))
      fields[store.getField().str()] = fieldVariable(op, store.getField(), use);
  });
}

/// `fields` is what the `else` region leaves.
void HandlerFacts::joinFields(scf::IfOp branch, Fields thenFields,
                              bool elseExits) {
  if (elseExits) {
    fields = std::move(thenFields);
    return;
  }
  Fields joined;
  for (const auto &[field, value] : thenFields) {
    auto other = fields.find(field);
    if (other == fields.end())
      continue;
    if (other->second == value) {
      joined.emplace(field, value);
      continue;
    }
    LinearExpr result = fieldVariable(branch, field, 0);
    Formula first = evaluator.condition(branch.getCondition(), true);
    Formula second = evaluator.condition(branch.getCondition(), false);
    first.conjoin(Formula::equal(result, value));
    second.conjoin(Formula::equal(result, other->second));
    evaluator.getVariables()[*result.getIfVariable()].definition =
        Formula::either(std::move(first), std::move(second));
    joined.emplace(field, std::move(result));
  }
  fields = std::move(joined);
}

/// What holds at each end of this handler.
std::vector<HandlerFacts::Outcome> HandlerFacts::outcomes() {
  std::vector<Outcome> result;
  size_t first = facts.size();
  auto record = [&] { result.push_back({facts.copyFrom(first), fields}); };
  walk([&](Operation *op) {
    if (isa<ReturnOp, ExitOp>(op))
      return record();
    if (auto require = dyn_cast<RequireOp>(op)) {
      size_t mark = facts.size();
      facts.push(evaluator.condition(require.getCondition(), false));
      record();
      facts.truncate(mark);
    }
  });
  return result;
}

void HandlerFacts::assumeHeader(HandlerOp header) {
  constexpr size_t maxOutcomes = 6;
  std::vector<std::string> used;
  handler.walk([&](StateLoadOp load) {
    if (isTracked(load.getField()) &&
        !llvm::is_contained(used, load.getField().str()))
      used.push_back(load.getField().str());
  });
  if (used.empty())
    return;
  HandlerFacts before(header, depth);
  std::vector<Outcome> ends = before.outcomes();
  if (ends.size() > maxOutcomes)
    return;
  Importer importer(before.evaluator.getVariables(), evaluator);
  header.walk([&](WireLoadOp load) {
    SlicePlace place = before.evaluator.place(load.getSlice());
    LinearExpr at = place.offset + before.evaluator.number(load.getOffset());
    if (handler.getKind() == HandlerKind::Payload &&
        evaluator.getContext().getLink() == Link::Portals &&
        before.evaluator.isPristine(load) && load.getType().isInteger(32) &&
        load.getOrder() == ByteOrder::Little &&
        at == LinearExpr::number(PORTALS_MESSAGE_LENGTH) &&
        place.root.getDefiningOp<PacketBytesOp>())
      evaluator.setMessageLength(
          importer.translate(before.evaluator.number(load)));
  });
  for (const std::string &field : used)
    fields[field] = fieldVariable(header, field, 0);
  std::vector<Formula> alternatives;
  for (const Outcome &end : ends) {
    Formula all;
    for (const Formula &fact : end.facts)
      all.conjoin(importer.translate(fact));
    for (const std::string &field : used)
      if (auto value = end.fields.find(field); value != end.fields.end())
        all.conjoin(
            Formula::equal(fields[field], importer.translate(value->second)));
    alternatives.push_back(std::move(all));
  }
  assumeOutcomes(std::move(alternatives));
}

void HandlerFacts::assumeOutcomes(std::vector<Formula> alternatives) {
  llvm::erase_if(alternatives,
                 [](const Formula &each) { return each.isNever(); });
  if (alternatives.size() == 1) {
    // One by one, for a query to choose among them.
    for (const Constraint &constraint : alternatives[0].constraints)
      facts.push(Formula{{constraint}, {}});
    for (const Split &split : alternatives[0].splits)
      facts.push(Formula{{}, {split}});
    headerOutcomes.clear();
    return;
  }
  if (alternatives.empty() ||
      llvm::any_of(alternatives,
                   [](const Formula &each) { return each.isTrivial(); }))
    return;
  headerOutcomes = alternatives;
  facts.push(Formula{{}, {Split{std::move(alternatives)}}});
}

/// Takes back, in this handler, the ways to end that contradict what has been
/// required of the fields: a message that the header handler dropped.
void HandlerFacts::dropOutcomes() {
  if (headerOutcomes.empty() || searching)
    return;
  Solver solver = getSolver();
  auto isExcluded = [&](const Constraint &constraint) {
    return constraint.equality &&
           (solver.impliesSimply({constraint.expr - 1, false}) ||
            solver.impliesSimply({constraint.expr * Integer(-1) - 1, false}));
  };
  std::vector<Formula> possible;
  for (const Formula &outcome : headerOutcomes)
    if (llvm::none_of(outcome.constraints, isExcluded))
      possible.push_back(outcome);
  if (possible.size() == 1)
    assumeOutcomes(std::move(possible));
}
