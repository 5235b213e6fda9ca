// Cases: what a choice was made by, parts of a disjunction, and integers around
// a fraction.
#include "dialect/Spin/Certify/Search.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::certify;
using meaning::AtomKind;
using presburger::Fraction;

static constexpr unsigned maxDepth = 24;

bool Search::split(const Cite &cite, const Int &limit,
                   const meaning::Cases &two, unsigned depth) {
  Step step;
  step.kind = Step::Cases;
  step.cite = cite;
  step.limit = limit;
  step.facts = two.facts;
  step.known = *identities;
  *identities += 2;
  for (unsigned i : {0, 1}) {
    Search inner = *this;
    inner.steps.clear();
    size_t mark = facts.mark();
    if (two.truths[i].first)
      facts.assume(two.truths[i].first, two.truths[i].second);
    bool closed = facts.isDead() && !obligation.everywhere;
    if (!closed)
      closed = inner.addRow({'k', step.known + i}, two.facts[i]) ||
               inner.addChoices(mark) || inner.solve(depth + 1);
    facts.undo(mark);
    if (!closed)
      return false;
    step.branches[i] = std::move(inner.steps);
    step.sources[i] = std::move(inner.sources);
  }
  steps.push_back(std::move(step));
  isClosed = true;
  return true;
}

/// Brings in what the conditions known since `mark` tell, and what they tell of
/// the atoms met before.
bool Search::addChoices(size_t mark) {
  for (Value condition : facts.knownConditions(mark))
    if (!obligation.everywhere || SearchFacts::isInstalled(condition))
      for (unsigned part = 0; part < facts.truthOf(condition).size(); ++part)
        if (truthsNoted.insert({condition, part}).second &&
            addTruth(condition, part))
          return true;
  for (size_t i = 0; i < expanded; ++i) {
    Value value = present[i]->value;
    Value condition = value ? facts.choice(value)[0] : Value();
    if (!condition || !facts.known(condition) || !chosen.insert(value).second)
      continue;
    for (auto [part, fact] : llvm::enumerate(facts.factsOf(value)))
      if (addRow({'v', facts.numberOf(value), unsigned(part)}, fact))
        return true;
  }
  return false;
}

/// Splits on a known disjunction about what is looked at.
std::optional<bool> Search::splitDisjunction(unsigned depth) {
  for (Value condition : facts.knownConditions()) {
    if (disjunctionsSplit.contains(condition))
      continue;
    std::optional<meaning::Cases> two = facts.casesOf(condition);
    if (!two || (two->truths[0].first && (facts.known(two->truths[0].first) ||
                                          facts.known(two->truths[1].first))))
      continue;
    SmallVector<AtomId> mentioned;
    for (const Constraint &fact : two->facts)
      facts.mention(fact.form, mentioned);
    for (const auto &[part, truth] : two->truths)
      if (auto cmp =
              part ? part.getDefiningOp<arith::CmpIOp>() : arith::CmpIOp())
        for (Value operand : cmp->getOperands())
          facts.mention(facts.number(operand), mentioned);
    if (llvm::none_of(
            mentioned,
            [&](AtomId id) { return llvm::is_contained(names, id); }) &&
        !(two->truths[0].first && mentioned.empty()))
      continue;
    disjunctionsSplit.insert(condition);
    return split({'o', facts.numberOf(condition)}, Int(0), *two, depth);
  }
  return std::nullopt;
}

bool Search::splits(unsigned depth) {
  if (depth >= maxDepth)
    return false;
  if (!obligation.everywhere) {
    for (AtomId id : present) {
      Value value = id->value;
      if (!value || !facts.isAvailable(value))
        continue;
      Value condition = facts.choice(value)[0];
      if (condition && !facts.known(condition))
        return split({'b', facts.numberOf(condition)}, Int(0),
                     {{}, {{{condition, true}, {condition, false}}}}, depth);
      // A loop's result tells of its rounds, which few proofs are about.
      if (value.getDefiningOp<scf::ForOp>() && id->kind != AtomKind::Rounds)
        continue;
      std::optional<meaning::Cases> two = facts.casesOf(value);
      if (two && !facts.known(value) && refined.insert(id).second)
        return split({'o', facts.numberOf(value)}, Int(0), *two, depth);
    }
    if (std::optional<bool> result = splitDisjunction(depth))
      return *result;
  }
  for (AtomId id : present) {
    Fraction value = polyhedron.sample(columns.lookup(id));
    if (value.num % value.den == 0)
      continue;
    Form atom = Form::of(id), limit(floor(value));
    return split(
        {'a', 0, 0, id}, floor(value),
        {{{{limit.minus(atom)}, {atom.minus(limit).plus(Form(Int(-1)))}}}, {}},
        depth);
  }
  return false;
}
