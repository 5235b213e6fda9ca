// Writes certificates down. Atoms are named by the order in which the checker
// meets them, known facts by the order in which they become known.
#include "dialect/Spin/Certify/Search.h"

using namespace spinc::spin;
using namespace spinc::spin::certify;
using meaning::AtomKind;
using meaning::Obligation;

namespace {

class Speller {
public:
  Speller(SearchFacts &facts, const Obligation &obligation,
          const Sources &sources)
      : facts(facts), sources(&sources), out(text) {
    for (const Form &goal : obligation.goals)
      add({Form(Int(-1)).minus(goal)}, places.size());
    if (obligation.everywhere)
      add({facts.payload()}, places.size());
  }

  std::string run(const std::vector<Step> &steps) {
    mark(steps);
    spell(steps);
    return std::move(text);
  }

private:
  void inCase(const Step &step, int number, llvm::function_ref<void()> run) {
    const Sources *outer = std::exchange(sources, &step.sources[number]);
    run();
    sources = outer;
  }
  void mark(const std::vector<Step> &steps);
  void spell(const std::vector<Step> &steps);
  void spellSum(const Step &step);
  bool canName(const Cite &cite) const {
    return cite.kind != 'a' || llvm::is_contained(names, cite.atom);
  }
  void spellTerm(const Int &factor, const Row &row);
  void introduce(AtomId id);
  void spellCite(const Cite &cite);
  void add(const Constraint &fact, unsigned identity) {
    facts.mention(fact.form, names);
    places[identity] = count++;
  }

  SearchFacts &facts;
  /// Of the case that is being spelt.
  const Sources *sources;
  std::string text;
  llvm::raw_string_ostream out;
  llvm::SmallVector<AtomId> names;
  llvm::DenseMap<unsigned, unsigned> places;
  unsigned count = 0;
  llvm::DenseSet<unsigned> needed;
  /// The steps that `mark` is in, those of the outermost case first.
  llvm::SmallVector<const std::vector<Step> *> around;
};

/// Notes which known facts are used.
void Speller::mark(const std::vector<Step> &steps) {
  around.push_back(&steps);
  for (const Step &step : llvm::reverse(steps)) {
    for (int i : {0, 1})
      inCase(step, i, [&] { mark(step.branches[i]); });
    bool isLast = &step == &steps.back();
    if (step.kind == Step::Cases || (!isLast && !needed.contains(step.known)))
      continue;
    for (const auto &[factor, row] : step.terms) {
      if (row.cite.kind == 'k')
        needed.insert(row.cite.subject);
      // What makes a ratio meaningful is looked up among all that is known.
      if (row.cite.kind == 'a' && row.cite.atom->kind == AtomKind::Ratio)
        for (const std::vector<Step> *outer : around)
          for (const Step &other : *outer)
            needed.insert(other.known);
      if (row.cite.kind == 'a')
        for (AtomId id = row.cite.atom;;) {
          auto source = sources->find(id);
          if (source == sources->end())
            break;
          const Cite &cite = source->second.cite;
          if (cite.kind == 'k')
            needed.insert(cite.subject);
          if (cite.kind != 'a' || cite.atom == id)
            break;
          id = cite.atom;
        }
    }
  }
  around.pop_back();
}

void Speller::spell(const std::vector<Step> &steps) {
  for (const Step &step : steps) {
    bool isLast = &step == &steps.back();
    if (step.kind != Step::Cases && !isLast && !needed.contains(step.known))
      continue;
    if (step.kind == Step::Sum) {
      spellSum(step);
      add(step.facts[0], step.known);
    } else if (step.kind == Step::Product) {
      out << "* ";
      for (const auto &[factor, row] : step.terms)
        spellCite(row.cite);
      add(step.facts[0], step.known);
    } else {
      unsigned subject = step.cite.subject;
      if (step.cite.kind == 'a') {
        if (!llvm::is_contained(names, step.cite.atom)) {
          out << "+ ";
          introduce(step.cite.atom);
          out << "; ";
          ++count;
        }
        subject = llvm::find(names, step.cite.atom) - names.begin();
      }
      out << "? " << step.cite.kind << subject << ' ';
      if (step.cite.kind == 'a')
        out << step.limit << ' ';
      for (int i : {0, 1}) {
        auto outerNames = names;
        unsigned outerCount = count;
        add(step.facts[i], step.known + i);
        inCase(step, i, [&] { spell(step.branches[i]); });
        names = outerNames;
        count = outerCount;
      }
    }
  }
}

void Speller::spellSum(const Step &step) {
  llvm::SmallVector<std::pair<Int, Row>> left = step.terms;
  out << "+ ";
  while (!left.empty()) {
    auto *next = llvm::find_if(
        left, [&](const auto &term) { return canName(term.second.cite); });
    if (next == left.end()) {
      introduce(left.front().second.cite.atom);
      continue;
    }
    spellTerm(next->first, next->second);
    left.erase(next);
  }
  out << "; ";
}

/// Cites, with multiplier 0, facts that mention an atom.
void Speller::introduce(AtomId id) {
  if (llvm::is_contained(names, id))
    return;
  Row row = sources->lookup(id);
  if (!canName(row.cite))
    introduce(row.cite.atom);
  spellTerm(Int(0), row);
}

void Speller::spellTerm(const Int &factor, const Row &row) {
  out << factor << ' ';
  spellCite(row.cite);
  facts.mention(row.fact.form, names);
}

void Speller::spellCite(const Cite &cite) {
  unsigned subject = cite.subject;
  if (cite.kind == 'k')
    subject = places.lookup(subject);
  if (cite.kind == 'a')
    subject = llvm::find(names, cite.atom) - names.begin();
  out << cite.kind << subject;
  if (llvm::StringRef("atvis").contains(cite.kind))
    out << '.' << cite.part;
  out << ' ';
}

} // namespace

std::string spinc::spin::certify::spell(SearchFacts &facts,
                                        const Obligation &obligation,
                                        const std::vector<Step> &steps,
                                        const Sources &sources) {
  return Speller(facts, obligation, sources).run(steps);
}
