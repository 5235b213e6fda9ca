// Budgets against bounds: exact for all symbol values in range, never by
// sampling. Rates are in Gbit/s, which at the card's 1 GHz is bits per cycle.
#ifndef SPINC_COMPILER_WCET_BUDGET_H
#define SPINC_COMPILER_WCET_BUDGET_H

#include "compiler/Wcet/Wcet.h"

namespace spinc {

/// The card and its link, for budgets by line rate.
struct LinkSpec {
  int64_t lineRate = 400; ///< Gbit/s
  int64_t hpus = 32;
  int64_t mtu = 1500; ///< largest packet as the handler sees it
};

/// `cycles` may be taken, as `figure` counts them; with `lengths`, by
/// packets whose p.length lies there.
struct BudgetClause {
  SymbolicCount cycles;
  std::optional<SymbolRange> lengths;
  FigureKind figure = FigureKind::Active;
};

/// How a bound breaks its budget, at the values where it does so most.
struct BudgetViolation {
  SymbolicCount budget; ///< the clause that does not hold
  FigureKind figure = FigureKind::Active;
  int64_t over = 0;
  int64_t cycles = 0;
  int64_t allowed = 0;
  SymbolValues at;
  /// The clause raised by `over`: holds for all values.
  SymbolicCount passing;
};

/// Every clause must hold for all values in range. Fails only if the question
/// cannot be decided (a symbol without a range, more than 64 bits).
llvm::Expected<std::optional<BudgetViolation>>
checkBudget(const HandlerBound &bound, llvm::ArrayRef<BudgetClause> budget);

/// Cycles one packet may take at line rate, HPUs * bits / rate: of a packet
/// with `headerBytes` before a payload of p.length bytes, or, without payload,
/// of the header alone. A frame has at least 64 bytes.
std::vector<BudgetClause> lineRateBudget(const LinkSpec &link,
                                         int64_t headerBytes, bool hasPayload);

/// What the handler sustains with packets of one size.
struct SustainedRate {
  int64_t packetBytes = 0;
  int64_t cycles = 0;   ///< bound at this size, other symbols at their worst
  int64_t megabits = 0; ///< Mbit/s with all HPUs busy
  /// HPUs that are busy at the line rate: arrivals times cycles (Little's law).
  int64_t hpusNeeded = 0;
  /// Packets on the card at the line rate, in bytes: arrivals times the time
  /// from the NIC to the feedback, waits for commands included.
  int64_t memoryNeeded = 0;
  /// What ends first when the rate grows.
  enum class Limit { Link, Hpus, Memory } limit = Limit::Link;
};

/// "link", "HPUs", "packet memory".
llvm::StringRef limitName(SustainedRate::Limit limit);
/// L1 of the clusters of these HPUs that holds packets.
int64_t packetMemory(const LinkSpec &link);
std::vector<SustainedRate> sustainedRates(const HandlerBound &bound,
                                          const LinkSpec &link,
                                          int64_t headerBytes);

/// "400 Gbit/s", "256.5 Gbit/s".
std::string printRate(int64_t megabits);
/// "p.length = 1472, block = 4".
std::string printValues(const SymbolValues &values);
/// "48 + 2 * p.length", "max(9 + p.length, 40)".
std::string printMaximum(llvm::ArrayRef<SymbolicCount> counts);

} // namespace spinc

#endif // SPINC_COMPILER_WCET_BUDGET_H
