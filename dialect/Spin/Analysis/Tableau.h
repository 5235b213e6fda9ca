// The tableau of Simplex.h for one type of numbers. Only Simplex.cpp includes
// this.
//
// Row of a basic variable b: den * b = sum of a[k] * (variable of column k),
// den > 0. Variables of columns sit at a bound, or at 0 if they have none, so
// their values are integers; those of basic variables follow.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_TABLEAU_H
#define SPINC_DIALECT_SPIN_ANALYSIS_TABLEAU_H

#include "dialect/Spin/Analysis/Simplex.h"

namespace spinc::spin {

/// Products and sums of numbers before they are checked to fit.
template <class Number> struct Wide;
template <> struct Wide<int64_t> {
  using Type = __int128;
  static constexpr __int128 limit = __int128(1) << 60;
  static bool fits(__int128 value) { return value < limit && value > -limit; }
  static bool fits(const Integer &value) {
    return value < int64_t(limit) && value > -int64_t(limit);
  }
  static int64_t narrow(__int128 value) { return int64_t(value); }
  static int64_t from(const Integer &value) { return int64_t(value); }
};
template <> struct Wide<Integer> {
  using Type = Integer;
  static bool fits(const Integer &) { return true; }
  static const Integer &narrow(const Integer &value) { return value; }
  static const Integer &from(const Integer &value) { return value; }
};

inline uint64_t gcdOf(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
inline __int128 absolute(__int128 value) { return value < 0 ? -value : value; }
inline Integer absolute(const Integer &value) { return abs(value); }
inline __int128 gcdOf(__int128 a, __int128 b) {
  while (b) {
    if (a <= __int128(INT64_MAX) && b <= __int128(INT64_MAX))
      return __int128(gcdOf(uint64_t(a), uint64_t(b)));
    __int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
inline Integer gcdOf(const Integer &a, const Integer &b) {
  return llvm::gcd(a, b);
}

template <class Number> class Tableau {
public:
  using Wider = typename Wide<Number>::Type;

  struct Bound {
    bool present = false;
    Number value = Number(0);
    unsigned reason = 0;
  };
  struct Bounds {
    Bound low, high;
  };

  unsigned addColumn() {
    unsigned id = bounds.size();
    bounds.emplace_back();
    place.push_back(int(columnVariable.size()));
    columnVariable.push_back(id);
    columnValue.push_back(Number(0));
    for (std::vector<Number> &row : rows)
      row.push_back(Number(0));
    return id;
  }

  unsigned addRow(const Row &sum) {
    unsigned id = bounds.size();
    bounds.emplace_back();
    place.push_back(~int(rows.size()));
    std::vector<Wider> entries(columnVariable.size(), Wider(0));
    Wider den(1);
    for (const auto &[variable, coefficient] : sum) {
      Wider factor(Wide<Number>::from(coefficient));
      if (place[variable] >= 0) {
        entries[place[variable]] += factor * den;
        overflowed |= !Wide<Number>::fits(entries[place[variable]]);
        continue;
      }
      size_t from = ~place[variable];
      Wider other(denominators[from]);
      Wider common = gcdOf(den, other);
      Wider mine = other / common, theirs = den / common * factor;
      overflowed |= !Wide<Number>::fits(mine) || !Wide<Number>::fits(theirs);
      if (overflowed)
        break;
      for (size_t k = 0; k < entries.size(); ++k)
        entries[k] = entries[k] * mine + theirs * Wider(rows[from][k]);
      den *= mine;
      reduce(entries, den);
      if (overflowed)
        break;
    }
    rows.emplace_back(columnVariable.size(), Number(0));
    rowVariable.push_back(id);
    denominators.push_back(Number(1));
    store(rows.size() - 1, entries, den);
    return id;
  }

  /// False if the bound is not tighter than the present one.
  bool setBound(unsigned variable, bool isLow, const Number &value,
                unsigned reason) {
    Bound &bound = isLow ? bounds[variable].low : bounds[variable].high;
    if (bound.present && (isLow ? value <= bound.value : value >= bound.value))
      return false;
    bound = {true, value, reason};
    if (int column = place[variable]; column >= 0) {
      Number &at = columnValue[column];
      if (isLow ? at < value : at > value)
        at = value;
    }
    return true;
  }

  Feasibility check(unsigned &pivots, Conflict &conflict) {
    for (unsigned variable = 0; variable < bounds.size(); ++variable)
      if (areCrossed(bounds[variable])) {
        conflict = {{bounds[variable].low.reason, Integer(1)},
                    {bounds[variable].high.reason, Integer(1)}};
        return Feasibility::Empty;
      }
    while (!overflowed) {
      bool isLow = false;
      std::optional<size_t> row = violatedRow(isLow);
      if (overflowed)
        break;
      if (!row)
        return Feasibility::Feasible;
      std::optional<size_t> column = entering(*row, isLow);
      if (!column) {
        explain(*row, isLow, conflict);
        return Feasibility::Empty;
      }
      if (pivots == 0)
        return Feasibility::Unknown;
      --pivots;
      pivot(*row, *column, isLow);
    }
    return Feasibility::Unknown;
  }

  std::pair<Integer, Integer> value(unsigned variable) const {
    if (place[variable] >= 0)
      return {Integer(columnValue[place[variable]]), Integer(1)};
    size_t row = ~place[variable];
    Integer sum(0);
    for (size_t k = 0; k < columnValue.size(); ++k)
      sum += Integer(rows[row][k]) * Integer(columnValue[k]);
    return {sum, Integer(denominators[row])};
  }

  const std::vector<Bounds> &getBounds() const { return bounds; }
  void restoreBounds(const std::vector<Bounds> &saved) {
    // Looser bounds: the values of columns stay within them.
    bounds = saved;
  }
  bool hasOverflowed() const { return overflowed; }

private:
  static bool areCrossed(const Bounds &bounds) {
    return bounds.low.present && bounds.high.present &&
           bounds.low.value > bounds.high.value;
  }

  /// The basic variable of smallest number that is out of its bounds (Bland's
  /// rule: the search ends).
  std::optional<size_t> violatedRow(bool &isLow) {
    std::optional<size_t> found;
    for (size_t row = 0; row < rows.size(); ++row) {
      if (found && rowVariable[row] > rowVariable[*found])
        continue;
      const Bounds &limits = bounds[rowVariable[row]];
      if (!limits.low.present && !limits.high.present)
        continue;
      Wider sum(0);
      for (size_t k = 0; k < columnValue.size(); ++k)
        if (columnValue[k] != 0 && rows[row][k] != 0)
          sum += Wider(rows[row][k]) * Wider(columnValue[k]);
      // Products below 2^120, of fewer than 2^6 columns.
      Wider den(denominators[row]);
      if (limits.low.present && sum < Wider(limits.low.value) * den) {
        found = row;
        isLow = true;
      } else if (limits.high.present && sum > Wider(limits.high.value) * den) {
        found = row;
        isLow = false;
      }
    }
    return found;
  }

  std::optional<size_t> entering(size_t row, bool isLow) const {
    std::optional<size_t> found;
    for (size_t k = 0; k < columnVariable.size(); ++k) {
      const Number &factor = rows[row][k];
      if (factor == 0)
        continue;
      bool rises = (factor > 0) == isLow;
      const Bounds &limits = bounds[columnVariable[k]];
      bool canMove =
          rises ? !limits.high.present || columnValue[k] < limits.high.value
                : !limits.low.present || columnValue[k] > limits.low.value;
      if (canMove && (!found || columnVariable[k] < columnVariable[*found]))
        found = k;
    }
    return found;
  }

  void explain(size_t row, bool isLow, Conflict &conflict) const {
    const Bounds &own = bounds[rowVariable[row]];
    conflict.clear();
    conflict.emplace_back(isLow ? own.low.reason : own.high.reason,
                          Integer(denominators[row]));
    for (size_t k = 0; k < columnVariable.size(); ++k) {
      const Number &factor = rows[row][k];
      if (factor == 0)
        continue;
      const Bounds &limits = bounds[columnVariable[k]];
      bool atHigh = (factor > 0) == isLow;
      conflict.emplace_back(atHigh ? limits.high.reason : limits.low.reason,
                            abs(Integer(factor)));
    }
  }

  void pivot(size_t row, size_t column, bool isLow) {
    unsigned leaving = rowVariable[row], entered = columnVariable[column];
    std::vector<Number> &pivotRow = rows[row];
    bool negative = pivotRow[column] < 0;
    Number size = negative ? Number(-pivotRow[column]) : pivotRow[column];
    // size * entered = sign * (den * leaving - the rest).
    for (size_t k = 0; k < pivotRow.size(); ++k)
      if (k != column && !negative)
        pivotRow[k] = -pivotRow[k];
    pivotRow[column] =
        negative ? Number(-denominators[row]) : denominators[row];
    denominators[row] = size;
    rowVariable[row] = entered;
    columnVariable[column] = leaving;
    place[entered] = ~int(row);
    place[leaving] = int(column);
    columnValue[column] =
        isLow ? bounds[leaving].low.value : bounds[leaving].high.value;
    std::vector<Wider> entries(pivotRow.size());
    for (size_t other = 0; other < rows.size() && !overflowed; ++other) {
      if (other == row || rows[other][column] == 0)
        continue;
      std::vector<Number> &target = rows[other];
      Wider factor(target[column]), scale(size);
      Wider common = gcdOf(absolute(factor), scale);
      factor = factor / common;
      scale = scale / common;
      for (size_t k = 0; k < target.size(); ++k)
        entries[k] = (k == column ? Wider(0) : scale * Wider(target[k])) +
                     factor * Wider(pivotRow[k]);
      Wider den = scale * Wider(denominators[other]);
      reduce(entries, den);
      store(other, entries, den);
    }
  }

  /// Divides by the greatest common divisor.
  void reduce(std::vector<Wider> &entries, Wider &den) {
    Wider common = den;
    for (const Wider &entry : entries) {
      if (common == 1)
        break;
      if (entry != 0)
        common = gcdOf(common, absolute(entry));
    }
    if (common != 1) {
      den = den / common;
      for (Wider &entry : entries)
        if (entry != 0)
          entry = entry / common;
    }
    bool fits = Wide<Number>::fits(den);
    for (const Wider &entry : entries)
      fits &= Wide<Number>::fits(entry);
    overflowed |= !fits;
  }

  void store(size_t row, const std::vector<Wider> &entries, const Wider &den) {
    if (!Wide<Number>::fits(den))
      overflowed = true;
    for (const Wider &entry : entries)
      overflowed |= !Wide<Number>::fits(entry);
    if (overflowed)
      return;
    for (size_t k = 0; k < entries.size(); ++k)
      rows[row][k] = Wide<Number>::narrow(entries[k]);
    denominators[row] = Wide<Number>::narrow(den);
  }

  std::vector<Bounds> bounds;
  /// Column of a variable, or ~row if it is basic.
  std::vector<int> place;
  std::vector<unsigned> columnVariable, rowVariable;
  std::vector<Number> columnValue;
  std::vector<std::vector<Number>> rows;
  std::vector<Number> denominators;
  bool overflowed = false;
};

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_TABLEAU_H
