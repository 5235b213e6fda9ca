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

int64_t CostAlgebra::high(const SymbolicCount &count) {
  std::optional<int64_t> bound = count.upperBound(ranges);
  overflow |= !bound.has_value();
  return bound.value_or(0);
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
  while (kept.size() > kMaxMembers) {
    PathCost last = kept.pop_back_val();
    kept.back() = join(kept.back(), last);
  }
  set = std::move(kept);
}

/// One cost that is nowhere below either: the larger one, raised by what the
/// smaller one can ever be above it.
PathCost CostAlgebra::join(const PathCost &a, const PathCost &b) {
  bool aFirst = high(a.cycles) >= high(b.cycles);
  const PathCost &big = aFirst ? a : b;
  const PathCost &small = aFirst ? b : a;
  int64_t gap =
      std::max<int64_t>(0, high(need(small.cycles.subtract(big.cycles))));
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

/// The corner of the box at which upperBound takes each term; only used for
/// counts whose terms all grow in every symbol, so that it is one corner.
std::shared_ptr<const SymbolValues>
CostAlgebra::corner(const SymbolicCount &count) {
  auto values = std::make_shared<SymbolValues>();
  for (const FloorTerm &term : count.getTerms())
    for (const auto &[name, factor] : term.syms) {
      auto range = ranges.find(name);
      if (range == ranges.end())
        continue;
      bool takeHigh = (factor > 0) == (term.coef > 0);
      (*values)[name] = takeHigh ? range->second.high : range->second.low;
    }
  return values;
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
    std::shared_ptr<const SymbolValues> values = corner(cut);
    int64_t largest = high(cut);
    // Symbols that occur with both signs have no common corner: the recipe
    // is then short of the bound by the difference.
    int64_t atCorner = cut.evaluate(*values).value_or(largest);
    int64_t missing = std::max<int64_t>(0, largest - atCorner);
    if (keepCount) {
      recipe.bodyValues = values;
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
    out.slack += part->slack * times;
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
