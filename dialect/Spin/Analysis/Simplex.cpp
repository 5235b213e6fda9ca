// Which tableau is used, and how constraints become its bounds.
#include "dialect/Spin/Analysis/Simplex.h"
#include "dialect/Spin/Analysis/Tableau.h"

using namespace spinc::spin;

struct Simplex::Mark {
  std::vector<Tableau<int64_t>::Bounds> narrow;
  std::vector<Tableau<Integer>::Bounds> wide;
  size_t limits;
};

Simplex::Simplex() : narrow(std::make_unique<Tableau<int64_t>>()) {}
Simplex::Simplex(Simplex &&) noexcept = default;
Simplex &Simplex::operator=(Simplex &&) noexcept = default;
Simplex::~Simplex() = default;

Simplex::Simplex(const Simplex &other)
    : columns(other.columns), rows(other.rows), made(other.made),
      limits(other.limits), isWeaker(other.isWeaker), conflict(other.conflict) {
  if (other.wide)
    wide = std::make_unique<Tableau<Integer>>(*other.wide);
  else
    narrow = std::make_unique<Tableau<int64_t>>(*other.narrow);
}

Simplex &Simplex::operator=(const Simplex &other) {
  return *this = Simplex(other);
}

unsigned Simplex::addColumn() {
  ++columns;
  made.emplace_back();
  return wide ? wide->addColumn() : narrow->addColumn();
}

unsigned Simplex::variableOf(const Row &sum) {
  if (sum.size() == 1)
    return sum[0].first;
  auto [entry, isNew] =
      rows.try_emplace({sum.begin(), sum.end()}, unsigned(made.size()));
  if (isNew) {
    made.push_back(sum);
    bool fits = llvm::all_of(
        sum, [](const auto &term) { return Wide<int64_t>::fits(term.second); });
    if (!wide && fits) {
      narrow->addRow(sum);
      fits = !narrow->hasOverflowed();
    } else if (wide) {
      wide->addRow(sum);
    }
    if (!fits && !wide)
      widen();
  }
  return entry->second;
}

void Simplex::apply(const Limit &limit) {
  if (wide)
    wide->setBound(limit.variable, limit.isLow, limit.value, limit.reason);
  else if (Wide<int64_t>::fits(limit.value))
    narrow->setBound(limit.variable, limit.isLow, int64_t(limit.value),
                     limit.reason);
  else
    isWeaker = true;
}

void Simplex::widen() {
  narrow.reset();
  wide = std::make_unique<Tableau<Integer>>();
  for (const Row &row : made)
    row.empty() ? wide->addColumn() : wide->addRow(row);
  isWeaker = false;
  for (const Limit &limit : limits)
    apply(limit);
}

void Simplex::assertAtLeast(const Row &sum, const Integer &constant,
                            unsigned reason) {
  // sum >= -constant, divided by the common divisor and rounded up; written as
  // an upper bound if the first coefficient is negative, so that constraints
  // with the same left side share a row.
  Integer common(0);
  for (const auto &[column, coefficient] : sum)
    common = llvm::gcd(common, abs(coefficient));
  bool isLow = sum.front().second > 0;
  Row reduced;
  for (const auto &[column, coefficient] : sum)
    reduced.emplace_back(column,
                         isLow ? coefficient / common : -coefficient / common);
  Integer least = ceilDiv(-constant, common);
  unsigned variable = variableOf(reduced);
  limits.push_back({variable, isLow ? least : -least, isLow, reason});
  apply(limits.back());
}

Feasibility Simplex::check(unsigned &pivots) {
  if (!wide) {
    Feasibility result = narrow->check(pivots, conflict);
    if (result == Feasibility::Empty || (!narrow->hasOverflowed() && !isWeaker))
      return result;
    widen();
  }
  return wide->check(pivots, conflict);
}

std::pair<Integer, Integer> Simplex::value(unsigned column) const {
  return wide ? wide->value(column) : narrow->value(column);
}

std::shared_ptr<const Simplex::Mark> Simplex::mark() const {
  auto result = std::make_shared<Mark>();
  if (wide)
    result->wide = wide->getBounds();
  else
    result->narrow = narrow->getBounds();
  result->limits = limits.size();
  return result;
}

void Simplex::restore(const Mark &mark) {
  limits.resize(mark.limits);
  if (!wide)
    narrow->restoreBounds(mark.narrow);
  else if (!mark.wide.empty())
    wide->restoreBounds(mark.wide);
  else
    // Widened since the mark.
    widen();
}
