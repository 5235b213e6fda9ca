// See SymbolSpace.h.
#include "compiler/Wcet/SymbolSpace.h"
#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include <algorithm>

using namespace llvm;
using namespace spinc;
using namespace spinc::wcet;
using mlir::presburger::IntegerPolyhedron;
using mlir::presburger::PresburgerSpace;

std::optional<std::pair<std::string, std::string>>
spinc::wcet::splitQuotient(StringRef name) {
  auto [dividend, divisor] = name.split(" / ");
  if (divisor.empty() || divisor.contains(' ') || dividend.contains(' '))
    return std::nullopt;
  return std::make_pair(dividend.str(), divisor.str());
}

SymbolSpace::SymbolSpace(const SymbolRanges &ranges) : ranges(ranges) {}

SymbolRanges SymbolSpace::addQuotients(SymbolRanges ranges,
                                       ArrayRef<std::string> names) {
  for (const std::string &name : names) {
    auto parts = splitQuotient(name);
    if (!parts || ranges.count(name))
      continue;
    auto dividend = ranges.find(parts->first);
    auto divisor = ranges.find(parts->second);
    if (dividend == ranges.end() || divisor == ranges.end() ||
        dividend->second.low < 0 || divisor->second.low < 1)
      continue;
    ranges[name] = {dividend->second.low / divisor->second.high,
                    dividend->second.high / divisor->second.low};
  }
  return ranges;
}

SymbolSpace SymbolSpace::restrict(StringRef name, SymbolRange range) const {
  SymbolRanges fixed = ranges;
  fixed[name.str()] = range;
  // Quotients of the symbol shrink with it.
  std::vector<std::string> quotients;
  for (const auto &entry : ranges) {
    auto parts = splitQuotient(entry.first);
    if (parts && parts->first == name)
      quotients.push_back(entry.first);
  }
  for (const std::string &quotient : quotients)
    fixed.erase(quotient);
  return SymbolSpace(addQuotients(std::move(fixed), quotients));
}

namespace {
/// A polyhedron over named symbols to which floors are added on demand.
class Polyhedron {
public:
  /// `ranges` of the variables; `all` also has those of divisors.
  Polyhedron(const SymbolRanges &ranges, const SymbolRanges &all)
      : all(all), set(PresburgerSpace::getSetSpace(unsigned(ranges.size()))) {
    for (const auto &entry : ranges)
      position.try_emplace(entry.first, position.size());
    for (const auto &[name, range] : ranges) {
      addRow({{position.at(name), 1}}, -range.low);
      addRow({{position.at(name), -1}}, range.high);
    }
    for (const auto &entry : ranges)
      addQuotientFacts(entry.first);
  }

  /// count >= 0; false if it names a symbol that is not in the space.
  bool addNonNegative(const SymbolicCount &count) {
    std::vector<std::pair<unsigned, int64_t>> row;
    for (const FloorTerm &term : count.getTerms()) {
      std::optional<unsigned> var = variableOf(term);
      if (!var)
        return false;
      row.push_back({*var, term.coef});
    }
    addRow(row, count.getConstant());
    return true;
  }

  std::optional<SymbolValues> sample() {
    auto point = set.findIntegerSample();
    if (!point)
      return std::nullopt;
    SymbolValues values;
    for (const auto &[name, index] : position)
      values[name] = int64_t((*point)[index]);
    return values;
  }

private:
  void addRow(ArrayRef<std::pair<unsigned, int64_t>> terms, int64_t constant) {
    SmallVector<int64_t, 8> row(set.getNumCols());
    for (auto [var, factor] : terms)
      row[var] += factor;
    row.back() = constant;
    set.addInequality(row);
  }

  /// q = a / b with b in [low, high]: low * q <= a < high * (q + 1).
  void addQuotientFacts(StringRef name) {
    auto parts = splitQuotient(name);
    if (!parts || !position.count(parts->first))
      return;
    auto divisor = all.find(parts->second);
    if (divisor == all.end() || divisor->second.low < 1 ||
        divisor->second.high > int64_t(1) << 60)
      return;
    unsigned quotient = position.at(name.str());
    unsigned dividend = position.at(parts->first);
    addRow({{dividend, 1}, {quotient, -divisor->second.low}}, 0);
    addRow({{dividend, -1}, {quotient, divisor->second.high}},
           divisor->second.high - 1);
  }

  std::optional<unsigned> variableOf(const FloorTerm &term) {
    SmallVector<int64_t, 8> dividend(set.getNumCols());
    for (const auto &[name, factor] : term.syms) {
      auto at = position.find(name);
      if (at == position.end())
        return std::nullopt;
      dividend[at->second] = factor;
    }
    if (term.div == 1)
      return position.at(term.syms.begin()->first);
    dividend.back() = term.add;
    SmallVector<llvm::DynamicAPInt, 8> row;
    for (int64_t value : dividend)
      row.push_back(llvm::DynamicAPInt(value));
    set.addLocalFloorDiv(row, llvm::DynamicAPInt(term.div));
    return set.getNumVars() - 1;
  }

  const SymbolRanges &all;
  std::map<std::string, unsigned> position;
  IntegerPolyhedron set;
};
} // namespace

void SymbolSpace::chooseDivisors(SymbolValues &values,
                                 ArrayRef<std::string> named) const {
  for (const auto &entry : ranges) {
    auto parts = splitQuotient(entry.first);
    if (!parts || !values.count(parts->first) || !ranges.count(parts->second) ||
        is_contained(named, parts->second))
      continue;
    int64_t quotient = values[entry.first];
    const SymbolRange &range = ranges.at(parts->second);
    int64_t divisor =
        quotient > 0 ? values[parts->first] / quotient : range.high;
    divisor = std::clamp(divisor, range.low, range.high);
    if (divisor > 0 && values[parts->first] / divisor == quotient)
      values[parts->second] = divisor;
  }
}

/// The ranges a question is about: of the symbols in it and, for quotients, of
/// their dividends.
static SymbolRanges relevantRanges(const SymbolRanges &ranges,
                                   const SymbolicCount &count) {
  std::vector<std::string> names;
  count.collectSymbols(names);
  for (size_t index = 0; index < names.size(); ++index)
    if (auto parts = splitQuotient(names[index]))
      if (ranges.count(parts->first) && !is_contained(names, parts->first))
        names.push_back(parts->first);
  SymbolRanges relevant;
  for (const std::string &name : names)
    if (auto range = ranges.find(name); range != ranges.end())
      relevant.insert(*range);
  return relevant;
}

std::optional<SymbolValues> SymbolSpace::findAtLeast(const SymbolicCount &count,
                                                     int64_t least) const {
  SymbolRanges relevant = relevantRanges(ranges, count);
  Polyhedron set(relevant, ranges);
  std::optional<SymbolicCount> above = count.subtract(SymbolicCount(least));
  if (!above || !set.addNonNegative(*above))
    return std::nullopt;
  return set.sample();
}

std::optional<SymbolSpace::Point>
SymbolSpace::maximize(const SymbolicCount &a, const SymbolicCount &b) const {
  // Far from the ends of 64 bits no step below overflows.
  const int64_t limit = int64_t(1) << 60;
  std::optional<SymbolicCount> gap = a.subtract(b);
  if (!gap || std::abs(gap->getConstant()) > limit)
    return std::nullopt;
  for (const auto &[name, range] : relevantRanges(ranges, *gap))
    if (range.low < -limit || range.high > limit)
      return std::nullopt;
  std::optional<SymbolicCount::Maximum> box = gap->maximum(ranges);
  if (!box || box->value > limit)
    return std::nullopt;
  // Symbols of which none is a quotient of others fill the box.
  bool independent = llvm::none_of(box->at, [](const auto &entry) {
    return splitQuotient(entry.first).has_value();
  });
  if (box->exact && independent)
    return Point{box->value, std::move(box->at)};
  int64_t top = box->value;
  std::optional<int64_t> bottom = gap->lowerBound(ranges);
  if (!bottom || *bottom < -limit)
    return std::nullopt;
  // The invariant: some point has a value >= low, none has one > high.
  std::optional<SymbolValues> best = findAtLeast(*gap, top);
  if (best)
    return Point{top, *best};
  best = findAtLeast(*gap, *bottom);
  if (!best)
    return std::nullopt;
  int64_t low = gap->evaluate(*best).value_or(*bottom);
  int64_t high = top - 1;
  while (low < high) {
    int64_t middle = low + (high - low) / 2 + 1;
    if (std::optional<SymbolValues> point = findAtLeast(*gap, middle)) {
      low = std::max(middle, gap->evaluate(*point).value_or(middle));
      best = point;
    } else {
      high = middle - 1;
    }
  }
  return Point{low, *best};
}
