// Which handler a layout gets, by what each would cost on the card, and
// whether the host had better unpack by itself.
#ifndef SPINC_COMPILER_DDT_STRATEGY_STRATEGY_H
#define SPINC_COMPILER_DDT_STRATEGY_STRATEGY_H

#include "compiler/Ddt/General/Tables.h"
#include "compiler/Ddt/Plan/Plan.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace spinc::ddt {

/// The general ones run one interpreter over tables. They differ in where a
/// packet begins: at a checkpoint, where the same HPU stopped before, or at
/// the nearer of the two.
enum class StrategyKind { Specialised, ReadOnly, ReadWrite, HpuLocal };

std::optional<StrategyKind> strategyOf(llvm::StringRef name);
llvm::StringRef nameOf(StrategyKind kind);

struct Candidate {
  StrategyKind kind = StrategyKind::Specialised;
  std::string whyNot; ///< empty: possible
  double cyclesPerPacket = 0;
  int64_t tableBytes = 0; ///< in the L1 of each cluster
  double gigabits = 0;    ///< of payload each second, all HPUs busy
  std::string limit;      ///< what does not allow more
};

struct Choice {
  Traffic traffic;
  int64_t payload = 0;
  double budget = 0; ///< cycles a packet may take at the rate of the link
  std::vector<Candidate> candidates;
  size_t chosen = 0;
  double hostGigabits = 0; ///< what a core of the host is expected to unpack
  bool offload = true;
};

/// What a plan or the tables of the general handler are, or why there are none.
struct Means {
  const Plan *plan = nullptr;
  std::string whyNoPlan;
  const GeneralTables *tables = nullptr;
  std::string whyNoTables;
};

/// Cycles after which the card ends a handler, unless its machine says
/// otherwise.
int64_t longestHandler();

/// Why a handler that may take `worst` cycles is not made; empty if it is.
std::string whyTooLong(int64_t worst);

/// A layout without bytes takes no time anywhere.
Choice choose(Placed layout, int64_t payload, const Means &means);

void explain(llvm::raw_ostream &out, llvm::StringRef name, Placed layout,
             const Choice &choice);

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_STRATEGY_STRATEGY_H
