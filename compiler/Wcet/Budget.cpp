// See Budget.h.
#include "compiler/Wcet/Budget.h"
#include "compiler/Wcet/SymbolSpace.h"
#include "runtime/abi/portals.h"
#include "runtime/abi/pspin.h"

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

static constexpr StringLiteral kPacketLength = "p.length";

/// The part of `space` that a clause speaks of; nothing if there is none.
static std::optional<SymbolSpace> spaceOf(const BudgetClause &clause,
                                          const SymbolSpace &space) {
  if (!clause.lengths)
    return space;
  SymbolRange all = space.getRanges().at(kPacketLength.str());
  SymbolRange both = {std::max(all.low, clause.lengths->low),
                      std::min(all.high, clause.lengths->high)};
  if (both.low > both.high)
    return std::nullopt;
  return space.restrict(kPacketLength, both);
}

Expected<std::optional<BudgetViolation>>
spinc::checkBudget(const HandlerBound &bound, ArrayRef<BudgetClause> budget) {
  std::vector<std::string> names;
  for (const BudgetClause &clause : budget) {
    clause.cycles.collectSymbols(names);
    if (clause.lengths)
      names.push_back(kPacketLength.str());
  }
  SymbolSpace all(SymbolSpace::addQuotients(bound.symbols, names));
  for (const std::string &name : names)
    if (!all.getRanges().count(name))
      return make_error<WcetError>(WcetError::Kind::UnknownSymbol,
                                   "the budget depends on '" + name +
                                       "', whose range is not known");

  std::optional<BudgetViolation> worst;
  for (const BudgetClause &clause : budget) {
    std::optional<SymbolSpace> space = spaceOf(clause, all);
    if (!space)
      continue;
    for (const SymbolicCount &cycles : bound.cyclesOf(clause.figure)) {
      std::optional<SymbolSpace::Point> gap =
          space->maximize(cycles, clause.cycles);
      if (!gap)
        return make_error<WcetError>(WcetError::Kind::TooLarge,
                                     "the budget does not fit 64 bits");
      if (gap->value <= 0 || (worst && gap->value <= worst->over))
        continue;
      BudgetViolation found;
      found.budget = clause.cycles;
      found.figure = clause.figure;
      found.over = gap->value;
      found.cycles = cycles.evaluate(gap->at).value_or(0);
      found.allowed = found.cycles - gap->value;
      found.at = gap->at;
      found.passing =
          clause.cycles.add(SymbolicCount(gap->value)).value_or(clause.cycles);
      std::vector<std::string> used = names;
      cycles.collectSymbols(used);
      space->chooseDivisors(found.at, used);
      worst = std::move(found);
    }
  }
  return worst;
}

std::vector<BudgetClause> spinc::lineRateBudget(const LinkSpec &link,
                                                int64_t headerBytes,
                                                bool hasPayload) {
  // HPUs * bits / rate; the numbers of a card never come near 64 bits.
  auto allowed = [&](const SymbolicCount &bytes) {
    return *bytes.multiply(link.hpus * 8)->floorDiv(link.lineRate);
  };
  int64_t least = std::max<int64_t>(PORTALS_MIN_FRAME_BYTES, headerBytes);
  if (!hasPayload)
    return {{allowed(SymbolicCount(least)), std::nullopt}};
  // Shorter packets are padded on the wire, and arrive no faster.
  int64_t padded = least - headerBytes;
  SymbolicCount bytes =
      *SymbolicCount(headerBytes).add(SymbolicCount::symbol(kPacketLength));
  return {{allowed(SymbolicCount(least)), SymbolRange{0, padded}},
          {allowed(bytes), SymbolRange{padded, link.mtu}}};
}

int64_t spinc::packetMemory(const LinkSpec &link) {
  return (link.hpus + PSPIN_HPUS_PER_CLUSTER - 1) / PSPIN_HPUS_PER_CLUSTER *
         PSPIN_L1_PACKET_SIZE;
}

StringRef spinc::limitName(SustainedRate::Limit limit) {
  switch (limit) {
  case SustainedRate::Limit::Link:
    return "link";
  case SustainedRate::Limit::Hpus:
    return "HPUs";
  case SustainedRate::Limit::Memory:
    return "packet memory";
  }
  llvm_unreachable("not a limit");
}

/// The largest value that some count has.
static int64_t largest(const SymbolSpace &space,
                       ArrayRef<SymbolicCount> counts) {
  int64_t most = 0;
  for (const SymbolicCount &count : counts)
    if (std::optional<SymbolSpace::Point> top = space.maximize(count))
      most = std::max(most, top->value);
  return most;
}

/// Cycles that a packet's bytes lie in L1: from the start of the transfer from
/// L2 until the card knows that the handler and its commands are done.
static int64_t residence(int64_t bytes, int64_t occupancy) {
  return isa::latency::packetDma + isa::beats(uint32_t(bytes)) + occupancy +
         isa::latency::feedback;
}

/// What a payload handler of these cycles needs, and what limits it.
static SustainedRate rateFor(const LinkSpec &link, int64_t bytes,
                             int64_t cycles, int64_t occupancy) {
  SustainedRate rate;
  rate.packetBytes = bytes;
  rate.cycles = cycles;
  rate.megabits = link.hpus * 8 * bytes * 1000 / cycles;
  int64_t onLink = std::max<int64_t>(bytes, PORTALS_MIN_FRAME_BYTES) * 8;
  rate.hpusNeeded = (cycles * link.lineRate + onLink - 1) / onLink;
  int64_t stay = residence(bytes, occupancy);
  rate.memoryNeeded = (stay * link.lineRate * bytes + onLink - 1) / onLink;
  // Rates at which each of them is used up, in Mbit/s.
  int64_t atLink = link.lineRate * 1000;
  int64_t atMemory = packetMemory(link) * 8 * 1000 / stay;
  if (rate.megabits < std::min(atLink, atMemory))
    rate.limit = SustainedRate::Limit::Hpus;
  else if (atMemory < atLink)
    rate.limit = SustainedRate::Limit::Memory;
  return rate;
}

std::vector<SustainedRate> spinc::sustainedRates(const HandlerBound &bound,
                                                 const LinkSpec &link,
                                                 int64_t headerBytes) {
  std::vector<int64_t> sizes = {64, 128, 256, 512, 1024, link.mtu};
  llvm::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  auto range = bound.symbols.find(kPacketLength.str());
  std::vector<SustainedRate> rates;
  for (int64_t size : sizes) {
    int64_t payload = size - headerBytes;
    SymbolSpace space(bound.symbols);
    if (range != bound.symbols.end()) {
      if (payload < range->second.low || payload > range->second.high)
        continue;
      space = space.restrict(kPacketLength, {payload, payload});
    } else if (size < headerBytes || size > link.mtu) {
      continue;
    }
    int64_t cycles = largest(space, bound.cycles);
    if (cycles > 0)
      rates.push_back(
          rateFor(link, size, cycles,
                  largest(space, bound.cyclesOf(FigureKind::Occupancy))));
  }
  return rates;
}

std::string spinc::printRate(int64_t megabits) {
  std::string text = std::to_string(megabits / 1000);
  if (int64_t tenth = megabits % 1000 / 100)
    text += "." + std::to_string(tenth);
  return text + " Gbit/s";
}

std::string spinc::printValues(const SymbolValues &values) {
  std::string text;
  for (const auto &[name, value] : values) {
    // Quotients follow from their parts.
    auto parts = splitQuotient(name);
    if (parts && values.count(parts->first) && values.count(parts->second))
      continue;
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  }
  return text;
}

std::string spinc::printMaximum(ArrayRef<SymbolicCount> counts) {
  if (counts.size() == 1)
    return counts.front().str();
  std::string text;
  for (const SymbolicCount &count : counts)
    text += (text.empty() ? "max(" : ", ") + count.str();
  return text + ")";
}
