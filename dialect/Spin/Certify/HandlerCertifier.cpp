// Each obligation is searched for once, with the invariants of loops as given.
// Those that certificates cite have to be proved in turn, and what rests on one
// that cannot be proved is searched for again. What is still missing then gets
// more invariants, from templates.
#include "dialect/Spin/Certify/HandlerCertifier.h"
#include "dialect/Spin/Checker/Proof.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::certify;
using meaning::isLoop;
using meaning::loopEndedBy;

HandlerCertifier::HandlerCertifier(HandlerOp handler, Memory *memory,
                                   bool believes)
    : handler(handler), memory(memory), believes(believes) {
  auto certificate =
      StringAttr::get(handler->getContext(), certificateAttrName);
  handler.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != handler)
      open.insert(op);
    op->removeDiscardableAttr(certificate);
    if (!isLoop(op))
      return;
    loops.push_back(op);
    std::vector<std::string> &forms = invariants[op];
    SmallVector<StringRef> texts;
    if (auto claims = op->getAttrOfType<StringAttr>(claimsAttrName))
      claims.getValue().split(texts, "inv ", -1, /*KeepEmpty=*/false);
    for (StringRef text : texts)
      if (!llvm::is_contained(forms, text))
        forms.push_back(text.str());
    handed[op] = forms.size();
  });
  dropUnreadable();
}

/// What the prover wrote may have lost its meaning since.
void HandlerCertifier::dropUnreadable() {
  if (llvm::all_of(handed, [](const auto &each) { return each.second == 0; }))
    return;
  SearchFacts facts(handler);
  writeClaims();
  facts.walk([&](Operation *op) {
    if (!isLoop(op) || facts.readClaims(op))
      return;
    invariants[op].clear();
    handed[op] = 0;
    op->removeAttr(claimsAttrName);
    facts.readClaims(op);
  });
}

bool HandlerCertifier::search(bool guess) {
  searchWith(/*guesses=*/false);
  if (!missing.empty() && guess && !loops.empty())
    searchWith(/*guesses=*/true);
  return missing.empty();
}

void HandlerCertifier::searchWith(bool guesses) {
  if (guesses)
    guessInvariants();
  for (const auto &[op, slots] : missing)
    open.insert(op);
  missing.clear();
  writeClaims();
  for (Operation *loop : findRanks()) {
    open.insert(loop);
    open.insert(meaning::roundStart(loop));
    openEnds(loop);
  }
  settle();
}

/// What an obligation of `op` is about: `count` of them in the order in which
/// they are listed.
std::vector<HandlerCertifier::Slot>
HandlerCertifier::slots(Operation *op, size_t count, SearchFacts &facts) {
  Operation *loop = isLoop(op) ? op : loopEndedBy(op);
  bool hasOthers =
      loop || isa<RequireOp, ReturnOp, ExitOp, scf::ConditionOp>(op);
  auto meaning = cast<MeaningOpInterface>(op);
  size_t own =
      hasOthers ? std::min(meaning.getObligations(facts).size(), count) : count;
  size_t behind = 0;
  if (handler.getKind() == HandlerKind::Header &&
      isa<RequireOp, ReturnOp, ExitOp>(op))
    behind = facts.headerClaims().size();
  size_t inductive = loop ? facts.claims(loop).invariants.size() : 0;
  std::vector<Slot> result;
  for (unsigned i = 0; i < own; ++i)
    result.push_back({Slot::Own, i});
  for (unsigned i = 0; i < inductive && result.size() + behind < count; ++i)
    result.push_back({Slot::Invariant, i});
  for (unsigned i = 0; result.size() + behind < count; ++i)
    result.push_back({Slot::Measure, i});
  for (unsigned i = 0; result.size() < count; ++i)
    result.push_back({Slot::Claim, i});
  return result;
}

bool HandlerCertifier::isAsked(Operation *op, const Slot &slot) const {
  if (slot.kind == Slot::Invariant)
    return relied.count({isLoop(op) ? op : loopEndedBy(op), slot.index});
  return slot.kind != Slot::Claim || demanded.count(slot.index);
}

/// Certifies what is open, and what that turns out to rely on.
void HandlerCertifier::settle() {
  SearchFacts facts(handler);
  while (!open.empty()) {
    failed.clear();
    walk(facts);
    if (!failed.empty())
      drop(failed);
  }
}

void HandlerCertifier::walk(SearchFacts &facts) {
  facts.walk([&](Operation *op) {
    facts.noteLoad(op);
    if (open.erase(op))
      certify(op, facts);
    else if (isLoop(op))
      facts.readClaims(op);
  });
}

void HandlerCertifier::certify(Operation *op, SearchFacts &facts) {
  // The checker asks for the impossible then.
  if (isLoop(op) && !facts.readClaims(op)) {
    missing[op].insert({Slot::Own, 0});
    return;
  }
  meaning::Obligations obligations = facts.obligations();
  if (obligations.empty())
    return;
  if (!isa<MeaningOpInterface>(op)) {
    missing[op].insert({Slot::Own, 0});
    return;
  }
  std::map<Slot, Certificate> &certificates = found[op];
  for (auto [slot, obligation] :
       llvm::zip_equal(slots(op, obligations.size(), facts), obligations)) {
    if (!isAsked(op, slot) || certificates.count(slot) ||
        (missing.count(op) && missing[op].count(slot)))
      continue;
    if (std::optional<std::string> text = find(op, slot, obligation, facts)) {
      certificates[slot] = read(std::move(*text), facts);
      rely(certificates[slot]);
    } else if (slot.kind == Slot::Invariant) {
      failed.insert({isLoop(op) ? op : loopEndedBy(op), slot.index});
    } else {
      missing[op].insert(slot);
    }
  }
}

/// The certificate that did the last time, or a new one.
std::optional<std::string>
HandlerCertifier::find(Operation *op, const Slot &slot,
                       const meaning::Obligation &obligation,
                       SearchFacts &facts) {
  if (holdsPlainly(obligation))
    return std::string();
  bool isKept = memory && slot.kind == Slot::Own;
  if (isKept)
    if (auto old = memory->recall(op, slot.index, obligation, facts)) {
      checker::Proof proof(facts, old->text);
      if ((believes && old->isSame) ||
          (proof.proves(obligation) && proof.isAtEnd()))
        return std::move(old->text);
    }
  // Once one is missing, the rest is not worth much: the program is refused,
  // or it is certified again without the flag that is in the way.
  Effort effort = missing.empty() ? Effort::Obligation : Effort::Guess;
  std::optional<std::string> text = Search(facts, obligation, effort).run();
  if (text && isKept)
    memory->note(op, slot.index, obligation, *text, facts);
  return text;
}

/// Notes which invariants and claims a certificate cites.
HandlerCertifier::Certificate HandlerCertifier::read(std::string text,
                                                     SearchFacts &facts) const {
  Certificate result{std::move(text), {}, {}};
  // Most rest on neither.
  if (!restsOnClaims(result.text))
    return result;
  StringRef rest = result.text;
  while (!rest.empty()) {
    StringRef word = meaning::nextWord(rest);
    unsigned subject, part;
    if (word.consume_front("h") && !word.getAsInteger(10, part))
      result.claims.push_back(part);
    else if (word.consume_front("i") &&
             !word.split('.').first.getAsInteger(10, subject) &&
             !word.split('.').second.getAsInteger(10, part))
      result.invariants.emplace_back(
          facts.value(subject).getParentBlock()->getParentOp(), part);
  }
  return result;
}

/// What a certificate cites has to be proved.
void HandlerCertifier::rely(const Certificate &certificate) {
  for (const Cited &cited : certificate.invariants) {
    if (!relied.insert(cited).second)
      continue;
    open.insert(cited.first);
    openEnds(cited.first);
  }
}

void HandlerCertifier::openEnds(Operation *loop) {
  for (Region &region : loop->getRegions())
    if (!region.empty() && loopEndedBy(&region.back().back()))
      open.insert(&region.back().back());
}

/// Makes invariants trivial, and forgets what rests on them.
void HandlerCertifier::drop(const std::set<Cited> &wrong) {
  for (const auto &[loop, index] : wrong)
    invariants[loop][index].clear();
  forgetIf([&](const Certificate &certificate) {
    return llvm::any_of(certificate.invariants,
                        [&](const Cited &cited) { return wrong.count(cited); });
  });
  writeClaims();
}

void HandlerCertifier::forget(const std::set<unsigned> &claims) {
  forgetIf([&](const Certificate &certificate) {
    return llvm::any_of(certificate.claims,
                        [&](unsigned index) { return claims.count(index); });
  });
}

void HandlerCertifier::forgetIf(
    llvm::function_ref<bool(const Certificate &)> isVoid) {
  for (auto &[op, certificates] : found)
    for (auto at = certificates.begin(); at != certificates.end();)
      if (isVoid(at->second)) {
        open.insert(op);
        at = certificates.erase(at);
      } else {
        ++at;
      }
  relied.clear();
  for (auto &[op, certificates] : found)
    for (auto &[slot, certificate] : certificates)
      rely(certificate);
}

std::set<unsigned> HandlerCertifier::citedClaims() const {
  std::set<unsigned> result;
  for (const auto &[op, certificates] : found)
    for (const auto &[slot, certificate] : certificates)
      result.insert(certificate.claims.begin(), certificate.claims.end());
  return result;
}

void HandlerCertifier::demand(const std::set<unsigned> &claims) {
  demanded = claims;
  handler.walk([&](Operation *op) {
    if (isa<RequireOp, ReturnOp, ExitOp>(op))
      open.insert(op);
  });
}

std::set<unsigned> HandlerCertifier::failedClaims() const {
  std::set<unsigned> result;
  for (const auto &[op, slots] : missing)
    for (const Slot &slot : slots)
      if (slot.kind == Slot::Claim)
        result.insert(slot.index);
  return result;
}

/// Writes all invariants down, for the search.
void HandlerCertifier::writeClaims() {
  for (Operation *loop : loops) {
    std::string text;
    for (const std::string &form : invariants[loop])
      text += "inv " + (form.empty() ? "0 ; " : form);
    text += ranks[loop];
    if (text.empty())
      loop->removeAttr(claimsAttrName);
    else
      loop->setAttr(claimsAttrName, StringAttr::get(loop->getContext(), text));
  }
}

/// Those that the certificate of something else needs, and those that these
/// need in turn, with their new numbers.
std::map<HandlerCertifier::Cited, unsigned>
HandlerCertifier::keptInvariants() const {
  std::map<Cited, std::vector<Cited>> needs;
  std::vector<Cited> left;
  for (const auto &[op, certificates] : found)
    for (const auto &[slot, certificate] : certificates) {
      Operation *loop = isLoop(op) ? op : loopEndedBy(op);
      llvm::append_range(
          slot.kind == Slot::Invariant ? needs[{loop, slot.index}] : left,
          certificate.invariants);
    }
  std::set<Cited> used;
  while (!left.empty()) {
    Cited next = left.back();
    left.pop_back();
    if (used.insert(next).second)
      llvm::append_range(left, needs[next]);
  }
  std::map<Cited, unsigned> result;
  std::map<Operation *, unsigned> counts;
  for (const Cited &cited : used)
    result[cited] = counts[cited.first]++;
  return result;
}

std::string
HandlerCertifier::renumbered(const Certificate &certificate,
                             const Places &claims,
                             const std::map<Cited, unsigned> &kept) const {
  if (certificate.invariants.empty() && certificate.claims.empty())
    return certificate.text;
  std::string result;
  auto invariant = certificate.invariants.begin();
  StringRef rest = certificate.text;
  while (!rest.empty()) {
    StringRef word = meaning::nextWord(rest);
    unsigned index;
    if (word.starts_with("i"))
      result +=
          (word.split('.').first + "." + Twine(kept.at(*invariant++))).str();
    else if (StringRef number = word;
             number.consume_front("h") && !number.getAsInteger(10, index))
      result += "h" + std::to_string(claims.at(index));
    else
      result += word;
    result += ' ';
  }
  return result;
}

void HandlerCertifier::write(const Places &claims) {
  std::map<Cited, unsigned> kept = keptInvariants();
  std::map<Operation *, std::string> texts;
  for (const auto &[cited, index] : kept)
    texts[cited.first] += "inv " + invariants[cited.first][cited.second];
  for (Operation *loop : loops) {
    std::string text = texts[loop] + ranks[loop];
    if (text.empty())
      loop->removeAttr(claimsAttrName);
    else
      loop->setAttr(claimsAttrName, StringAttr::get(loop->getContext(), text));
  }
  auto name = StringAttr::get(handler->getContext(), certificateAttrName);
  for (auto &[op, certificates] : found) {
    std::map<Slot, std::string> inOrder;
    for (auto &[slot, certificate] : certificates) {
      Slot place = slot;
      if (slot.kind == Slot::Invariant) {
        auto at = kept.find({isLoop(op) ? op : loopEndedBy(op), slot.index});
        if (at == kept.end())
          continue;
        place.index = at->second;
      } else if (slot.kind == Slot::Claim) {
        auto at = claims.find(slot.index);
        if (at == claims.end())
          continue;
        place.index = at->second;
      }
      inOrder[place] = renumbered(certificate, claims, kept);
    }
    std::string text;
    for (const auto &[slot, part] : inOrder)
      text += part;
    if (text.empty() || missing.count(op))
      op->removeDiscardableAttr(name);
    else
      op->setDiscardableAttr(name, StringAttr::get(op->getContext(), text));
  }
}

void HandlerCertifier::report(llvm::function_ref<void(Operation *)> tell) {
  handler.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (missing.count(op))
      tell(op);
  });
}
