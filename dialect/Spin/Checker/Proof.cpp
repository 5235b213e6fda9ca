#include "dialect/Spin/Checker/Proof.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::checker;

bool Proof::proves(const Obligation &obligation) {
  everywhere = obligation.everywhere;
  known.clear();
  named.clear();
  size_t mark = scope.mark();
  if (obligation.given.first)
    scope.assume(obligation.given.first, obligation.given.second);
  bool isClosed = false;
  for (const Form &goal : obligation.goals)
    isClosed |= add({Form(Int(-1)).minus(goal)});
  if (everywhere)
    isClosed |= add({scope.payload()});
  isClosed = isClosed || closes();
  scope.undo(mark);
  return isClosed;
}

/// Takes a fact in; true if no integers satisfy it.
bool Proof::add(Constraint constraint) {
  scope.mention(constraint.form, named);
  known.push_back(std::move(constraint));
  return known.back().form.isConstant() && known.back().form.constant < 0;
}

/// Reads steps until what is known excludes all integers.
bool Proof::closes() {
  while (true) {
    if (scope.isDead() && !everywhere)
      return true;
    StringRef step = nextWord(text);
    if (step == "+") {
      std::optional<Constraint> fact = sum();
      if (!fact)
        return false;
      if (add(*fact))
        return true;
    } else if (step == "*") {
      const Constraint *fact = cite(nextWord(text));
      Constraint left = fact ? *fact : Constraint{{}, true};
      fact = cite(nextWord(text));
      if (!fact || left.equality || fact->equality)
        return false;
      add({scope.multiply(left.form, fact->form)});
    } else {
      return step == "?" && cases(nextWord(text));
    }
  }
}

/// The number behind the first letter; a very large one if there is none.
static unsigned numberIn(StringRef word) {
  unsigned number;
  return word.getAsInteger(10, number) ? ~0U : number;
}

/// Two cases: an atom is at most a number or not, a condition holds or not, a
/// disjunction holds for its first or its second part.
bool Proof::cases(StringRef name) {
  if (name.empty())
    return false;
  unsigned index = numberIn(name.drop_front());
  Value value = scope.value(index);
  Cases two;
  if (name.starts_with("a") && index < named.size()) {
    Form atom = Form::of(named[index]), limit(toInt(nextWord(text)));
    two.facts = {
        {{limit.minus(atom)}, {atom.minus(limit).plus(Form(Int(-1)))}}};
  } else if (!value || everywhere || !scope.isAvailable(value)) {
    return false;
  } else if (name.starts_with("b") && value.getType().isInteger(1)) {
    two.truths = {{{value, true}, {value, false}}};
  } else {
    std::optional<Cases> given = scope.casesOf(value);
    if (!name.starts_with("o") || !given)
      return false;
    two = *given;
  }
  for (int i : {0, 1}) {
    size_t mark = scope.mark(), facts = known.size(), names = named.size();
    if (two.truths[i].first)
      scope.assume(two.truths[i].first, two.truths[i].second);
    bool isClosed = add(two.facts[i]) || closes();
    scope.undo(mark);
    known.truncate(facts);
    named.truncate(names);
    if (!isClosed)
      return false;
  }
  return true;
}

/// `form`, which is compared with 0, divided by what divides its coefficients.
/// Of integers, so the constant may be rounded down.
static Form rounded(Form form) {
  Int divisor(0);
  for (const auto &[atom, factor] : form.terms)
    divisor = gcd(divisor, abs(factor));
  if (divisor > 1) {
    for (auto &[atom, factor] : form.terms)
      factor = factor / divisor;
    form.constant = floorDiv(form.constant, divisor);
  }
  return form;
}

/// The sum of facts, with multipliers that are not negative unless the fact is
/// an equality.
std::optional<Constraint> Proof::sum() {
  Form result;
  for (StringRef word; (word = nextWord(text)) != ";";) {
    Int factor = toInt(word);
    const Constraint *fact = cite(nextWord(text));
    if (!fact || (factor < 0 && !fact->equality))
      return std::nullopt;
    result = result.plus(fact->form, factor);
  }
  return Constraint{rounded(std::move(result))};
}

/// Whether a known fact says so, word for word or stronger.
bool Proof::isKnownNonNegative(Form form) const {
  form = rounded(std::move(form));
  return (form.isConstant() && form.constant >= 0) ||
         llvm::any_of(known, [&](const Constraint &fact) {
           Form apart = form.minus(fact.form);
           return apart.isConstant() && apart.constant >= 0;
         });
}

const Constraint *Proof::cite(StringRef name) {
  if (name.empty())
    return nullptr;
  auto [first, second] = name.drop_front().split('.');
  unsigned index = numberIn(first), part = numberIn(second);
  Value value = scope.value(index);
  const Constraints *found = &cited;
  cited.clear();
  if (name.starts_with("k")) {
    found = &known;
    part = index;
  } else if (name.starts_with("a") && index < named.size()) {
    AtomId atom = named[index];
    // Division is only defined for such numbers.
    if (atom->kind == AtomKind::Ratio &&
        !(isKnownNonNegative(atom->top) &&
          isKnownNonNegative(atom->bottom.plus(Form(Int(-1))))))
      return nullptr;
    found = &scope.axiomsOf(atom);
  } else if (name.starts_with("h") && !everywhere &&
             scope.handler.getKind() != HandlerKind::Header &&
             !scope.handler.isFunction()) {
    cited = scope.headerClaims();
    part = index;
  } else if (!value || (everywhere && !Scope::isInstalled(value))) {
    return nullptr;
  } else if (name.starts_with("t")) {
    found = &scope.truthOf(value);
  } else if (name.starts_with("v")) {
    cited = scope.factsOf(value);
  } else if (name.starts_with("i")) {
    cited = scope.invariantsOf(value);
  } else if (name.starts_with("s")) {
    Value other = scope.value(part);
    if (other && scope.isAvailable(value) && scope.isAvailable(other))
      cited = scope.sameBytes(value, other);
    part = 0;
  }
  if (part >= found->size())
    return nullptr;
  scope.mention((*found)[part].form, named);
  return &(*found)[part];
}
