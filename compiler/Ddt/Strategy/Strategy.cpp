// The cost model. Cycles are those of the code this library generates, read
// off its compiled bounds; docs/datatypes.md, "Strategies", has the formulas.
#include "compiler/Ddt/Strategy/Strategy.h"

#include "runtime/abi/pspin.h"
#include "runtime/sim/spinsim.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace llvm;
using namespace spinc::ddt;

namespace {

constexpr double lineRate = 400; // Gbit/s
/// The command unit takes one command in a cycle, for all HPUs together.
constexpr double commandsPerCycle = 1;
/// Nanoseconds of a host core for a cache line that it has not at hand, and
/// for a byte that it copies: measured with cold caches, both MPI libraries.
constexpr double hostLine = 10, hostByte = 0.1;

constexpr double cyclesAtStart = 90;
constexpr double cyclesOfPart = 25;
constexpr double cyclesOfSearch = 90;
constexpr double cyclesOfGeneralStart = 140;
constexpr double cyclesOfGeneralPiece = 50;
constexpr double cyclesOfSkip = 35;
/// Of the general handlers, at worst.
constexpr int64_t worstGeneralStart = 250, worstGeneralStep = 75;
constexpr int64_t largestPayload = 4096;

double cyclesOfPiece(const Part &part) {
  if (!part.starts.empty())
    return 40;
  if (!part.places.empty())
    return 34;
  return 24 +
         3.0 * static_cast<double>(std::max<size_t>(part.levels.size(), 1));
}

double cyclesOfPlan(const Plan &plan, double pieces) {
  double each = 0, start = cyclesAtStart;
  for (const Part &part : plan.parts) {
    double share = static_cast<double>(part.bytes) /
                   static_cast<double>(std::max<int64_t>(plan.bytes, 1));
    each += share * cyclesOfPiece(part);
    start += part.starts.empty() ? 0 : share * cyclesOfSearch;
  }
  if (plan.parts.size() > 1)
    start += cyclesOfPart * static_cast<double>(plan.parts.size());
  return start + each * pieces;
}

/// Sets rate and limit from the cycles.
void rate(Candidate &candidate, const Choice &choice, int64_t bytes) {
  double bits =
      8 * static_cast<double>(bytes) /
      static_cast<double>(std::max<int64_t>(choice.traffic.packets, 1));
  double pieces =
      static_cast<double>(choice.traffic.commands) /
      static_cast<double>(std::max<int64_t>(choice.traffic.packets, 1));
  double byHpus = bits * PSPIN_HPUS / candidate.cyclesPerPacket;
  double byCommands = bits / (pieces / commandsPerCycle);
  candidate.gigabits = std::min({byHpus, byCommands, lineRate});
  candidate.limit = candidate.gigabits == lineRate ? "the link"
                    : candidate.gigabits == byHpus ? "the HPUs"
                                                   : "the command unit";
}

double hostRate(Placed layout) {
  int64_t lines = 0, last = INT64_MIN;
  forEachRun(layout, [&](int64_t place, int64_t length) {
    int64_t first = place >> 6, end = (place + length - 1) >> 6;
    lines += end - first + (first != last);
    last = end;
  });
  double bytes = static_cast<double>(layout.layout->bytes);
  double time = hostLine * static_cast<double>(lines) + hostByte * bytes;
  return 8 * bytes / time;
}

} // namespace

std::optional<StrategyKind> spinc::ddt::strategyOf(StringRef name) {
  for (StrategyKind kind : {StrategyKind::Specialised, StrategyKind::ReadOnly,
                            StrategyKind::ReadWrite, StrategyKind::HpuLocal})
    if (name == nameOf(kind))
      return kind;
  return std::nullopt;
}

StringRef spinc::ddt::nameOf(StrategyKind kind) {
  switch (kind) {
  case StrategyKind::Specialised:
    return "specialised";
  case StrategyKind::ReadOnly:
    return "ro-checkpoints";
  case StrategyKind::ReadWrite:
    return "rw-checkpoints";
  case StrategyKind::HpuLocal:
    return "hpu-local";
  }
  return "";
}

/// Steps of the interpreter before the first command of a packet: half an
/// interval after a checkpoint, what the other HPUs did since the own stop; no
/// more than it has from anywhere to anywhere.
static double catchUp(StrategyKind kind, const Choice &choice, double pieces,
                      const GeneralTables &tables) {
  double packet = static_cast<double>(choice.payload);
  double packets = static_cast<double>(choice.traffic.packets);
  double interval = static_cast<double>(int64_t(1) << tables.shift);
  double others = std::min<double>(PSPIN_HPUS - 1, packets / 2);
  double bytes = 0;
  switch (kind) {
  case StrategyKind::ReadOnly:
    bytes = std::min(interval, packet * packets) / 2;
    break;
  case StrategyKind::ReadWrite:
    bytes = std::min(interval / 2, packet * others);
    break;
  default:
    bytes = packet * others;
  }
  return std::min(pieces * bytes / packet, static_cast<double>(tables.reach));
}

int64_t spinc::ddt::longestHandler() {
  SpinSimConfig config;
  spinSimDefaultConfig(&config);
  return static_cast<int64_t>(config.maxHandlerCycles);
}

std::string spinc::ddt::whyTooLong(int64_t worst) {
  if (worst <= longestHandler())
    return "";
  return formatv("a packet may take {0} cycles, and the card ends a handler "
                 "after {1}",
                 worst, longestHandler());
}

static Candidate generalCandidate(StrategyKind kind, const Choice &choice,
                                  double pieces, const Means &means) {
  Candidate general;
  general.kind = kind;
  general.whyNot = means.whyNoTables;
  const GeneralTables *tables = means.tables;
  if (!tables)
    return general;
  bool fromStart = kind == StrategyKind::HpuLocal;
  const StepBound &steps =
      fromStart ? tables->fromAnywhereBefore : tables->fromCheckpoint;
  general.whyNot = whyTooLong(
      worstGeneralStart +
      worstGeneralStep * (largestPayload / steps.divisor + steps.more));
  general.cyclesPerPacket =
      cyclesOfGeneralStart + cyclesOfGeneralPiece * pieces +
      cyclesOfSkip * catchUp(kind, choice, pieces, *tables);
  size_t words = tables->program.size() + tables->lists.size() +
                 (fromStart ? wordsPerCheckpoint : tables->checkpoints.size()) +
                 PSPIN_HPUS_PER_CLUSTER * (kind == StrategyKind::ReadOnly
                                               ? deepestSegment
                                               : wordsPerCheckpoint);
  general.tableBytes = static_cast<int64_t>(4 * words);
  return general;
}

Choice spinc::ddt::choose(Placed layout, int64_t payload, const Means &means) {
  Choice choice;
  choice.payload = payload;
  choice.budget = PSPIN_HPUS * 8 * static_cast<double>(payload) / lineRate;
  choice.traffic = trafficOf(layout, payload);
  double pieces = choice.traffic.packets == 0
                      ? 0
                      : static_cast<double>(choice.traffic.commands) /
                            static_cast<double>(choice.traffic.packets);
  Candidate specialised;
  specialised.whyNot = means.whyNoPlan;
  if (means.plan) {
    specialised.cyclesPerPacket = cyclesOfPlan(*means.plan, pieces);
    specialised.tableBytes = 4 * means.plan->tableWords;
  }
  choice.candidates = {specialised};
  for (StrategyKind kind : {StrategyKind::ReadOnly, StrategyKind::ReadWrite,
                            StrategyKind::HpuLocal})
    choice.candidates.push_back(generalCandidate(kind, choice, pieces, means));
  for (Candidate &candidate : choice.candidates)
    if (candidate.whyNot.empty() && layout.layout)
      rate(candidate, choice, layout.layout->bytes);
  for (size_t i = 0; i < choice.candidates.size(); ++i)
    if (choice.candidates[i].whyNot.empty() &&
        (!choice.candidates[choice.chosen].whyNot.empty() ||
         choice.candidates[i].gigabits >
             choice.candidates[choice.chosen].gigabits))
      choice.chosen = i;
  if (!layout.layout)
    return choice;
  choice.hostGigabits = hostRate(layout);
  const Candidate &best = choice.candidates[choice.chosen];
  choice.offload = best.whyNot.empty() && best.gigabits > choice.hostGigabits;
  return choice;
}

void spinc::ddt::explain(raw_ostream &out, StringRef name, Placed layout,
                         const Choice &choice) {
  out << name << ":\n";
  if (!layout.layout) {
    out << "  no bytes: the handler has nothing to do\n";
    return;
  }
  int64_t shortest = INT64_MAX, longest = 0, runs = 0;
  forEachRun(layout, [&](int64_t, int64_t length) {
    shortest = std::min(shortest, length);
    longest = std::max(longest, length);
    ++runs;
  });
  const Traffic &traffic = choice.traffic;
  out << formatv("  layout: {0} bytes in {1} runs of {2} to {3} bytes, over "
                 "{4} bytes of memory\n",
                 layout.layout->bytes, runs, shortest, longest,
                 layout.layout->high - layout.layout->low);
  out << formatv("  packets of {0} bytes: {1}, with {2} commands in all and at "
                 "most {3} in one\n",
                 choice.payload, traffic.packets, traffic.commands,
                 traffic.mostPerPacket);
  out << formatv(
      "  budget: {0:f0} cycles for a packet at {1:f0} Gbit/s with {2} "
      "HPUs\n",
      choice.budget, lineRate, PSPIN_HPUS);
  for (const Candidate &candidate : choice.candidates) {
    out << "  " << nameOf(candidate.kind) << ": ";
    if (!candidate.whyNot.empty())
      out << "not possible: " << candidate.whyNot << "\n";
    else
      out << formatv("about {0:f0} cycles for a packet, {1} bytes of tables, "
                     "{2:f1} Gbit/s, limited by {3}\n",
                     candidate.cyclesPerPacket, candidate.tableBytes,
                     candidate.gigabits, candidate.limit);
  }
  out << formatv("  host: about {0:f1} Gbit/s with a cold cache\n",
                 choice.hostGigabits);
  const Candidate &best = choice.candidates[choice.chosen];
  if (!best.whyNot.empty())
    out << "  taken: none, the host unpacks\n";
  else if (!choice.offload)
    out << formatv("  taken: {0}, if asked for: the host alone is expected to "
                   "be faster\n",
                   nameOf(best.kind));
  else
    out << "  taken: " << nameOf(best.kind) << "\n";
}
