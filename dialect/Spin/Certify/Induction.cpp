// Guesses about loops: invariants that all hold on entry and are kept by each
// iteration if those that do not are left out, and measures that fall.
#include "dialect/Spin/Certify/Candidates.h"
#include "dialect/Spin/Certify/HandlerCertifier.h"

using namespace mlir;
using namespace spinc::spin;
using namespace spinc::spin::certify;
using checker::Claims;
using meaning::isLoop;
using meaning::loopEndedBy;
using meaning::Obligation;

/// Makes trivial the invariants that do not hold for `values`. True if there
/// were any.
bool HandlerCertifier::dropFailing(SearchFacts &facts, Operation *loop,
                                   ArrayRef<Value> values) {
  bool dropped = false;
  Claims claims = facts.claims(loop);
  for (auto [index, form] : llvm::enumerate(claims.invariants)) {
    // What certificates rely on has been proved.
    if (invariants[loop][index].empty() ||
        relied.count({loop, unsigned(index)}))
      continue;
    std::optional<Form> goal =
        substitute(form, claims.variables, values, facts);
    Obligation obligation{{goal.value_or(Form(Int(-1)))}};
    Search search(facts, obligation);
    // Those of the prover and rates are few, and worth cases.
    bool isWorthIt =
        index < handed[loop] || rates.count({loop, unsigned(index)});
    if (isWorthIt ? search.run().has_value() : search.holdsSimply())
      continue;
    invariants[loop][index].clear();
    facts.claims(loop).invariants[index] = Form();
    dropped = true;
  }
  return dropped;
}

/// Adds templates to the invariants of each loop, as long as all that are left
/// hold on entry and are kept by each iteration.
void HandlerCertifier::guessInvariants() {
  constexpr unsigned maxRounds = 12;
  {
    SearchFacts facts(handler);
    auto add = [&](Operation *loop, std::vector<std::string> forms,
                   bool areRates) {
      for (std::string &form : forms) {
        if (llvm::is_contained(invariants[loop], form))
          continue;
        if (areRates)
          rates.insert({loop, unsigned(invariants[loop].size())});
        invariants[loop].push_back(std::move(form));
      }
    };
    facts.walk([&](Operation *op) {
      facts.noteLoad(op);
      if (isLoop(op))
        add(op, candidates(op, facts), /*areRates=*/false);
      else if (Operation *loop = loopEndedBy(op))
        add(loop, candidatesAtEnd(loop, facts), /*areRates=*/true);
    });
  }
  for (unsigned round = 0; round < maxRounds; ++round) {
    writeClaims();
    bool dropped = false;
    SearchFacts facts(handler);
    facts.walk([&](Operation *op) {
      facts.noteLoad(op);
      if (isLoop(op)) {
        facts.readClaims(op);
        dropped |= dropFailing(facts, op, facts.claims(op).variables.inits);
      } else if (Operation *loop = loopEndedBy(op)) {
        dropped |=
            dropFailing(facts, loop, facts.claims(loop).variables.yields);
      }
    });
    if (!dropped)
      return;
  }
  for (Operation *loop : loops)
    for (size_t index = handed[loop]; index < invariants[loop].size(); ++index)
      if (!relied.count({loop, unsigned(index)}))
        invariants[loop][index].clear();
}

/// Whether the bound of `op` may need a measure.
static bool isRanked(Operation *op) {
  return meaning::roundStart(op) && op->hasAttr("spin.bound");
}

/// The largest step from `least` on for which `holds`, which does for that one
/// and all below the largest. Larger ones than kEndless are not looked for.
static const Int kEndless(8191);
static Int largest(const Int &least,
                   llvm::function_ref<bool(const Int &)> holds) {
  Int most = least;
  while (most * 2 < kEndless && holds(most * 2))
    most = most * 2;
  for (Int further = most / 2; further > 0; further = further / 2)
    if (holds(most + further))
      most = most + further;
  return most;
}

/// How much the form falls in a round, at whose end we are; 0 if that is not
/// known.
static Int fallOf(StringRef text, Operation *loop, SearchFacts &facts,
                  const Int &wanted = Int(1)) {
  const Claims &claims = facts.claims(loop);
  std::optional<Form> now = facts.readForm(text);
  std::optional<Form> next =
      substitute(*now, claims.variables, claims.variables.yields, facts);
  if (!next)
    return Int(0);
  Form fall = now->minus(*next);
  Obligation nothing;
  Int least = Search(facts, nothing).minimum(fall).value_or(Int(0));
  // Different ways through the body may be worth a look each.
  auto fallsBy = [&](const Int &step) {
    Obligation falls{{fall.minus(Form(step))}};
    return Search(facts, falls).run().has_value();
  };
  return least < wanted && fallsBy(wanted) ? largest(wanted, fallsBy) : least;
}

/// `measure` for a loop that a round may end by clearing a flag: it falls by
/// what the others make it fall by. Nothing if there is no such flag.
static std::optional<HandlerCertifier::Measure>
withFlag(const HandlerCertifier::Measure &measure, Operation *loop,
         SearchFacts &facts) {
  const Claims &claims = facts.claims(loop);
  StringRef terms = measure.form;
  Int constant = meaning::toInt(meaning::nextWord(terms));
  for (auto [flag, next] :
       llvm::zip_equal(claims.variables.arguments, claims.variables.yields)) {
    if (!flag.getType().isInteger(1) || facts.known(flag) != true)
      continue;
    HandlerCertifier::Measure result = measure;
    size_t mark = facts.mark();
    facts.assume(next, true);
    result.step = fallOf(measure.form, loop, facts);
    facts.undo(mark);
    result.form.clear();
    llvm::raw_string_ostream(result.form)
        << constant - result.step << ' ' << result.step << ' '
        << facts.numberOf(flag) << ' ' << terms;
    if (result.step > 0 &&
        fallOf(result.form, loop, facts, result.step) >= result.step)
      return result;
  }
  return std::nullopt;
}

/// Per loop, what falls in each round and by how much.
std::map<Operation *, std::vector<HandlerCertifier::Measure>>
HandlerCertifier::measures() {
  std::map<Operation *, std::vector<Measure>> result;
  SearchFacts facts(handler);
  facts.walk([&](Operation *op) {
    facts.noteLoad(op);
    Operation *loop = op->getParentOp();
    if (isLoop(op))
      facts.readClaims(op);
    if (!isRanked(loop) || !ranks[loop].empty())
      return;
    if (op == meaning::roundStart(loop)) {
      size_t mark = facts.mark();
      if (auto guard = dyn_cast<RequireOp>(op))
        facts.assume(guard.getCondition(), true);
      for (const std::string &form : measureCandidates(loop, facts))
        result[loop].push_back({form, Int(0)});
      facts.undo(mark);
    }
    if (!loopEndedBy(op))
      return;
    for (Measure &measure : result[loop]) {
      measure.step = fallOf(measure.form, loop, facts);
      if (measure.step < 1)
        measure = withFlag(measure, loop, facts).value_or(measure);
    }
    // Where no round comes to its end, anything falls, by any step.
    if (llvm::none_of(result[loop], [](const Measure &each) {
          return each.step >= 1 && each.step < kEndless;
        }))
      for (StringRef constant : {"1 ; ", "0 ; "})
        result[loop].push_back({constant.str(), fallOf(constant, loop, facts)});
  });
  return result;
}

/// Finds for each bounded scf.while a measure that falls. Those for which there
/// was none before.
SmallVector<Operation *> HandlerCertifier::findRanks() {
  auto wantsRank = [&](Operation *loop) {
    return isRanked(loop) && ranks[loop].empty();
  };
  SmallVector<Operation *> found;
  llvm::copy_if(loops, std::back_inserter(found), wantsRank);
  if (found.empty())
    return found;
  std::map<Operation *, std::vector<Measure>> all = measures();
  SearchFacts facts(handler);
  facts.walk([&](Operation *op) {
    facts.noteLoad(op);
    if (isLoop(op))
      facts.readClaims(op);
    if (!isRanked(op) || !ranks[op].empty())
      return;
    std::optional<Form> bound =
        facts.bound(op->getAttrOfType<BoundAttr>("spin.bound"));
    const Claims &claims = facts.claims(op);
    for (const Measure &measure : all[op]) {
      StringRef text = measure.form;
      std::optional<Form> form = facts.readForm(text);
      std::optional<Form> first =
          substitute(*form, claims.variables, claims.variables.inits, facts);
      if (!bound || !first || measure.step < 1)
        continue;
      Obligation enough{{bound->times(measure.step).minus(*first)}};
      if (!Search(facts, enough).run())
        continue;
      llvm::raw_string_ostream(ranks[op])
          << "rank " << measure.step << ' ' << measure.form;
      writeClaims();
      if (facts.readClaims(op))
        return;
      // It speaks of what the loop computes. That falls, too, if no round comes
      // to its end.
      ranks[op].clear();
      writeClaims();
      facts.readClaims(op);
    }
  });
  for (Operation *loop : loops)
    if (isa<scf::WhileOp>(loop) && wantsRank(loop))
      findGeometricRank(cast<scf::WhileOp>(loop));
  writeClaims();
  llvm::erase_if(found, wantsRank);
  return found;
}

/// Measures of one variable; or of one and a flag that a round may clear to end
/// the loop, with a multiple that makes up for what does not change then.
static std::vector<std::string> geometricRanks(scf::WhileOp loop,
                                               SearchFacts &numbers) {
  std::vector<std::string> result;
  for (Value argument : loop.getBeforeArguments()) {
    auto type = dyn_cast<IntegerType>(argument.getType());
    if (!type)
      continue;
    std::string of = (" 1 " + Twine(numbers.numberOf(argument)) + " ").str();
    for (StringRef kind : {"halve ", "double "})
      result.push_back(kind.str() + "0" + of + "; ");
    Int all = meaning::powerOfTwo(type.getWidth());
    for (Value flag : loop.getBeforeArguments()) {
      if (!flag.getType().isInteger(1) || type.isInteger(1))
        continue;
      for (bool halves : {true, false}) {
        Int most = halves ? all : -all;
        llvm::raw_string_ostream(result.emplace_back())
            << (halves ? "halve " : "double ") << -most << of << most << ' '
            << numbers.numberOf(flag) << " ; ";
      }
    }
  }
  return result;
}

bool HandlerCertifier::findGeometricRank(scf::WhileOp loop) {
  SearchFacts numbers(handler);
  for (std::string &rank : geometricRanks(loop, numbers)) {
    ranks[loop] = std::move(rank);
    writeClaims();
    if (holdsAtEnds(loop))
      return true;
  }
  ranks[loop].clear();
  return false;
}

/// Whether what the measure of a loop demands can be proved.
bool HandlerCertifier::holdsAtEnds(scf::WhileOp loop) {
  bool holds = true;
  SearchFacts facts(handler);
  facts.walk([&](Operation *op) {
    facts.noteLoad(op);
    if (isLoop(op))
      facts.readClaims(op);
    if (!holds || (op != loop && op != meaning::roundStart(loop) &&
                   op != loop.getYieldOp()))
      return;
    meaning::Obligations obligations = facts.obligations();
    for (auto [slot, obligation] :
         llvm::zip_equal(slots(op, obligations.size(), facts), obligations))
      holds = holds && (slot.kind != Slot::Measure ||
                        Search(facts, obligation).run().has_value());
  });
  return holds;
}
