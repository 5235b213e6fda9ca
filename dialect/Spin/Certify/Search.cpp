// Facts come in from the goal outwards until they exclude its failure in
// fractions. If they never do, integers are rounded, products and quotients of
// unknowns are looked into, and at last cases are split.
#include "dialect/Spin/Certify/Search.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::certify;
using meaning::AtomKind;
using presburger::Fraction;

static constexpr unsigned maxAtoms = 48;
static constexpr unsigned maxRows = 200;
static constexpr unsigned maxRounds = 6;
static constexpr unsigned maxCuts = 12;
static constexpr unsigned maxDepth = 8;
/// Sets of facts that one search may look at.
static constexpr unsigned maxSets = 96;

SmallVector<Value> SearchFacts::knownConditions() const {
  SmallVector<Value> result;
  for (const Event &event : trail)
    if (event.kind == Event::Known)
      result.push_back(event.condition);
  return result;
}

const meaning::Constraints &SearchFacts::truthOf(Value condition) {
  auto [entry, isNew] = remembered.try_emplace({condition, *known(condition)});
  if (isNew) {
    Constraints found = Induction::truthOf(condition);
    remembered[{condition, *known(condition)}] = found;
    return remembered[{condition, *known(condition)}];
  }
  return entry->second;
}

const meaning::Constraints &SearchFacts::inherited() {
  if (!left)
    left = handler.getKind() == HandlerKind::Header || handler.isFunction()
               ? Constraints()
               : headerClaims();
  return *left;
}

Search::Search(SearchFacts &facts, const meaning::Obligation &obligation)
    : facts(facts), obligation(obligation),
      fuel(std::make_shared<unsigned>(maxSets)) {
  for (const Form &goal : obligation.goals)
    isClosed |= addKnown({Form(Int(-1)).minus(goal)});
  if (obligation.everywhere)
    isClosed |= addKnown({facts.payload()});
}

SmallVector<Int> Search::coefficients(const Form &form) {
  for (const auto &[id, factor] : form.terms)
    if (columns.try_emplace(id, columns.size()).second)
      polyhedron.addVariable();
  SmallVector<Int> row(columns.size() + 1, Int(0));
  for (const auto &[id, factor] : form.terms)
    row[columns.lookup(id)] = factor;
  row.back() = form.constant;
  return row;
}

/// Adds a fact, rounded to integers; true if nothing satisfies all of them now.
bool Search::addRow(const Cite &cite, const Constraint &fact) {
  Int divisor(0);
  for (const auto &[id, factor] : fact.form.terms)
    divisor = gcd(divisor, abs(factor));
  if (!fact.equality && divisor > 1 && fact.form.constant % divisor != 0) {
    addName(cite, fact);
    if (cite.kind == 'k')
      rows.push_back({cite, fact});
    return addSum({{Int(1), Row{cite, fact}}});
  }
  return addExactly(cite, fact);
}

/// Notes the atoms that a fact mentions.
void Search::addName(const Cite &cite, const Constraint &fact) {
  size_t old = names.size();
  facts.mention(fact.form, names);
  for (size_t i = old; i < names.size(); ++i)
    sources->try_emplace(names[i], Row{cite, fact});
}

bool Search::addExactly(const Cite &cite, const Constraint &fact) {
  addName(cite, fact);
  rows.push_back({cite, fact});
  if (polyhedron.isEmpty() || names.size() > maxAtoms || rows.size() > maxRows)
    return false;
  SmallVector<Int> row = coefficients(fact.form);
  origins.emplace_back(rows.size() - 1, 1);
  if (polyhedron.add(row) && fact.equality) {
    for (Int &factor : row)
      factor = -factor;
    origins.emplace_back(rows.size() - 1, -1);
    polyhedron.add(row);
  }
  if (!polyhedron.isEmpty())
    return false;
  close();
  return true;
}

bool Search::addKnown(const Constraint &fact) {
  return addRow({'k', (*identities)++, 0}, fact);
}

/// Adds the sum of facts, rounded to integers.
bool Search::addSum(ArrayRef<std::pair<Int, Row>> terms) {
  Step step;
  step.terms.assign(terms.begin(), terms.end());
  Form sum;
  Int divisor(0);
  for (const auto &[factor, row] : terms)
    sum = sum.plus(row.fact.form, factor);
  for (const auto &[id, factor] : sum.terms)
    divisor = gcd(divisor, abs(factor));
  if (divisor > 1) {
    for (auto &[id, factor] : sum.terms)
      factor = factor / divisor;
    sum.constant = floorDiv(sum.constant, divisor);
  }
  step.known = *identities;
  step.facts[0] = {sum};
  steps.push_back(step);
  return addKnown({sum});
}

/// The facts that blame the last inequality of an empty polyhedron.
static SmallVector<std::pair<Int, Row>>
gather(const Polyhedron &polyhedron, const std::vector<Row> &rows,
       ArrayRef<std::pair<unsigned, int>> origins) {
  std::map<unsigned, Int> sums;
  for (const auto &[index, factor] : polyhedron.refutation())
    if (index < origins.size())
      sums[origins[index].first] += factor * Int(origins[index].second);
  Int divisor(0);
  for (const auto &[row, factor] : sums)
    divisor = gcd(divisor, abs(factor));
  SmallVector<std::pair<Int, Row>> result;
  for (const auto &[row, factor] : sums)
    if (factor != 0)
      result.emplace_back(factor / divisor, rows[row]);
  return result;
}

void Search::close() {
  isClosed = true;
  Step step;
  step.terms = gather(polyhedron, rows, origins);
  step.known = (*identities)++;
  step.facts[0] = {Form(Int(-1))};
  steps.push_back(std::move(step));
}

/// The facts that exclude `assumed` >= 0 in fractions.
std::optional<SmallVector<std::pair<Int, Row>>>
Search::refutation(const Form &assumed) {
  SmallVector<Int> row = coefficients(assumed);
  Polyhedron smaller = polyhedron;
  if (smaller.add(row))
    return std::nullopt;
  return gather(smaller, rows, origins);
}

bool Search::expandTruths(bool onlyPresent) {
  SmallVector<Value> conditions = facts.knownConditions();
  for (Value condition : llvm::reverse(conditions)) {
    if (obligation.everywhere && !facts.isInstalled(condition))
      continue;
    const auto &found = facts.truthOf(condition);
    for (auto [part, fact] : llvm::enumerate(found)) {
      auto isPresent = [&](const auto &term) {
        return columns.count(term.first);
      };
      bool fits = onlyPresent ? llvm::all_of(fact.form.terms, isPresent)
                              : llvm::any_of(fact.form.terms, isPresent);
      bool isTrue =
          fact.form.terms.empty() &&
          (fact.equality ? fact.form.constant == 0 : fact.form.constant >= 0);
      if (!fits || isTrue ||
          !truthsAdded.insert({condition, unsigned(part)}).second)
        continue;
      if (addRow({'t', facts.numberOf(condition), unsigned(part)}, fact))
        return true;
    }
  }
  return false;
}

/// Brings in what is known of an atom.
bool Search::expandAtom(AtomId id) {
  // Ratios want to be looked into, see `ratios`.
  meaning::Atom atom = *id;
  if (atom.kind != AtomKind::Ratio)
    for (auto [part, fact] : llvm::enumerate(facts.axiomsOf(id)))
      if (addRow({'a', 0, unsigned(part), id}, fact))
        return true;
  if (atom.kind == AtomKind::Field && !obligation.everywhere)
    for (auto [index, fact] : llvm::enumerate(facts.inherited()))
      if (llvm::any_of(fact.form.terms,
                       [&](const auto &term) { return term.first == id; }) &&
          claimsAdded.insert(index).second &&
          addRow({'h', unsigned(index)}, fact))
        return true;
  if (!atom.value || obligation.everywhere || !facts.isAvailable(atom.value))
    return false;
  unsigned number = facts.numberOf(atom.value);
  for (auto [part, fact] : llvm::enumerate(facts.factsOf(atom.value)))
    if (addRow({'v', number, unsigned(part)}, fact))
      return true;
  for (auto [part, fact] : llvm::enumerate(facts.invariantsOf(atom.value)))
    if (addRow({'i', number, unsigned(part)}, fact))
      return true;
  // The results of a loop are known by the invariants of its variables.
  if (Operation *loop = atom.value.getDefiningOp();
      isa_and_nonnull<scf::ForOp, ForPiecesOp>(loop)) {
    Value argument = loop->getRegion(0).getArguments().back();
    for (auto [part, fact] : llvm::enumerate(facts.invariantsOf(argument)))
      if (addRow({'i', facts.numberOf(argument), unsigned(part)}, fact))
        return true;
  }
  if (llvm::is_contained(facts.loads, atom.value))
    for (Value other : facts.loads) {
      if (other == atom.value)
        break;
      for (const Constraint &fact : facts.isAvailable(other)
                                        ? facts.sameBytes(other, atom.value)
                                        : Constraints())
        if (addRow({'s', facts.numberOf(other), number}, fact))
          return true;
    }
  return false;
}

bool Search::expand() {
  for (unsigned round = 0; round < maxRounds; ++round) {
    size_t before = rows.size();
    for (size_t end = names.size(); expanded < end;)
      if (expandAtom(names[expanded++]))
        return true;
    if (expandTruths(true))
      return true;
    if (rows.size() == before && expandTruths(false))
      return true;
    if (rows.size() == before && expanded == names.size())
      return false;
  }
  return false;
}

/// Rounds the range of one atom that is fractional now to integers.
bool Search::cut() {
  auto sample = polyhedron.sample();
  if (!sample)
    return false;
  for (size_t i = 0; i < names.size(); ++i) {
    auto column = columns.find(names[i]);
    if (column == columns.end() || column->second >= sample->size())
      continue;
    const Fraction &value = (*sample)[column->second];
    if (value.num % value.den == 0)
      continue;
    for (bool upper : {false, true}) {
      std::optional<Fraction> best =
          polyhedron.optimum(coefficients(Form::of(names[i])), upper);
      if (!best || best->num % best->den == 0)
        continue;
      if (std::optional<Row> row = bound(names[i], upper))
        return true;
    }
  }
  return false;
}

/// Makes the largest (smallest) value of an atom a known fact.
std::optional<Row> Search::bound(AtomId id, bool upper) {
  Form atom = Form::of(id);
  std::optional<Fraction> best = polyhedron.optimum(coefficients(atom), upper);
  if (!best)
    return std::nullopt;
  Form beyond = upper ? atom.plus(Form(-floor(*best) - 1))
                      : Form(ceil(*best) - 1).minus(atom);
  auto terms = refutation(beyond);
  if (!terms)
    return std::nullopt;
  addSum(*terms);
  return Row{{'k', steps.back().known, 0}, steps.back().facts[0]};
}

/// Proves form >= 0 and makes it known.
bool Search::lemma(const Form &form) {
  if (form.terms.empty())
    return form.constant >= 0;
  auto terms = refutation(Form(Int(-1)).minus(form));
  if (terms)
    addSum(*terms);
  return terms.has_value();
}

bool Search::ratios(AtomId id) {
  meaning::Atom atom = *id;
  if (!lemma(atom.bottom.plus(Form(Int(-1)))) || isClosed || !lemma(atom.top))
    return isClosed;
  for (auto [part, fact] : llvm::enumerate(facts.axiomsOf(id)))
    if (!isClosed && addRow({'a', 0, unsigned(part), id}, fact))
      return true;
  return isClosed || expand();
}

/// Multiplies the ranges of the two factors of a product.
bool Search::products(AtomId id) {
  meaning::Atom atom = *id;
  if (atom.factors.size() != 2)
    return false;
  SmallVector<Row> ranges[2];
  for (int side : {0, 1})
    for (bool upper : {false, true}) {
      std::optional<Row> row = bound(atom.factors[side], upper);
      if (isClosed)
        return true;
      if (row)
        ranges[side].push_back(*row);
    }
  for (const Row &left : ranges[0])
    for (const Row &right : ranges[1]) {
      Step step;
      step.kind = Step::Product;
      step.terms = {{Int(1), left}, {Int(1), right}};
      step.known = *identities;
      step.facts[0] = {facts.multiply(left.fact.form, right.fact.form)};
      steps.push_back(step);
      if (addKnown(step.facts[0]))
        return true;
    }
  return expand();
}

/// Looks into a product or ratio that was not looked into before. True if
/// something came of it.
bool Search::refine() {
  for (size_t i = 0; i < names.size(); ++i) {
    AtomKind kind = names[i]->kind;
    if ((kind != AtomKind::Ratio && kind != AtomKind::Product) ||
        !refined.insert(names[i]).second)
      continue;
    size_t before = rows.size();
    if (kind == AtomKind::Ratio ? ratios(names[i]) : products(names[i]))
      return true;
    if (rows.size() != before)
      return true;
  }
  return false;
}

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
               inner.addChoices() || inner.solve(depth + 1);
    facts.undo(mark);
    if (!closed)
      return false;
    step.branches[i] = std::move(inner.steps);
  }
  steps.push_back(std::move(step));
  isClosed = true;
  return true;
}

/// Brings in what a condition that is known now tells of the atoms met before.
bool Search::addChoices() {
  for (size_t i = 0; i < expanded; ++i) {
    Value value = names[i]->value;
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
    for (AtomId id : names) {
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
  auto sample = polyhedron.sample();
  if (!sample)
    return false;
  for (AtomId id : names) {
    auto column = columns.find(id);
    if (column == columns.end() || column->second >= sample->size())
      continue;
    const Fraction &value = (*sample)[column->second];
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

bool Search::solve(unsigned depth) {
  if (*fuel == 0)
    return false;
  --*fuel;
  if (isClosed || expand() || tighten())
    return true;
  for (unsigned count = 0; count < maxCuts; ++count) {
    bool progress = cut();
    if (isClosed)
      return true;
    if (!progress && !refine())
      break;
    if (isClosed || expand())
      return true;
  }
  return splits(depth);
}

/// Rounds the range of each quotient to integers: most say only that a sum
/// does not wrap.
bool Search::tighten() {
  for (size_t i = 0; i < names.size() && !isClosed; ++i)
    if (names[i]->kind == AtomKind::Quotient && refined.insert(names[i]).second)
      for (bool upper : {true, false})
        if (!isClosed)
          bound(names[i], upper);
  return isClosed;
}

bool Search::holdsSimply() {
  return (facts.isDead() && !obligation.everywhere) || isClosed || expand() ||
         tighten();
}

std::optional<Int> Search::minimum(const Form &form) {
  facts.mention(form, names);
  SmallVector<Int> row = coefficients(form);
  if (expand() || tighten())
    return std::nullopt;
  row = coefficients(form);
  std::optional<Fraction> least = polyhedron.optimum(row, false);
  return least ? std::optional<Int>(ceil(*least)) : std::nullopt;
}

std::optional<std::string> Search::run() {
  size_t mark = facts.mark();
  if (obligation.given.first)
    facts.assume(obligation.given.first, obligation.given.second);
  std::optional<std::string> result = find();
  facts.undo(mark);
  return result;
}

std::optional<std::string> Search::find() {
  // What fails without any fact needs none.
  bool isPlain = llvm::any_of(obligation.goals, [](const Form &goal) {
    return goal.terms.empty() && goal.constant >= 0;
  });
  if (isPlain || (facts.isDead() && !obligation.everywhere))
    return "";
  if (!isClosed && !solve(0))
    return std::nullopt;
  return spell(facts, obligation, steps, *sources);
}
