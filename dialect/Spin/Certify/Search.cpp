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
/// Sums of facts, for which there is room when facts have taken all of theirs.
static constexpr unsigned maxSums = 64;
static constexpr unsigned maxCuts = 12;
/// Sets of facts that one search may look at.
static constexpr unsigned maxSets = 96;

bool spinc::spin::certify::holdsPlainly(const meaning::Obligation &obligation) {
  return llvm::any_of(obligation.goals, [](const Form &goal) {
    return goal.terms.empty() && goal.constant >= 0;
  });
}

Search::Search(SearchFacts &facts, const meaning::Obligation &obligation,
               Effort effort, Order order)
    : facts(facts), obligation(obligation), effort(effort), order(order),
      fuel(std::make_shared<unsigned>(maxSets)) {
  // Most take no more.
  constexpr size_t usual = 16;
  rows.reserve(usual);
  origins.reserve(usual);
  // What the checker knows at first has the first numbers; rounding comes
  // after.
  std::vector<Constraint> given;
  for (const Form &goal : obligation.goals)
    given.push_back({Form(Int(-1)).minus(goal)});
  if (obligation.everywhere)
    given.push_back({facts.payload()});
  *identities = given.size();
  for (auto [index, fact] : llvm::enumerate(given))
    isClosed = isClosed || addRow({'k', unsigned(index)}, fact);
}

Polyhedron::Sum Search::columnsOf(const Form &form) {
  Polyhedron::Sum sum;
  for (const auto &[id, factor] : form.terms) {
    auto [column, isNew] = columns.try_emplace(id, columns.size());
    if (isNew) {
      present.push_back(id);
      polyhedron.addVariable();
    }
    sum.emplace_back(column->second, factor);
  }
  return sum;
}

/// Adds a fact, rounded to integers; true if nothing satisfies all of them now.
bool Search::addRow(const Cite &cite, const Constraint &fact) {
  Int divisor(0);
  for (const auto &[id, factor] : fact.form.terms)
    divisor = gcd(divisor, abs(factor));
  if (divisor > 1 && fact.form.constant % divisor != 0) {
    addName(cite, fact);
    if (cite.kind == 'k')
      rows.push_back({cite, fact});
    Row row{cite, fact};
    return addSum({{Int(1), row}}) ||
           (fact.equality && addSum({{Int(-1), row}}));
  }
  return addExactly(cite, fact);
}

/// Notes the atoms that a fact mentions.
void Search::addName(const Cite &cite, const Constraint &fact) {
  size_t old = names.size();
  facts.mention(fact.form, names);
  for (size_t i = old; i < names.size(); ++i)
    sources.try_emplace(names[i], Row{cite, fact});
}

bool Search::addExactly(const Cite &cite, const Constraint &fact) {
  addName(cite, fact);
  rows.push_back({cite, fact});
  auto isNew = [&](const auto &term) { return !columns.count(term.first); };
  if (polyhedron.isEmpty() ||
      rows.size() > maxRows + (cite.kind == 'k' ? maxSums : 0) ||
      (isFull() && llvm::any_of(fact.form.terms, isNew)))
    return false;
  Polyhedron::Sum sum = columnsOf(fact.form);
  origins.emplace_back(rows.size() - 1, 1);
  if (polyhedron.add(sum, fact.form.constant) && fact.equality) {
    for (auto &[column, factor] : sum)
      factor = -factor;
    origins.emplace_back(rows.size() - 1, -1);
    polyhedron.add(sum, -fact.form.constant);
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

/// The facts that a polyhedron, of these rows and perhaps one more, blames.
SmallVector<std::pair<Int, Row>>
Search::blamed(const Polyhedron &polyhedron) const {
  std::map<unsigned, Int> sums;
  for (const auto &[index, factor] : polyhedron.blame())
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
  step.terms = blamed(polyhedron);
  step.known = (*identities)++;
  step.facts[0] = {Form(Int(-1))};
  steps.push_back(std::move(step));
}

/// The facts that exclude `assumed` >= 0 in fractions.
std::optional<SmallVector<std::pair<Int, Row>>>
Search::refutation(const Form &assumed) {
  Polyhedron::Sum sum = columnsOf(assumed);
  Polyhedron smaller = polyhedron;
  if (smaller.add(sum, assumed.constant))
    return std::nullopt;
  return blamed(smaller);
}

/// Looks up what conditions tell of atoms, or have come to tell since.
void Search::noteTold() {
  /// A number that many conditions are about, as the length of the packet,
  /// is rarely all that a fact worth having is about.
  constexpr size_t maxTold = 64;
  size_t old = waiting.size();
  for (AtomId id : present) {
    ArrayRef<SearchFacts::Told> told = facts.toldOf(id);
    size_t &seen = toldSeen[id];
    for (seen = std::max(seen, told.size() - std::min(told.size(), maxTold));
         seen < told.size(); ++seen)
      if ((!obligation.everywhere ||
           SearchFacts::isInstalled(told[seen].condition)) &&
          truthsNoted.insert({told[seen].condition, told[seen].part}).second)
        waiting.push_back(told[seen]);
  }
  // The latest first.
  if (waiting.size() != old)
    llvm::sort(waiting, [](const auto &one, const auto &other) {
      return std::pair(one.serial, other.part) >
             std::pair(other.serial, one.part);
    });
}

bool Search::addTruth(Value condition, unsigned part) {
  const Constraint &fact = facts.truthOf(condition)[part];
  bool isTrue =
      fact.form.terms.empty() &&
      (fact.equality ? fact.form.constant == 0 : fact.form.constant >= 0);
  return !isTrue &&
         addRow({'t', facts.numberOf(condition), part}, Constraint(fact));
}

/// Brings in what conditions tell about numbers that are present, or a few
/// facts that tell of other numbers too.
bool Search::expandTruths(bool onlyPresent) {
  constexpr unsigned maxAtOnce = 12;
  noteTold();
  std::vector<SearchFacts::Told> now, later;
  for (const SearchFacts::Told &each : waiting) {
    const Constraint &fact = facts.truthOf(each.condition)[each.part];
    bool fits = onlyPresent ? llvm::all_of(fact.form.terms,
                                           [&](const auto &term) {
                                             return columns.count(term.first);
                                           })
                            : now.size() < maxAtOnce;
    (fits ? now : later).push_back(each);
  }
  waiting = std::move(later);
  for (const SearchFacts::Told &each : now)
    if (addTruth(each.condition, each.part))
      return true;
  return false;
}

/// Brings in what the latest conditions tell, whatever they are about.
bool Search::addRemote() {
  constexpr size_t maxConditions = 16;
  SmallVector<Value> conditions = facts.knownConditions();
  for (Value condition : llvm::reverse(
           ArrayRef(conditions)
               .take_back(std::min(maxConditions, conditions.size()))))
    for (unsigned part = 0; part < facts.truthOf(condition).size(); ++part)
      if (truthsNoted.insert({condition, part}).second &&
          addTruth(condition, part))
        return true;
  return false;
}

/// Whether a fact is about many numbers that nothing has been asked of yet.
bool Search::leadsOn(const Constraint &fact) const {
  constexpr unsigned maxNew = 2;
  return llvm::count_if(fact.form.terms, [&](const auto &term) {
           return !columns.count(term.first);
         }) > maxNew;
}

/// Brings in what is known of an atom, whatever goes on around it.
bool Search::expandAtom(AtomId id) {
  // Ratios want to be looked into, see `ratios`.
  if (id->kind != AtomKind::Ratio) {
    for (auto [part, fact] : llvm::enumerate(facts.axiomsOf(id)))
      if (leadsOn(fact))
        postponed.emplace_back(id, part);
      else if (addRow({'a', 0, unsigned(part), id}, fact))
        return true;
  }
  if (!id->value || obligation.everywhere || !facts.isAvailable(id->value))
    return false;
  unsigned number = facts.numberOf(id->value);
  for (auto [part, fact] : llvm::enumerate(facts.factsOf(id->value)))
    if (addRow({'v', number, unsigned(part)}, fact))
      return true;
  return addLoadsLike(id->value);
}

/// Brings in that other loads are of the same bytes. Of many loads those matter
/// that conditions tell of, or that came in otherwise.
bool Search::addLoadsLike(Value loaded) {
  constexpr size_t fewLoads = 8;
  const void *key = loaded.getAsOpaquePointer();
  for (auto [index, other] : llvm::enumerate(facts.loadsLike(loaded))) {
    auto matters = [&](const auto &term) {
      return term.first->value != loaded &&
             (columns.count(term.first) || !facts.toldOf(term.first).empty());
    };
    // What is alike through a third load needs no row of its own.
    if (!facts.isAvailable(other) ||
        alike.isEquivalent(key, other.getAsOpaquePointer()))
      continue;
    for (const Constraint &fact : facts.sameBytes(other, loaded)) {
      if (index >= fewLoads && llvm::none_of(fact.form.terms, matters))
        continue;
      alike.unionSets(key, other.getAsOpaquePointer());
      if (addRow({'s', facts.numberOf(other), facts.numberOf(loaded)}, fact))
        return true;
    }
  }
  return false;
}

/// Brings in what leads to many other atoms, as long sums do. The sum of a
/// parser's cursor is over earlier sums, of which there may be too many to look
/// at, while a few conditions tell where it is.
bool Search::expandPostponed() {
  if (postponed.empty())
    return false;
  size_t before = rows.size();
  if (order == Order::ConditionsFirst && !hadPostponed && !isFull()) {
    hadPostponed = true;
    // What is here may do, once rounded.
    constexpr unsigned fewCuts = 4;
    for (unsigned count = 0; count < fewCuts && cut(); ++count)
      if (isClosed)
        return true;
    if (expandTruths(false))
      return true;
  }
  hadPostponed = true;
  if (rows.size() != before)
    return false;
  while (!postponed.empty() && !isFull()) {
    auto [id, part] = postponed.front();
    postponed.erase(postponed.begin());
    if (addRow({'a', 0, part, id}, facts.axiomsOf(id)[part]))
      return true;
  }
  return false;
}

/// Brings in claims of the header handler and of loops about the atoms.
bool Search::expandClaims() {
  while (claimed < present.size() && !isFull()) {
    AtomId id = present[claimed++];
    if (obligation.everywhere)
      continue;
    if (id->kind == AtomKind::Field)
      for (auto [index, fact] : llvm::enumerate(facts.inherited()))
        if (llvm::any_of(fact.form.terms,
                         [&](const auto &term) { return term.first == id; }) &&
            claimsAdded.insert(index).second &&
            addRow({'h', unsigned(index)}, fact))
          return true;
    Value value = id->value;
    if (!value || !facts.isAvailable(value))
      continue;
    // The variables of a loop share its claims, which its results are known by.
    Operation *loop = value.getDefiningOp();
    if (!loop)
      loop = value.getParentBlock()->getParentOp();
    if (!meaning::isLoop(loop) || loop->getRegion(0).getNumArguments() == 0)
      continue;
    Value argument = loop->getRegion(0).getArguments().back();
    for (auto [part, fact] : llvm::enumerate(facts.invariantsOf(argument)))
      if (llvm::any_of(fact.form.terms,
                       [&](const auto &term) { return term.first == id; }) &&
          invariantsAdded.insert({argument, unsigned(part)}).second &&
          addRow({'i', facts.numberOf(argument), unsigned(part)}, fact))
        return true;
  }
  return false;
}

/// Whether no more facts can be taken in.
bool Search::isFull() const {
  return present.size() > maxAtoms || rows.size() > maxRows;
}

bool Search::expand() {
  while (true) {
    for (; expanded < present.size() && !isFull(); ++expanded)
      if (expandAtom(present[expanded]))
        return true;
    size_t before = rows.size();
    if (expandTruths(true) || (rows.size() == before && expandClaims()) ||
        (rows.size() == before && expandPostponed()) ||
        (rows.size() == before && !isFull() && expandTruths(false)))
      return true;
    if (isFull() || (expanded == present.size() && rows.size() == before))
      return false;
  }
}

bool Search::isTired() const {
  // What is found without splitting cases takes less than a thousandth.
  constexpr uint64_t mostForGuess = 400000, mostForObligation = 8000000;
  return polyhedron.work() >
         (effort == Effort::Guess ? mostForGuess : mostForObligation);
}

bool Search::solve(unsigned depth) {
  if (*fuel == 0 || isTired())
    return false;
  --*fuel;
  if (isClosed || (depth == 0 && multiplyGoals()) || expand() || tighten())
    return true;
  for (unsigned count = 0; count < maxCuts; ++count) {
    if (isTired())
      return false;
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

bool Search::holdsSimply() {
  return (facts.isDead() && !obligation.everywhere) || isClosed || expand() ||
         tighten();
}

std::optional<Int> Search::minimum(const Form &form) {
  facts.mention(form, names);
  Polyhedron::Sum sum = columnsOf(form);
  if (expand() || tighten())
    return std::nullopt;
  std::optional<Fraction> least = polyhedron.optimum(sum, false);
  return least ? std::optional<Int>(ceil(*least) + form.constant)
               : std::nullopt;
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
  if (holdsPlainly(obligation) || (facts.isDead() && !obligation.everywhere))
    return "";
  if (isClosed || solve(0))
    return spell(facts, obligation, steps, sources);
  if (hadPostponed && effort == Effort::Obligation) {
    Search other(facts, obligation, effort, Order::SumsFirst);
    if (other.isClosed || other.solve(0))
      return spell(facts, obligation, other.steps, other.sources);
  }
  // The place may never be reached for reasons that the goal is not about.
  Search unlikely(facts, obligation);
  if (!obligation.everywhere &&
      (unlikely.isClosed || unlikely.addRemote() || unlikely.solve(0)))
    return spell(facts, obligation, unlikely.steps, unlikely.sources);
  return std::nullopt;
}
