// spin-check-proofs: reads the certificates and believes none of them. The
// format is described in docs/certificates.md.
#include "dialect/Spin/Checker/Proof.h"
#include "dialect/Spin/Transforms/Passes.h"

namespace spinc::spin {
#define GEN_PASS_DEF_SPINCHECKPROOFS
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::checker;

bool Proof::proves(const Obligation &obligation) {
  everywhere = obligation.everywhere;
  known.clear();
  named.clear();
  bool isClosed = false;
  for (const Form &goal : obligation.goals)
    isClosed |= add({Form(Int(-1)).minus(goal)});
  if (everywhere)
    isClosed |= add({facts.payload()});
  return isClosed || closes();
}

/// Takes a fact in; true if no integers satisfy it.
bool Proof::add(Constraint constraint) {
  facts.mention(constraint.form, named);
  known.push_back(std::move(constraint));
  return known.back().form.terms.empty() && known.back().form.constant < 0;
}

/// Reads steps until what is known excludes all integers.
bool Proof::closes() {
  while (true) {
    if (facts.isDead() && !everywhere)
      return true;
    StringRef step = nextWord(text);
    if (step == "+") {
      std::optional<Constraint> fact = sum();
      if (!fact)
        return false;
      if (add(*fact))
        return true;
    } else if (step == "*") {
      std::optional<Constraint> left = cite(nextWord(text));
      std::optional<Constraint> right = cite(nextWord(text));
      if (!left || !right || left->equality || right->equality)
        return false;
      add({facts.multiply(left->form, right->form)});
    } else {
      return step == "?" && cases(nextWord(text));
    }
  }
}

/// Two cases: an atom is at most a number or not, a condition holds or not, a
/// disjunction holds for its first or its second part.
bool Proof::cases(StringRef name) {
  if (name.empty())
    return false;
  Value value = facts.value(numberIn(name.drop_front()));
  unsigned index = numberIn(name.drop_front());
  std::array<Constraint, 2> either;
  std::array<std::pair<Value, bool>, 2> truths;
  if (name.starts_with("a") && index < named.size()) {
    Form atom = Form::of(named[index]), limit(toInt(nextWord(text)));
    either = {{{limit.minus(atom)}, {atom.minus(limit).plus(Form(Int(-1)))}}};
  } else if (!value || everywhere || !facts.isAvailable(value)) {
    return false;
  } else if (name.starts_with("b") && value.getType().isInteger(1)) {
    truths = {{{value, true}, {value, false}}};
  } else if (!name.starts_with("o") ||
             !facts.alternatives(value, either, truths)) {
    return false;
  }
  for (int i : {0, 1}) {
    size_t mark = facts.mark(), facts0 = known.size(), names = named.size();
    if (truths[i].first)
      facts.assume(truths[i].first, truths[i].second);
    bool isClosed = add(either[i]) || closes();
    facts.undo(mark);
    known.truncate(facts0);
    named.truncate(names);
    if (!isClosed)
      return false;
  }
  return true;
}

/// The sum of facts, with multipliers that are not negative unless the fact is
/// an equality. Of integers, so the constant may be rounded down.
std::optional<Constraint> Proof::sum() {
  Form result;
  for (StringRef word; (word = nextWord(text)) != ";";) {
    Int factor = toInt(word);
    std::optional<Constraint> fact = cite(nextWord(text));
    if (!fact || (factor < 0 && !fact->equality))
      return std::nullopt;
    result = result.plus(fact->form, factor);
  }
  Int divisor(0);
  for (const auto &[id, factor] : result.terms)
    divisor = gcd(divisor, abs(factor));
  if (divisor > 1) {
    for (auto &[id, factor] : result.terms)
      factor = factor / divisor;
    result.constant = floorDiv(result.constant, divisor);
  }
  return Constraint{result};
}

/// Whether a known fact says so, word for word or stronger.
bool Proof::isKnownNonNegative(const Form &form) const {
  return (form.terms.empty() && form.constant >= 0) ||
         llvm::any_of(known, [&](const Constraint &fact) {
           Form apart = form.minus(fact.form);
           return apart.terms.empty() && apart.constant >= 0;
         });
}

std::optional<Constraint> Proof::cite(StringRef name) {
  if (name.empty())
    return std::nullopt;
  auto [first, second] = name.drop_front().split('.');
  unsigned index = numberIn(first), part = numberIn(second);
  Value value = facts.value(index);
  Facts::Constraints found;
  if (name.starts_with("k"))
    found.assign(known.begin(), known.end()), part = index;
  else if (name.starts_with("a") && index < named.size()) {
    const Atom &atom = facts.atom(named[index]);
    if (atom.kind == AtomKind::Ratio &&
        !(isKnownNonNegative(atom.top) &&
          isKnownNonNegative(atom.bottom.plus(Form(Int(-1))))))
      return std::nullopt;
    found = facts.axioms(named[index]);
  } else if (!value || (everywhere && !facts.isInstalled(value)))
    return std::nullopt;
  else if (name.starts_with("t"))
    found = facts.truth(value);
  else if (name.starts_with("v"))
    found = facts.about(value);
  else if (name.starts_with("i"))
    found = facts.invariants(value);
  else if (name.starts_with("s"))
    found = facts.sameBytes(value, facts.value(part)), part = 0;
  if (part >= found.size())
    return std::nullopt;
  facts.mention(found[part].form, named);
  return found[part];
}

namespace {

struct CheckProofs
    : public spinc::spin::impl::SpinCheckProofsBase<CheckProofs> {
  using SpinCheckProofsBase::SpinCheckProofsBase;

  void runOnOperation() override {
    getOperation().walk([&](HandlerOp handler) {
      Facts facts(handler);
      facts.walk([&](Operation *op) {
        if (failed(check(op, facts)))
          signalPassFailure();
      });
    });
  }

  LogicalResult refuse(Operation *op, const Twine &reason) {
    InFlightDiagnostic error = op->emitOpError() << reason;
    if (!after.empty())
      error << " after " << after.getValue();
    return error;
  }

  LogicalResult check(Operation *op, Facts &facts) {
    auto obligations = facts.obligations();
    if (!obligations && partial)
      return success();
    if (!obligations)
      return op->emitOpError() << "makes claims, or is of a kind, that "
                                  "spin-check-proofs does not know";
    auto attribute = op->getAttrOfType<StringAttr>("spin.certificate");
    Proof proof(facts, attribute ? attribute.getValue() : "");
    for (auto [index, obligation] : llvm::enumerate(*obligations))
      if (partial && !attribute)
        return checkMarker(op);
      else if (!proof.proves(obligation))
        return refuse(op, "has no valid certificate for its obligation " +
                              Twine(index));
    if (!proof.isAtEnd())
      return refuse(op, "has a certificate with something behind its end");
    return checkMarker(op);
  }

  /// The bound in the table of the module is that of the loop.
  LogicalResult checkMarker(Operation *op) {
    auto marker = dyn_cast<LoopMarkerOp>(op);
    if (!marker)
      return success();
    auto table = getOperation()->getAttrOfType<ArrayAttr>("spin.loops");
    Attribute bound = marker->getParentOp()->getAttr("spin.bound");
    auto entry = table && marker.getId() < table.size()
                     ? dyn_cast<DictionaryAttr>(table[marker.getId()])
                     : DictionaryAttr();
    Operation *start = roundStart(marker->getParentOp());
    bool isEarly = start && start->getBlock() == marker->getBlock() &&
                   marker->isBeforeInBlock(start);
    if (bound && entry && entry.get("bound") == bound && !isEarly)
      return success();
    return refuse(op, "does not name a loop with this bound in 'spin.loops'");
  }
};

} // namespace
