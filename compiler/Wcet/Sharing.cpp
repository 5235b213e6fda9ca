// See Sharing.h.
#include "compiler/Wcet/Sharing.h"
#include <set>

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;

/// The inner loops of `total` have no more rounds in one call than the limit
/// has room for.
static void limitRounds(LoopTable &loops, const SharedTotal &total) {
  for (auto [id, weight] : total.weights) {
    LoopSpec &loop = loops.at(id);
    if (loop.parent >= 0)
      loop.total = total.limit.floorDiv(weight);
  }
}

/// Prices at which the rounds of one of the loops cost nothing, or hardly
/// anything, any more; and none.
static std::set<int64_t> pricesFor(const SharedTotal &total,
                                   const Trial &plain) {
  std::set<int64_t> prices = {0};
  for (auto [id, weight] : total.weights)
    if (auto cycles = plain.perIteration.find(id);
        cycles != plain.perIteration.end())
      for (int64_t price :
           {cycles->second / weight, (cycles->second + weight - 1) / weight})
        prices.insert(price);
  return prices;
}

/// Nothing if a loop of the total is unknown, or the charge leaves 64 bits.
static std::optional<Sharing> withPrice(Sharing sharing,
                                        const SharedTotal &total,
                                        const Trial &plain, int64_t price) {
  for (auto [id, weight] : total.weights)
    if (weight < 1 || !sharing.loops.count(id))
      return std::nullopt;
  limitRounds(sharing.loops, total);
  for (auto [id, weight] : total.weights)
    sharing.loops.at(id).prepaid += price * weight;
  for (auto [id, cycles] : plain.perIteration)
    sharing.loops.at(id).perIteration = cycles;
  std::optional<SymbolicCount> charge = total.limit.multiply(price);
  charge = charge ? sharing.charge.add(*charge) : std::nullopt;
  if (!charge)
    return std::nullopt;
  sharing.charge = *charge;
  return sharing;
}

Sharing spinc::wcet::chooseSharing(const LoopTable &loops,
                                   ArrayRef<SharedTotal> totals,
                                   const TryOut &tryOut) {
  Sharing best{loops};
  if (totals.empty())
    return best;
  std::optional<Trial> plain = tryOut(best);
  if (!plain)
    return best;
  int64_t worst = plain->worst;
  for (const SharedTotal &total : totals) {
    const Sharing before = best;
    int64_t bestPrice = 0;
    auto tryPrice = [&](int64_t price) {
      std::optional<Sharing> sharing = withPrice(before, total, *plain, price);
      std::optional<Trial> trial = sharing ? tryOut(*sharing) : std::nullopt;
      if (!trial || trial->worst >= worst)
        return false;
      worst = trial->worst;
      best = std::move(*sharing);
      bestPrice = price;
      return true;
    };
    std::set<int64_t> prices = pricesFor(total, *plain);
    for (int64_t price : prices)
      tryPrice(price);
    // The bound is convex in the price: from the best of these downhill.
    for (int64_t step = *prices.rbegin() / 2; step > 0; step /= 2)
      if (!tryPrice(bestPrice + step) && bestPrice >= step)
        tryPrice(bestPrice - step);
  }
  return best;
}
