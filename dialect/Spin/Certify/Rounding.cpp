// What fractions do not tell: ranges of integers, and what products and
// quotients of unknowns are.
#include "dialect/Spin/Certify/Search.h"

using namespace spinc::spin;
using namespace spinc::spin::certify;
using llvm::SmallVector;
using meaning::AtomKind;
using mlir::presburger::Fraction;

/// Rounds the range of one atom that is fractional now to integers.
bool Search::cut() {
  // Rounding changes what is fractional, and present atoms.
  SmallVector<AtomId> fractional;
  for (AtomId id : present) {
    Fraction value = polyhedron.sample(columns.lookup(id));
    if (value.num % value.den != 0)
      fractional.push_back(id);
  }
  for (AtomId id : fractional)
    for (bool upper : {false, true}) {
      std::optional<Fraction> best =
          polyhedron.optimum(columnsOf(Form::of(id)), upper);
      if (best && best->num % best->den != 0) {
        addSum(blamed(polyhedron));
        return true;
      }
    }
  return false;
}

/// Makes the largest (smallest) value of an atom a known fact.
std::optional<Row> Search::bound(AtomId id, bool upper) {
  if (isTired() || !polyhedron.optimum(columnsOf(Form::of(id)), upper))
    return std::nullopt;
  addSum(blamed(polyhedron));
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

/// Brings in what is known of the numbers in these forms.
bool Search::include(llvm::ArrayRef<Form> forms) {
  for (const Form &form : forms)
    columnsOf(form);
  return expand();
}

bool Search::ratios(AtomId id) {
  meaning::Atom atom = *id;
  if (include({atom.top, atom.bottom}))
    return true;
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
  return include({Form::of(atom.factors[0]), Form::of(atom.factors[1])}) ||
         tighten() || multiplyRanges(id) || expand();
}

/// Products in the goals, from what is known of just their factors.
bool Search::multiplyGoals() {
  SmallVector<AtomId> products;
  for (AtomId id : present)
    if (id->kind == AtomKind::Product && id->factors.size() == 2)
      products.push_back(id);
  for (AtomId id : products)
    for (AtomId factor : id->factors)
      columnsOf(Form::of(factor));
  if (products.empty())
    return false;
  size_t count = present.size();
  while (expanded < count)
    if (expandAtom(present[expanded++]))
      return true;
  return expandTruths(true) ||
         llvm::any_of(products, [&](AtomId id) { return multiplyRanges(id); });
}

/// Makes known what the ranges of the factors say of a product.
bool Search::multiplyRanges(AtomId id) {
  const meaning::Atom &atom = *id;
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
  return false;
}

/// Looks into a product or ratio that was not looked into before. True if
/// something came of it.
bool Search::refine() {
  for (size_t i = 0; i < present.size(); ++i) {
    AtomId id = present[i];
    if (id->kind != AtomKind::Product || refined.count(id))
      continue;
    for (AtomId factor : id->factors)
      if (include({Form::of(factor)}))
        return true;
  }
  // What others are made of is met after them, and should be known before.
  for (size_t i = present.size(); i-- > 0;) {
    AtomKind kind = present[i]->kind;
    if ((kind != AtomKind::Ratio && kind != AtomKind::Product) ||
        !refined.insert(present[i]).second)
      continue;
    size_t before = rows.size();
    if (kind == AtomKind::Ratio ? ratios(present[i]) : products(present[i]))
      return true;
    if (rows.size() != before)
      return true;
  }
  return false;
}

/// Rounds the range of each quotient to integers: most say only that a sum
/// does not wrap.
bool Search::tighten() {
  for (size_t i = 0; i < present.size() && !isClosed; ++i)
    if (present[i]->kind == AtomKind::Quotient &&
        refined.insert(present[i]).second)
      for (bool upper : {true, false})
        if (!isClosed)
          bound(present[i], upper);
  return isClosed;
}
