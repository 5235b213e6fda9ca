// spin-certify: certificates for all obligations of a handler. Loops first get
// by without invariants; if that fails, candidates from templates are kept as
// long as all that are left hold on entry and are kept by each iteration.
#include "dialect/Spin/Certify/Candidates.h"
#include "dialect/Spin/Certify/StateClaims.h"
#include "dialect/Spin/Checker/Proof.h"
#include "dialect/Spin/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace spinc::spin {
#define GEN_PASS_DEF_SPINCERTIFY
#include "dialect/Spin/Transforms/Passes.h.inc"
} // namespace spinc::spin

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::certify;
using checker::Claims;
using meaning::isLoop;
using meaning::loopEndedBy;
using meaning::Obligation;

namespace {

constexpr StringLiteral kCertificate = "spin.certificate";
constexpr StringLiteral kClaims = "spin.claims";

/// Whether the bound of `op` may need a measure.
bool isRanked(Operation *op) {
  return meaning::roundStart(op) && op->hasAttr("spin.bound");
}

class HandlerCertifier {
public:
  HandlerCertifier(HandlerOp handler, StringRef after, bool partial)
      : handler(handler), after(after), partial(partial) {}
  LogicalResult run();
  /// Whether all obligations have certificates.
  bool isComplete() const { return complete; }

private:
  LogicalResult search();
  /// Writes all certificates; false at the first that is not found, with an
  /// error if `complains`.
  bool certify(bool complains);
  std::optional<std::string> certifyOperation(Operation *op, SearchFacts &facts,
                                              bool complains);
  void findInvariants();
  bool dropFailing(SearchFacts &facts, Operation *loop, ArrayRef<Value> values);
  void findRanks();
  bool findGeometricRank(scf::WhileOp loop);
  void writeClaims();
  void noteHanded(Operation *loop);
  void noteCited(Operation *op, size_t index, StringRef text,
                 SearchFacts &facts);
  bool keepUsed();
  bool dropRefused();

  /// A loop and the number of one of its invariants.
  using Invariant = std::pair<Operation *, size_t>;

  HandlerOp handler;
  StringRef after;
  bool partial, complete = true;
  std::vector<Operation *> loops;
  std::map<Operation *, std::vector<std::string>> invariants, handed;
  std::map<Operation *, std::string> ranks;
  /// Which invariants the certificate of an invariant cites; under no loop,
  /// those that all other certificates cite.
  std::map<Invariant, std::vector<Invariant>> cites;
};

LogicalResult HandlerCertifier::run() {
  if (failed(search()))
    return failure();
  // What the checker derives may depend on what it has seen, and a search has
  // seen more.
  while (partial && dropRefused())
    ;
  return success();
}

/// Takes away the certificates that a fresh look at the handler refuses. True
/// if there were any: others may rest on what they proved.
bool HandlerCertifier::dropRefused() {
  SmallVector<Operation *> refused;
  SearchFacts facts(handler);
  facts.walk([&](Operation *op) {
    auto certificate = op->getAttrOfType<StringAttr>(kCertificate);
    meaning::Obligations obligations = facts.obligations();
    if (!certificate)
      return;
    checker::Proof proof(facts, certificate.getValue());
    for (const Obligation &obligation : obligations)
      if (!proof.proves(obligation)) {
        refused.push_back(op);
        return;
      }
  });
  for (Operation *op : refused)
    op->removeAttr(kCertificate);
  complete &= refused.empty();
  return !refused.empty();
}

LogicalResult HandlerCertifier::search() {
  bool wantsRanks = false;
  handler.walk<WalkOrder::PreOrder>([&](Operation *op) {
    op->removeAttr(kCertificate);
    if (isLoop(op)) {
      loops.push_back(op);
      noteHanded(op);
      op->removeAttr(kClaims);
    }
    wantsRanks |= isa<scf::WhileOp>(op) && isRanked(op);
  });
  if (!wantsRanks && certify(loops.empty()))
    return success();
  if (loops.empty())
    return failure();
  findInvariants();
  findRanks();
  if (!certify(true))
    return failure();
  auto all = invariants;
  if (keepUsed() && !certify(false)) {
    // Searches are cut off at limits: fewer facts may be worse than more.
    invariants = std::move(all);
    writeClaims();
    return success(certify(true));
  }
  return success();
}

bool HandlerCertifier::certify(bool complains) {
  SearchFacts facts(handler);
  cites.clear();
  bool found = true;
  complete = true;
  facts.walk([&](Operation *op) {
    if (!found)
      return;
    std::optional<std::string> text =
        certifyOperation(op, facts, complains && !partial);
    complete &= text.has_value();
    found = text.has_value() || (complains && partial);
    if (text && !text->empty())
      op->setAttr(kCertificate, StringAttr::get(op->getContext(), *text));
    else
      op->removeAttr(kCertificate);
  });
  return found;
}

std::optional<std::string>
HandlerCertifier::certifyOperation(Operation *op, SearchFacts &facts,
                                   bool complains) {
  meaning::Obligations obligations = facts.obligations();
  if (isa<LoadOp, WireLoadOp>(op))
    facts.loads.push_back(op->getResult(0));
  std::string result;
  for (auto [index, obligation] : llvm::enumerate(obligations)) {
    std::optional<std::string> text = Search(facts, obligation).run();
    if (!text) {
      if (complains)
        op->emitOpError() << "gets no certificate for its obligation " << index
                          << (after.empty() ? "" : " after ") << after;
      return std::nullopt;
    }
    noteCited(op, index, *text, facts);
    result += *text;
  }
  return result;
}

/// Notes the invariants that the prover found.
void HandlerCertifier::noteHanded(Operation *loop) {
  auto claims = loop->getAttrOfType<StringAttr>(kClaims);
  SmallVector<StringRef> texts;
  if (claims)
    claims.getValue().split(texts, "inv ", -1, /*KeepEmpty=*/false);
  for (StringRef text : texts)
    if (!llvm::is_contained(handed[loop], text))
      handed[loop].push_back(text.str());
}

void HandlerCertifier::writeClaims() {
  for (Operation *loop : loops) {
    std::string text;
    for (const std::string &form : invariants[loop])
      text += "inv " + form;
    text += ranks[loop];
    if (text.empty())
      loop->removeAttr(kClaims);
    else
      loop->setAttr(kClaims, StringAttr::get(loop->getContext(), text));
  }
}

/// Makes trivial the invariants that do not hold for `values`. True if there
/// were any.
bool HandlerCertifier::dropFailing(SearchFacts &facts, Operation *loop,
                                   ArrayRef<Value> values) {
  bool dropped = false;
  Claims claims = facts.claims(loop);
  for (auto [index, form] : llvm::enumerate(claims.invariants)) {
    if (invariants[loop][index].empty())
      continue;
    std::optional<Form> goal =
        substitute(form, claims.variables, values, facts);
    Obligation obligation{{goal.value_or(Form(Int(-1)))}};
    // Those of the prover are few, and worth cases.
    bool isHanded = llvm::is_contained(handed[loop], invariants[loop][index]);
    Search search(facts, obligation);
    if (isHanded ? search.run().has_value() : search.holdsSimply())
      continue;
    invariants[loop][index].clear();
    facts.claims(loop).invariants[index] = Form();
    dropped = true;
  }
  return dropped;
}

void HandlerCertifier::findInvariants() {
  constexpr unsigned maxRounds = 12;
  {
    SearchFacts facts(handler);
    facts.walk([&](Operation *op) {
      if (!isLoop(op))
        return;
      invariants[op] = handed[op];
      for (std::string &form : candidates(op, facts))
        if (!llvm::is_contained(invariants[op], form))
          invariants[op].push_back(std::move(form));
    });
  }
  for (unsigned round = 0; round < maxRounds; ++round) {
    writeClaims();
    bool dropped = false;
    SearchFacts facts(handler);
    facts.walk([&](Operation *op) {
      if (isa<LoadOp, WireLoadOp>(op))
        facts.loads.push_back(op->getResult(0));
      if (isLoop(op)) {
        facts.readClaims(op);
        dropped |= dropFailing(facts, op, facts.claims(op).variables.inits);
      } else if (Operation *loop = loopEndedBy(op)) {
        dropped |=
            dropFailing(facts, loop, facts.claims(loop).variables.yields);
      }
    });
    for (auto &[loop, forms] : invariants)
      llvm::erase_if(forms,
                     [](const std::string &form) { return form.empty(); });
    if (!dropped)
      break;
    if (round + 1 == maxRounds)
      invariants.clear();
  }
  writeClaims();
}

/// Finds for each bounded scf.while a measure that falls.
void HandlerCertifier::findRanks() {
  struct Measure {
    std::string form;
    Int step;
  };
  std::map<Operation *, std::vector<Measure>> measures;
  SearchFacts facts(handler);
  auto parse = [&](StringRef text) { return facts.readForm(text); };
  facts.walk([&](Operation *op) {
    Operation *loop = op->getParentOp();
    if (isLoop(op))
      facts.readClaims(op);
    if (!isRanked(loop))
      return;
    Claims claims = facts.claims(loop);
    if (op == meaning::roundStart(loop)) {
      size_t mark = facts.mark();
      if (auto guard = dyn_cast<RequireOp>(op))
        facts.assume(guard.getCondition(), true);
      for (const std::string &form : measureCandidates(loop, facts))
        measures[loop].push_back({form, Int(0)});
      facts.undo(mark);
    }
    if (!loopEndedBy(op))
      return;
    for (Measure &measure : measures[loop]) {
      std::optional<Form> now = parse(measure.form);
      std::optional<Form> next =
          substitute(*now, claims.variables, claims.variables.yields, facts);
      Obligation nothing;
      if (next)
        measure.step =
            Search(facts, nothing).minimum(now->minus(*next)).value_or(Int(0));
    }
  });
  SearchFacts again(handler);
  again.walk([&](Operation *op) {
    if (isLoop(op))
      again.readClaims(op);
    auto attribute = op->getAttrOfType<BoundAttr>("spin.bound");
    if (!isRanked(op))
      return;
    std::optional<Form> bound = again.bound(attribute);
    const Claims &claims = again.claims(op);
    for (const Measure &measure : measures[op]) {
      StringRef text = measure.form;
      std::optional<Form> form = again.readForm(text);
      std::optional<Form> first =
          substitute(*form, claims.variables, claims.variables.inits, again);
      if (!bound || !first || measure.step < 1)
        continue;
      Obligation enough{{bound->times(measure.step).minus(*first)}};
      if (!Search(again, enough).run())
        continue;
      llvm::raw_string_ostream(ranks[op])
          << "rank " << measure.step << ' ' << measure.form;
      return;
    }
  });
  for (Operation *loop : loops)
    if (isa<scf::WhileOp>(loop) && loop->hasAttr("spin.bound") &&
        ranks[loop].empty())
      findGeometricRank(cast<scf::WhileOp>(loop));
  writeClaims();
}

bool HandlerCertifier::findGeometricRank(scf::WhileOp loop) {
  SearchFacts numbers(handler);
  for (Value argument : loop.getBeforeArguments())
    for (StringRef kind : {"halve ", "double "}) {
      if (!isa<IntegerType>(argument.getType()))
        continue;
      ranks[loop] =
          (kind + "0 1 " + Twine(numbers.numberOf(argument)) + " ; ").str();
      writeClaims();
      bool holds = true;
      SearchFacts facts(handler);
      facts.walk([&](Operation *op) {
        if (isLoop(op))
          facts.readClaims(op);
        if (holds && (op == loop || op == meaning::roundStart(loop) ||
                      op == loop.getYieldOp().getOperation()))
          holds = certifyOperation(op, facts, false).has_value();
      });
      if (holds)
        return true;
      ranks[loop].clear();
    }
  return false;
}

/// Notes which invariants the certificate of an obligation cites.
void HandlerCertifier::noteCited(Operation *op, size_t index, StringRef text,
                                 SearchFacts &facts) {
  Operation *loop = isLoop(op) ? op : loopEndedBy(op);
  size_t first = isa<scf::ForOp>(op) ? 2 : isa<ForPiecesOp>(op) ? 1 : 0;
  Invariant citing{nullptr, 0};
  if (loop && index >= first && index - first < invariants[loop].size())
    citing = {loop, index - first};
  SmallVector<StringRef> words;
  text.split(words, ' ');
  for (StringRef word : words) {
    unsigned value, part;
    if (!word.consume_front("i") ||
        word.split('.').first.getAsInteger(10, value) ||
        word.split('.').second.getAsInteger(10, part))
      continue;
    Operation *cited = facts.value(value).getParentBlock()->getParentOp();
    cites[citing].push_back({cited, part});
  }
}

/// Keeps the invariants that a certificate of something else needs, and those
/// that these need in turn. True if some are not needed.
bool HandlerCertifier::keepUsed() {
  std::set<Invariant> used;
  std::vector<Invariant> open = cites[{nullptr, 0}];
  while (!open.empty()) {
    Invariant next = open.back();
    open.pop_back();
    if (used.insert(next).second)
      llvm::append_range(open, cites[next]);
  }
  bool removed = false;
  for (auto &[loop, forms] : invariants) {
    std::vector<std::string> kept;
    for (size_t i = 0; i < forms.size(); ++i)
      if (used.count({loop, i}))
        kept.push_back(forms[i]);
    removed |= kept.size() != forms.size();
    forms = std::move(kept);
  }
  writeClaims();
  return removed;
}

/// The handlers of a context: the later ones may rely on what the header
/// handler claims about plain fields, and those claims that they cite are kept.
class ContextCertifier {
public:
  ContextCertifier(ContextOp context, StringRef after, bool partial)
      : after(after), partial(partial) {
    for (HandlerOp handler : context.getBody().getOps<HandlerOp>()) {
      handler->removeAttr(kClaims);
      if (handler.getKind() == HandlerKind::Header)
        header = handler;
      else
        later.push_back(handler);
    }
  }
  LogicalResult run();

private:
  bool certifyLater();
  void claim(std::vector<std::string> forms);
  bool keepCited();

  StringRef after;
  bool partial;
  HandlerOp header;
  SmallVector<HandlerOp> later;
  std::vector<std::string> claims;
};

LogicalResult ContextCertifier::run() {
  if (header && failed(HandlerCertifier(header, after, partial).run()))
    return failure();
  for (bool relations : {false, true}) {
    claim(header ? stateClaims(header, relations) : claims);
    if (certifyLater() && keepCited())
      return success();
    if (claims.empty())
      break;
  }
  claim({});
  bool holds = true;
  if (header)
    holds = succeeded(HandlerCertifier(header, after, partial).run());
  for (HandlerOp handler : later)
    holds &= succeeded(HandlerCertifier(handler, after, partial).run());
  return success(holds);
}

/// Whether all obligations of the later handlers get certificates.
bool ContextCertifier::certifyLater() {
  return llvm::all_of(later, [&](HandlerOp handler) {
    HandlerCertifier certifier(handler, after, /*partial=*/true);
    return succeeded(certifier.run()) && certifier.isComplete();
  });
}

void ContextCertifier::claim(std::vector<std::string> forms) {
  claims = std::move(forms);
  if (header && claims.empty())
    header->removeAttr(kClaims);
  else if (header)
    header->setAttr(
        kClaims, StringAttr::get(header->getContext(), llvm::join(claims, "")));
}

/// Keeps the claims that certificates cite, which number them; true if the
/// header handler proves them all.
bool ContextCertifier::keepCited() {
  if (claims.empty())
    return true;
  std::map<unsigned, unsigned> places;
  std::vector<std::string> kept;
  for (HandlerOp handler : later)
    handler.walk([&](Operation *op) {
      auto certificate = op->getAttrOfType<StringAttr>(kCertificate);
      SmallVector<StringRef> words;
      if (certificate)
        certificate.getValue().split(words, ' ');
      SmallVector<std::string> written;
      for (StringRef word : words) {
        unsigned index;
        written.push_back(word.str());
        if (!word.consume_front("h") || word.getAsInteger(10, index))
          continue;
        auto [place, isNew] = places.try_emplace(index, kept.size());
        if (isNew)
          kept.push_back(claims[index]);
        written.back() = "h" + std::to_string(place->second);
      }
      if (certificate)
        op->setAttr(kCertificate, StringAttr::get(op->getContext(),
                                                  llvm::join(written, " ")));
    });
  claim(std::move(kept));
  if (claims.empty())
    return true;
  HandlerCertifier certifier(header, after, /*partial=*/true);
  return succeeded(certifier.run()) && certifier.isComplete();
}

struct CertifyPass : public spinc::spin::impl::SpinCertifyBase<CertifyPass> {
  using SpinCertifyBase::SpinCertifyBase;

  void runOnOperation() override {
    bool holds = true;
    getOperation().walk([&](ContextOp context) {
      holds &= succeeded(ContextCertifier(context, after, partial).run());
    });
    if (!holds)
      signalPassFailure();
  }
};

} // namespace
