// See BudgetUnrolling.h.
#include "compiler/Driver/BudgetUnrolling.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::driver;

namespace {

/// Iterations per turn, in the order in which they are tried; 1 leaves loops as
/// they are. Handlers that are within their budgets keep what they have.
constexpr unsigned steps[] = {8, 16, 1};

using Miss = Compilation::Miss;

class Search {
public:
  Search(Compilation &usual, const Options &options, StringRef executable,
         function_ref<bool(Compilation &)> toBounds)
      : usual(usual), options(options), executable(executable),
        toBounds(toBounds) {}

  /// A compilation that keeps all budgets, or null.
  std::unique_ptr<Compilation> run(std::vector<Miss> misses);

  void tellWhatWasTried() {
    for (auto &[symbol, text] : tried)
      usual.noteTried(symbol, std::move(text));
  }

private:
  /// Asks for the next step for each miss; false if there is none for one.
  bool advance(ArrayRef<Miss> misses);
  /// What misses its budget in `attempt`, or does not stay in the cache.
  std::vector<Miss> judge(const Compilation &attempt, ArrayRef<Miss> before);
  void note(const std::string &symbol, const Twine &result);

  Compilation &usual;
  const Options &options;
  StringRef executable;
  function_ref<bool(Compilation &)> toBounds;

  Unrolling unrolling;
  std::map<std::string, size_t> nextSteps;
  std::map<std::string, std::string> tried;
};

void Search::note(const std::string &symbol, const Twine &result) {
  std::string &text = tried[symbol];
  unsigned turn = unrolling.at(symbol);
  text += (Twine(text.empty() ? "" : "; ") + Twine(turn) +
           (turn == 1 ? " iteration" : " iterations") + " per turn: " + result)
              .str();
}

bool Search::advance(ArrayRef<Miss> misses) {
  for (const Miss &miss : misses) {
    size_t &step = nextSteps[miss.symbol];
    if (!miss.hasLoops || step == std::size(steps))
      return false;
    unrolling[miss.symbol] = steps[step++];
  }
  return true;
}

std::vector<Miss> Search::judge(const Compilation &attempt,
                                ArrayRef<Miss> before) {
  const Session &session = attempt.state();
  if (session.failed()) {
    // Any of them may be the cause.
    StringRef why = session.internalMessage();
    if (why.empty())
      why =
          find_if(session.diagnostics.diagnostics(), [](const auto &reported) {
            return reported.severity == Severity::Error;
          })->code;
    for (const Miss &miss : before)
      note(miss.symbol, "not compiled (" + why + ")");
    return before;
  }
  std::vector<Miss> misses = attempt.findMisses();
  for (const Miss &miss : misses)
    if (unrolling.count(miss.symbol))
      note(miss.symbol, "over by " + Twine(miss.over));
  for (const Miss &miss : before) {
    bool isOver = any_of(
        misses, [&](const Miss &other) { return other.symbol == miss.symbol; });
    if (isOver)
      continue;
    if (attempt.staysInCache(miss.symbol)) {
      note(miss.symbol, "within the budget");
      continue;
    }
    note(miss.symbol, "too large for the instruction cache");
    misses.push_back(miss);
  }
  return misses;
}

std::unique_ptr<Compilation> Search::run(std::vector<Miss> misses) {
  while (advance(misses)) {
    auto attempt = std::make_unique<Compilation>(options, executable);
    attempt->replaceSource(usual.sourceText().str());
    attempt->setUnrolling(unrolling);
    bool hasBounds = toBounds(*attempt);
    misses = judge(*attempt, misses);
    if (hasBounds && misses.empty())
      return attempt;
  }
  return nullptr;
}

} // namespace

std::unique_ptr<Compilation>
driver::unrollForBudgets(std::unique_ptr<Compilation> usual,
                         const Options &options, StringRef executable,
                         function_ref<bool(Compilation &)> toBounds) {
  if (usual->state().failed() ||
      options.disabled.has(backend::Ablation::UnrollLoops) ||
      options.disabled.has(backend::Ablation::BudgetUnrolling))
    return usual;
  std::vector<Miss> misses = usual->findMisses();
  if (misses.empty())
    return usual;
  Search search(*usual, options, executable, toBounds);
  if (std::unique_ptr<Compilation> found = search.run(std::move(misses)))
    return found;
  search.tellWhatWasTried();
  return usual;
}
