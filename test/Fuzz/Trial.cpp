// The order of a trial.
#include "test/Fuzz/Trial.h"
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

TrialResult spinc::fuzz::tryProgram(const std::string &text, uint64_t seed,
                                    const TrialOptions &options) {
  TrialResult result;
  auto program =
      std::make_unique<Program>(text, options.executable, options.importDirs);
  result.verdict = program->prove();
  result.errorCode = program->errorCode();
  if (result.verdict == Verdict::RejectedByProver)
    result.rejectionShown = showsViolation(*program, seed, options);
  if (result.verdict == Verdict::Internal)
    result.failure = "internal: " + program->messages();
  if (result.verdict != Verdict::Accepted)
    return result;
  if (options.countConstructs)
    result.constructs = constructsIn(*program);
  // Levels that yield the same code run once.
  std::set<std::string> tried;
  for (unsigned level : options.levels) {
    Verdict verdict = program->makeObject(level);
    std::string object = program->object().str();
    if (tried.count(object)) {
      ++result.images;
      continue;
    }
    if (verdict == Verdict::Accepted)
      verdict = program->makeImage();
    if (verdict == Verdict::Internal)
      result.failure = "internal: at -O" + std::to_string(level);
    if (verdict == Verdict::RejectedByBackEnd) {
      // Over a budget or without a bound at this level only.
      result.errorCode = program->errorCode();
      program = std::make_unique<Program>(text, options.executable,
                                          options.importDirs);
      program->prove();
      continue;
    }
    if (verdict != Verdict::Accepted)
      return result;
    ++result.images;
    tried.insert(std::move(object));
    for (unsigned set = 0; set < options.inputSets; ++set)
      if (Failure failure =
              runContexts(*program, seed + set, options, result.counts)) {
        result.failure = *failure + " [-O" + std::to_string(level) + "]";
        return result;
      }
  }
  if (result.images == 0)
    result.verdict = Verdict::RejectedByBackEnd;
  return result;
}
