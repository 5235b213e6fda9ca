// The order of a trial.
#include "test/Fuzz/Trial.h"
#include "test/Fuzz/BoundRuns.h"
#include "test/Fuzz/Coverage.h"
#include <set>

using namespace spinc;
using namespace spinc::fuzz;

/// Whether a rejected program does go wrong on some packets.
static bool showsViolation(const Program &program, uint64_t seed,
                           const TrialOptions &options) {
  std::vector<uint64_t> numbers = numbersIn(program.ast());
  Random random(seed);
  for (const auto &context : program.info().contexts)
    if (std::optional<Inputs> inputs =
            makeInputs(*context, numbers, options.packets, random))
      if (violationOn(*inputs))
        return true;
  return false;
}

static Failure runContexts(const Program &program, uint64_t seed,
                           const TrialOptions &options, Counts &counts) {
  std::vector<uint64_t> numbers = numbersIn(program.ast());
  Random random(seed);
  for (const auto &context : program.info().contexts) {
    std::optional<Inputs> inputs =
        makeInputs(*context, numbers, options.packets, random);
    if (!inputs)
      continue;
    if (Failure failure = compare(program, *inputs, counts))
      return failure;
  }
  return std::nullopt;
}

/// All runs of the image that `program` has.
static Failure runImage(const Program &program, uint64_t seed,
                        const TrialOptions &options, Counts &counts) {
  for (unsigned set = 0; set < options.inputSets; ++set)
    if (Failure failure = runContexts(program, seed + set, options, counts))
      return failure;
  if (options.boundRuns == 0)
    return std::nullopt;
  BoundRunOptions more;
  more.runs = options.boundRuns;
  more.seed = seed;
  return runAgainstBounds(program, more, counts);
}

/// All ways of one program; those with -Os are last.
static std::vector<Way> waysFor(uint64_t seed, const TrialOptions &options) {
  std::vector<Way> ways;
  for (unsigned level : options.levels)
    ways.push_back({level});
  if (!options.othersEvery)
    return ways;
  uint64_t turn = seed % options.othersEvery,
           round = seed / options.othersEvery;
  bool alsoForSize = turn == 0, alsoCorev = turn == options.othersEvery / 2;
  if (alsoCorev && !options.levels.empty())
    ways.push_back({options.levels[round % options.levels.size()], false,
                    isa::InstructionSet::Corev});
  if (alsoForSize)
    ways.push_back({2, true});
  if (alsoCorev && (alsoForSize || round % 8 == 0))
    ways.push_back({2, true, isa::InstructionSet::Corev});
  return ways;
}

namespace {

class Trial {
public:
  Trial(const std::string &text, uint64_t seed, const TrialOptions &options)
      : text(text), seed(seed), options(options) {}

  TrialResult run();

private:
  Verdict start(bool forSize) {
    isForSize = forSize;
    program =
        std::make_unique<Program>(text, options.executable, options.importDirs,
                                  forSize, options.disabled);
    program->stages().setCodeOffset(options.codeOffset);
    // Half of the programs as most are, the others as budgets may want them.
    constexpr unsigned unrolling[] = {0, 8, 0, 16, 0, 1};
    program->unrollBy(unrolling[seed % std::size(unrolling)]);
    if (options.countConstructs)
      program->notePasses();
    return program->prove();
  }
  Verdict tryWay(const Way &way);
  void fail(const Way &way, const std::string &what) {
    result.failure = what + " [" + way.name() + "]";
  }

  const std::string &text;
  const uint64_t seed;
  const TrialOptions &options;
  std::unique_ptr<Program> program;
  bool isForSize = false;
  TrialResult result;
  /// Ways that yield the same code run once.
  std::set<std::string> tried;
};

/// Rejected by the back end if only this way has no image.
Verdict Trial::tryWay(const Way &way) {
  Verdict verdict = Verdict::Accepted;
  if (!program || way.forSize != isForSize)
    verdict = start(way.forSize);
  if (verdict == Verdict::Accepted)
    verdict = program->makeObject(way);
  std::string code = isa::nameOf(way.target) + program->object().str();
  if (verdict == Verdict::Accepted && tried.count(code)) {
    ++result.images;
    return verdict;
  }
  if (verdict == Verdict::Accepted)
    verdict = program->makeImage();
  if (verdict == Verdict::Internal)
    fail(way, "internal: " + program->messages());
  if (verdict != Verdict::Accepted) {
    result.errorCode = program->errorCode();
    program.reset();
    return verdict;
  }
  ++result.images;
  tried.insert(std::move(code));
  if (Failure failure = runImage(*program, seed, options, result.counts))
    fail(way, *failure);
  return verdict;
}

TrialResult Trial::run() {
  result.verdict = start(/*forSize=*/false);
  result.errorCode = program->errorCode();
  if (result.verdict == Verdict::RejectedByProver)
    result.rejectionShown = showsViolation(*program, seed, options);
  if (result.verdict == Verdict::Internal)
    result.failure = "internal: " + program->messages();
  if (result.verdict != Verdict::Accepted)
    return std::move(result);
  if (options.countConstructs)
    result.constructs = constructsIn(*program);
  for (const Way &way : waysFor(seed, options)) {
    Verdict verdict = tryWay(way);
    if (verdict == Verdict::RejectedByProver && !way.forSize)
      fail(way, "proof: rejected when it is tried again");
    if (result.failure)
      return std::move(result);
  }
  if (result.images == 0)
    result.verdict = Verdict::RejectedByBackEnd;
  return std::move(result);
}

} // namespace

TrialResult spinc::fuzz::tryProgram(const std::string &text, uint64_t seed,
                                    const TrialOptions &options) {
  return Trial(text, seed, options).run();
}
