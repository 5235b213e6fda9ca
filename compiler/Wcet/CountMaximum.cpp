// The largest value of a count over a box, all its terms at the same point.
//
// Let x = L * q + r with L a common multiple of the divisors over x (each
// reduced by its factor of x). Then each term, and so the count, is linear in
// q for a fixed r, also together with the other symbols split the same way. A
// linear function is largest at a corner, so of each residue only the first
// and the last x in range matter: the first L and the last L values of each
// symbol. Terms without a symbol in common are maximised apart.
#include "compiler/Wcet/SymbolicCount.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;
using namespace spinc;

/// Points of one group of terms that are worth looking at.
static constexpr int64_t kMaxPoints = 4096;

namespace {

/// Terms that are linked by common symbols, with the symbols by number.
class Group {
public:
  Group(const SymbolRanges &ranges) : ranges(ranges) {}

  void add(const FloorTerm *term) { terms.push_back(term); }
  ArrayRef<const FloorTerm *> getTerms() const { return terms; }

  /// Adds the largest value to `result`; false if 64 bits do not suffice or a
  /// symbol has no range.
  bool maximize(SymbolicCount::Maximum &result);

private:
  struct Symbol {
    const std::string *name;
    SymbolRange range;
    std::vector<int64_t> candidates;
    int64_t value = 0;
  };

  bool collectSymbols();
  bool findCandidates(size_t index);
  bool evaluate(int64_t &value) const;
  bool search(size_t symbol, int64_t &best, std::vector<int64_t> &at);
  bool eachByItself(SymbolicCount::Maximum &result) const;

  const SymbolRanges &ranges;
  std::vector<const FloorTerm *> terms;
  std::vector<Symbol> symbols;
  /// By term: its factors by symbol.
  std::vector<std::vector<int64_t>> factors;
};

bool Group::collectSymbols() {
  for (const FloorTerm *term : terms)
    for (const auto &[name, factor] : term->syms) {
      auto range = ranges.find(name);
      if (range == ranges.end())
        return false;
      if (llvm::none_of(symbols,
                        [&](const Symbol &s) { return *s.name == name; }))
        symbols.push_back({&name, range->second, {}, 0});
    }
  for (const FloorTerm *term : terms) {
    factors.emplace_back(symbols.size());
    for (auto [index, symbol] : llvm::enumerate(symbols))
      if (auto at = term->syms.find(*symbol.name); at != term->syms.end())
        factors.back()[index] = at->second;
  }
  return true;
}

/// The values of one symbol that matter; false if there are too many.
bool Group::findCandidates(size_t index) {
  Symbol &symbol = symbols[index];
  auto [low, high] = symbol.range;
  if (terms.size() == 1) {
    // One term alone grows or shrinks with each symbol.
    bool grows = (terms[0]->coef > 0) == (factors[0][index] > 0);
    symbol.candidates = {grows ? high : low};
    return true;
  }
  int64_t period = 1;
  for (auto [term, row] : llvm::zip(terms, factors)) {
    if (row[index] == 0)
      continue;
    int64_t needed = term->div / std::gcd(row[index], term->div);
    if (needed > kMaxPoints)
      return false;
    period = std::lcm(period, needed);
    if (period > kMaxPoints)
      return false;
  }
  uint64_t width = uint64_t(high) - uint64_t(low);
  if (width < 2 * uint64_t(period)) {
    for (uint64_t step = 0; step <= width; ++step)
      symbol.candidates.push_back(int64_t(uint64_t(low) + step));
    return true;
  }
  for (int64_t step = 0; step < period; ++step) {
    symbol.candidates.push_back(low + step);
    symbol.candidates.push_back(high - step);
  }
  return true;
}

bool Group::evaluate(int64_t &value) const {
  value = 0;
  for (auto [term, row] : llvm::zip(terms, factors)) {
    int64_t inner = term->add, part = 0;
    for (auto [symbol, factor] : llvm::zip(symbols, row))
      if (MulOverflow(factor, symbol.value, part) ||
          AddOverflow(inner, part, inner))
        return false;
    if (MulOverflow(term->coef, floorDivide(inner, term->div), part) ||
        AddOverflow(value, part, value))
      return false;
  }
  return true;
}

bool Group::search(size_t symbol, int64_t &best, std::vector<int64_t> &at) {
  if (symbol < symbols.size()) {
    for (int64_t candidate : symbols[symbol].candidates) {
      symbols[symbol].value = candidate;
      if (!search(symbol + 1, best, at))
        return false;
    }
    return true;
  }
  int64_t value = 0;
  if (!evaluate(value))
    return false;
  if (at.empty() || value > best) {
    best = value;
    at.clear();
    for (const Symbol &each : symbols)
      at.push_back(each.value);
  }
  return true;
}

/// No joint maximum: the sum of those of the terms, which is not below it.
bool Group::eachByItself(SymbolicCount::Maximum &result) const {
  for (const FloorTerm *term : terms) {
    Group alone(ranges);
    alone.add(term);
    if (!alone.maximize(result))
      return false;
  }
  result.exact = false;
  return true;
}

bool Group::maximize(SymbolicCount::Maximum &result) {
  if (!collectSymbols())
    return false;
  int64_t points = 1;
  for (size_t index = 0; index < symbols.size(); ++index) {
    if (!findCandidates(index))
      return eachByItself(result);
    points *= int64_t(symbols[index].candidates.size());
    if (points > kMaxPoints)
      return eachByItself(result);
  }
  int64_t best = 0;
  std::vector<int64_t> at;
  if (!search(0, best, at) || AddOverflow(result.value, best, result.value))
    return false;
  for (auto [symbol, value] : llvm::zip(symbols, at))
    result.at[*symbol.name] = value;
  return true;
}

} // namespace

static bool shareSymbol(const FloorTerm &a, const FloorTerm &b) {
  return llvm::any_of(
      a.syms, [&](const auto &entry) { return b.syms.count(entry.first); });
}

std::optional<SymbolicCount::Maximum>
SymbolicCount::maximum(const SymbolRanges &ranges) const {
  Maximum result;
  result.value = constant;
  std::vector<bool> taken(terms.size());
  for (size_t first = 0; first < terms.size(); ++first) {
    if (taken[first])
      continue;
    Group group(ranges);
    group.add(&terms[first]);
    taken[first] = true;
    for (bool grown = true; grown;) {
      grown = false;
      for (size_t other = first + 1; other < terms.size(); ++other) {
        bool joins = !taken[other] &&
                     llvm::any_of(group.getTerms(), [&](const FloorTerm *term) {
                       return shareSymbol(*term, terms[other]);
                     });
        if (!joins)
          continue;
        group.add(&terms[other]);
        taken[other] = grown = true;
      }
    }
    if (!group.maximize(result))
      return std::nullopt;
  }
  return result;
}

std::optional<int64_t>
SymbolicCount::upperBound(const SymbolRanges &ranges) const {
  std::optional<Maximum> top = maximum(ranges);
  if (!top)
    return std::nullopt;
  return top->value;
}

std::optional<int64_t>
SymbolicCount::lowerBound(const SymbolRanges &ranges) const {
  std::optional<SymbolicCount> negated = multiply(-1);
  std::optional<int64_t> bound =
      negated ? negated->upperBound(ranges) : std::nullopt;
  if (!bound || *bound == INT64_MIN)
    return std::nullopt;
  return -*bound;
}
