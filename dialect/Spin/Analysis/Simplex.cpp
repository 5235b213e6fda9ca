// Which tableau is used, and how constraints become its bounds.
#include "dialect/Spin/Analysis/Simplex.h"
#include "dialect/Spin/Analysis/Tableau.h"
#include "llvm/ADT/Hashing.h"
#include <variant>

using namespace spinc::spin;

namespace {

using Bounds = std::variant<std::vector<Tableau<int64_t>::Bounds>,
                            std::vector<Tableau<Long>::Bounds>,
                            std::vector<Tableau<Integer>::Bounds>>;

} // namespace

struct Simplex::Numbers {
  std::variant<Tableau<int64_t>, Tableau<Long>, Tableau<Integer>> tableau;

  template <class Visitor> decltype(auto) visit(Visitor visitor) {
    return std::visit(visitor, tableau);
  }
};

struct Simplex::Mark {
  Bounds bounds;
  size_t limits;
};

Simplex::Simplex() : numbers(std::make_unique<Numbers>()) {
  // Most are no larger.
  constexpr size_t usual = 16;
  made.reserve(usual);
  limits.reserve(2 * usual);
  rows.reserve(usual);
}
Simplex::Simplex(Simplex &&) noexcept = default;
Simplex &Simplex::operator=(Simplex &&) noexcept = default;
Simplex::~Simplex() = default;

Simplex::Simplex(const Simplex &other)
    : columns(other.columns), rows(other.rows), made(other.made),
      limits(other.limits), numbers(std::make_unique<Numbers>(*other.numbers)),
      isWeaker(other.isWeaker), conflict(other.conflict) {}

Simplex &Simplex::operator=(const Simplex &other) {
  return *this = Simplex(other);
}

unsigned Simplex::addColumn() {
  ++columns;
  made.emplace_back();
  return numbers->visit([](auto &tableau) { return tableau.addColumn(); });
}

std::pair<Row, Integer> Simplex::reduced(const Row &sum) {
  Integer common(0);
  for (const auto &[column, coefficient] : sum)
    if (common != 1)
      common = llvm::gcd(common, abs(coefficient));
  if (sum.front().second < 0)
    common = -common;
  if (common == 1)
    return {sum, common};
  Row result;
  for (const auto &[column, coefficient] : sum)
    result.emplace_back(column, coefficient / common);
  return {std::move(result), common};
}

/// False if the numbers are too large.
template <class Number>
static bool addRow(Tableau<Number> &tableau, const Row &sum) {
  if (!llvm::all_of(sum, [](const auto &term) {
        return Wide<Number>::fits(term.second);
      }))
    return false;
  tableau.addRow(sum);
  return !tableau.hasOverflowed();
}

unsigned Simplex::variableOf(const Row &sum) {
  if (sum.size() == 1)
    return sum[0].first;
  llvm::hash_code hash(0);
  for (const auto &[column, coefficient] : sum)
    hash = llvm::hash_combine(hash, column, hash_value(coefficient));
  for (const auto &[other, variable] : rows)
    if (other == size_t(hash) && made[variable] == sum)
      return variable;
  rows.emplace_back(size_t(hash), made.size());
  made.push_back(sum);
  if (!numbers->visit([&](auto &tableau) { return addRow(tableau, sum); }))
    widen();
  return rows.back().second;
}

void Simplex::apply(const Limit &limit) {
  numbers->visit([&](auto &tableau) {
    using Number = typename std::decay_t<decltype(tableau)>::Value;
    if (Wide<Number>::fits(limit.value))
      tableau.setBound(limit.variable, limit.isLow,
                       Wide<Number>::from(limit.value), limit.reason);
    else
      isWeaker = true;
  });
}

bool Simplex::rebuild() {
  bool isRight = numbers->visit([&](auto &tableau) {
    tableau = {};
    return llvm::all_of(made, [&](const Row &row) {
      return row.empty() ? (tableau.addColumn(), true) : addRow(tableau, row);
    });
  });
  isWeaker = false;
  for (const Limit &limit : limits)
    if (isRight)
      apply(limit);
  return isRight;
}

void Simplex::widen() {
  do
    if (numbers->tableau.index() == 0)
      numbers->tableau.emplace<Tableau<Long>>();
    else
      numbers->tableau.emplace<Tableau<Integer>>();
  while (!rebuild());
}

void Simplex::assertAtLeast(const Row &sum, const Integer &constant,
                            unsigned reason) {
  // sum >= -constant, divided by the common divisor and rounded up; an upper
  // bound if that is negative.
  auto assertBy = [&](unsigned variable, const Integer &common) {
    bool isLow = common > 0;
    Integer size = abs(common);
    Integer least = size == 1 ? -constant : ceilDiv(-constant, size);
    limits.push_back({variable, isLow ? least : -least, isLow, reason});
    apply(limits.back());
  };
  if (sum.size() == 1)
    return assertBy(sum[0].first, sum[0].second);
  auto [row, common] = reduced(sum);
  assertBy(variableOf(row), common);
}

Feasibility Simplex::check(unsigned &pivots) {
  while (true) {
    auto [result, isRight] = numbers->visit([&](auto &tableau) {
      Feasibility found = tableau.check(pivots, conflict);
      return std::pair(found, !tableau.hasOverflowed());
    });
    if (result == Feasibility::Empty || (isRight && !isWeaker))
      return result;
    widen();
  }
}

std::optional<std::pair<Integer, Integer>>
Simplex::optimum(const Row &sum, bool isLargest, unsigned &pivots) {
  auto [row, common] = reduced(sum);
  unsigned variable = variableOf(row);
  bool up = isLargest == (common > 0);
  while (check(pivots) == Feasibility::Feasible) {
    auto [isFound, isRight] = numbers->visit([&](auto &tableau) {
      bool found = tableau.optimize(variable, up, pivots, conflict);
      return std::pair(found, !tableau.hasOverflowed());
    });
    if (isRight && !isFound)
      return std::nullopt;
    if (isRight) {
      auto [numerator, denominator] = value(variable);
      return std::pair(numerator * common, denominator);
    }
    widen();
  }
  return std::nullopt;
}

size_t Simplex::size() const {
  return numbers->visit([](const auto &tableau) {
    return tableau.numRows() * tableau.numColumns();
  });
}

bool Simplex::isUnbounded() const { return numbers->tableau.index() == 2; }

std::pair<Integer, Integer> Simplex::value(unsigned column) const {
  return numbers->visit(
      [&](const auto &tableau) { return tableau.value(column); });
}

std::shared_ptr<const Simplex::Mark> Simplex::mark() const {
  return numbers->visit([&](const auto &tableau) {
    return std::make_shared<const Mark>(
        Mark{tableau.getBounds(), limits.size()});
  });
}

void Simplex::restore(const Mark &mark) {
  limits.resize(mark.limits);
  if (mark.bounds.index() != numbers->tableau.index())
    // Widened since the mark, with all limits.
    return (void)rebuild();
  numbers->visit([&](auto &tableau) {
    using Saved = std::decay_t<decltype(tableau.getBounds())>;
    tableau.restoreBounds(std::get<Saved>(mark.bounds));
  });
}
