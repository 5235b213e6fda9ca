// See CostSet.h.
#include "compiler/Wcet/CostSet.h"

using namespace spinc;
using namespace spinc::wcet;

/// More members than this are joined into one that is above all of them.
static constexpr size_t kMaxMembers = 6;

SymbolicCount CostAlgebra::need(std::optional<SymbolicCount> count) {
  overflow |= !count.has_value();
  return count.value_or(SymbolicCount());
}

SymbolicCount::Maximum CostAlgebra::maximum(const SymbolicCount &count) {
  std::optional<SymbolicCount::Maximum> top = count.maximum(ranges);
  overflow |= !top.has_value();
  return top.value_or(SymbolicCount::Maximum());
}

int64_t CostAlgebra::high(const SymbolicCount &count) {
  return maximum(count).value;
}

int64_t CostAlgebra::low(const SymbolicCount &count) {
  std::optional<int64_t> bound = count.lowerBound(ranges);
  overflow |= !bound.has_value();
  return bound.value_or(0);
}

int64_t CostAlgebra::high(const CostSet &set) {
  int64_t best = INT64_MIN;
  for (const PathCost &path : set)
    best = std::max(best, high(path.cycles));
  return best;
}

/// Drops what another member dominates on the whole box of symbol values.
void CostAlgebra::prune(CostSet &set) {
  CostSet kept;
  for (PathCost &path : set) {
    bool dominated = false;
    for (const PathCost &other : kept)
      dominated |= high(need(path.cycles.subtract(other.cycles))) <= 0;
    if (dominated)
      continue;
    llvm::erase_if(kept, [&](const PathCost &other) {
      return high(need(other.cycles.subtract(path.cycles))) <= 0;
    });
    kept.push_back(std::move(path));
  }
  while (kept.size() > kMaxMembers)
    joinClosest(kept);
  set = std::move(kept);
}

/// Joins the two members that raise the largest value of the set least, then
/// those that raise their own least.
void CostAlgebra::joinClosest(CostSet &set) {
  size_t bestA = 0, bestB = 1;
  std::pair<int64_t, int64_t> least(INT64_MAX, INT64_MAX);
  int64_t top = high(set);
  for (size_t a = 0; a < set.size(); ++a)
    for (size_t b = a + 1; b < set.size(); ++b) {
      auto [big, gap] = compare(set[a], set[b]);
      int64_t raised = std::max<int64_t>(
          0, high((big ? set[b] : set[a]).cycles) + gap - top);
      if (std::make_pair(raised, gap) < least) {
        least = {raised, gap};
        bestA = a;
        bestB = b;
      }
    }
  set[bestA] = join(set[bestA], set[bestB]);
  set.erase(set.begin() + bestB);
}

/// Which of two is larger at its best (0: the first), and how far the other
/// one can be above it elsewhere.
std::pair<unsigned, int64_t> CostAlgebra::compare(const PathCost &a,
                                                  const PathCost &b) {
  bool second = high(b.cycles) > high(a.cycles);
  const PathCost &big = second ? b : a;
  const PathCost &small = second ? a : b;
  int64_t gap = high(need(small.cycles.subtract(big.cycles)));
  return {second, std::max<int64_t>(0, gap)};
}

/// One cost that is nowhere below either: the larger one, raised by what the
/// smaller one can ever be above it.
PathCost CostAlgebra::join(const PathCost &a, const PathCost &b) {
  auto [second, gap] = compare(a, b);
  const PathCost &big = second ? b : a;
  Recipe recipe;
  recipe.first = big.recipe;
  recipe.slack = gap;
  return {need(big.cycles.add(SymbolicCount(gap))),
          std::make_shared<Recipe>(std::move(recipe))};
}

CostSet
CostAlgebra::addCharges(const CostSet &set,
                        std::shared_ptr<const std::vector<Charge>> charges) {
  int64_t cycles = 0;
  for (const Charge &charge : *charges)
    cycles += charge.cycles;
  if (charges->empty())
    return set;
  CostSet result;
  for (const PathCost &path : set) {
    Recipe recipe;
    recipe.first = path.recipe;
    recipe.charges = charges;
    result.push_back({need(path.cycles.add(SymbolicCount(cycles))),
                      std::make_shared<Recipe>(std::move(recipe))});
  }
  return result;
}

CostSet CostAlgebra::addPrepaid(const CostSet &set,
                                const SymbolicCount &cycles) {
  CostSet result;
  for (const PathCost &path : set) {
    Recipe recipe;
    recipe.first = path.recipe;
    recipe.prepaid = cycles;
    result.push_back({need(path.cycles.add(cycles)),
                      std::make_shared<Recipe>(std::move(recipe))});
  }
  return result;
}

CostSet CostAlgebra::sequence(const CostSet &first, const CostSet &second) {
  CostSet result;
  for (const PathCost &a : first)
    for (const PathCost &b : second) {
      Recipe recipe;
      recipe.first = a.recipe;
      recipe.body = b.recipe;
      result.push_back({need(a.cycles.add(b.cycles)),
                        std::make_shared<Recipe>(std::move(recipe))});
    }
  prune(result);
  return result;
}

void CostAlgebra::unite(CostSet &into, const CostSet &other) {
  into.append(other.begin(), other.end());
  if (into.size() > 1)
    prune(into);
}

PathCost CostAlgebra::repeatOne(const SymbolicCount &count,
                                const PathCost &body) {
  Recipe recipe;
  recipe.body = body.recipe;
  recipe.count = count;
  SymbolicCount cycles;
  if (count.isConstant()) {
    cycles = need(body.cycles.multiply(count.getConstant()));
  } else if (body.cycles.isConstant()) {
    cycles = need(count.multiply(body.cycles.getConstant()));
  } else {
    // Cut the product: one factor at its largest value. The factor that
    // depends on the packet stays, so that the bound follows its length.
    std::vector<std::string> names;
    count.collectSymbols(names);
    bool keepCount = llvm::is_contained(names, "p.length");
    const SymbolicCount &cut = keepCount ? body.cycles : count;
    SymbolicCount::Maximum top = maximum(cut);
    int64_t largest = top.value;
    // Where no joint maximum was found the recipe is short of the bound.
    int64_t missing = largest - cut.evaluate(top.at).value_or(largest);
    if (keepCount) {
      recipe.bodyValues = std::make_shared<SymbolValues>(std::move(top.at));
      if (missing > 0) {
        Recipe padded;
        padded.first = body.recipe;
        padded.slack = missing;
        recipe.body = std::make_shared<Recipe>(std::move(padded));
      }
      cycles = need(count.multiply(largest));
    } else {
      recipe.count = SymbolicCount(largest);
      cycles = need(body.cycles.multiply(largest));
    }
  }
  return {cycles, std::make_shared<Recipe>(std::move(recipe))};
}

CostSet CostAlgebra::repeat(const SymbolicCount &count, const CostSet &body) {
  CostSet result;
  // Different runs may take different members only if none is the largest
  // everywhere; at fixed symbol values one of them is, so the maximum of the
  // products is the product of the maximum.
  for (const PathCost &path : body)
    result.push_back(repeatOne(count, path));
  prune(result);
  return result;
}

CostSet CostAlgebra::tag(const CostSet &set, const LoopTag *loop) {
  CostSet result;
  for (const PathCost &path : set) {
    Recipe recipe;
    recipe.body = path.recipe;
    recipe.loop = loop;
    result.push_back(
        {path.cycles, std::make_shared<Recipe>(std::move(recipe))});
  }
  return result;
}

int64_t spinc::wcet::evaluateRecipe(const RecipePtr &recipe, int64_t times,
                                    const SymbolValues &values,
                                    Breakdown &out) {
  int64_t total = 0;
  for (const Recipe *part = recipe.get(); part; part = part->first.get()) {
    total += part->slack;
    out.slack +=
        (part->slack + part->prepaid.evaluate(values).value_or(0)) * times;
    if (part->charges)
      for (const Charge &charge : *part->charges) {
        Breakdown::Use &use = out.instructions[charge.address];
        use.executions += charge.counts ? times : 0;
        use.cycles += charge.cycles * times;
        total += charge.cycles;
      }
    if (!part->body)
      continue;
    int64_t count = part->count.evaluate(values).value_or(0);
    int64_t once =
        evaluateRecipe(part->body, times * count,
                       part->bodyValues ? *part->bodyValues : values, out);
    total += once * count;
    if (part->loop)
      out.loops[part->loop] += once * count * times;
  }
  return total;
}
