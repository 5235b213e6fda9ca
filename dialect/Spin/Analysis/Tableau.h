// The tableau of Simplex.h for one type of numbers. Only Simplex.cpp includes
// this.
//
// Row of a basic variable b: den * b = sum of a[k] * (variable of column k),
// den > 0. Variables of columns sit at a bound, or at 0 if they have none, so
// their values are integers; den times those of basic variables is kept in
// `totals`.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_TABLEAU_H
#define SPINC_DIALECT_SPIN_ANALYSIS_TABLEAU_H

#include "dialect/Spin/Analysis/Simplex.h"
#include "dialect/Spin/Analysis/TableauNumbers.h"

namespace spinc::spin {

template <class Number> class Tableau {
public:
  using Value = Number;
  using Wider = typename Wide<Number>::Type;

  struct Bound {
    bool present = false;
    Number value = Number(0);
    unsigned reason = 0;
  };
  struct Bounds {
    Bound low, high;
  };

  Tableau() {
    // Most are no larger.
    constexpr size_t usual = 16;
    bounds.reserve(usual);
    place.reserve(usual);
    columnVariable.reserve(usual);
    columnValue.reserve(usual);
    rowVariable.reserve(usual);
    denominators.reserve(usual);
    totals.reserve(usual);
  }

  unsigned addColumn() {
    unsigned id = bounds.size();
    bounds.emplace_back();
    place.push_back(int(columnVariable.size()));
    columnVariable.push_back(id);
    columnValue.push_back(Number(0));
    if (columnVariable.size() > stride)
      widenRows();
    return id;
  }

  unsigned addRow(const Row &sum) {
    unsigned id = bounds.size();
    bounds.emplace_back();
    place.push_back(~int(numRows()));
    Entries entries(numColumns(), Wider(0));
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
        entries[k] = entries[k] * mine + theirs * Wider(at(from, k));
      den *= mine;
      reduce(entries, den);
      if (overflowed)
        break;
    }
    cells.resize(cells.size() + stride, Number(0));
    rowVariable.push_back(id);
    denominators.push_back(Number(1));
    totals.push_back(Wider(0));
    store(numRows() - 1, entries, den);
    return id;
  }

  /// False if the bound is not tighter than the present one.
  bool setBound(unsigned variable, bool isLow, const Number &value,
                unsigned reason) {
    Bounds &both = bounds[variable];
    Bound &bound = isLow ? both.low : both.high;
    if (bound.present && (isLow ? value <= bound.value : value >= bound.value))
      return false;
    bound = {true, value, reason};
    if (!crossed && both.low.present && both.high.present &&
        both.low.value > both.high.value)
      crossed = variable;
    if (int column = place[variable]; column >= 0) {
      const Number &now = columnValue[column];
      if (isLow ? now < value : now > value)
        move(column, value);
    }
    return true;
  }

  Feasibility check(unsigned &pivots, Conflict &conflict) {
    if (crossed) {
      conflict = {{bounds[*crossed].low.reason, Integer(1)},
                  {bounds[*crossed].high.reason, Integer(1)}};
      return Feasibility::Empty;
    }
    while (!overflowed) {
      bool isLow = false;
      std::optional<size_t> row = violatedRow(isLow);
      overflowed |= Wide<Number>::takeLost();
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

  /// Makes a variable as large (small) as it can be, from values that are
  /// feasible. `why`: the bounds that keep it from going on. False if there
  /// are none, or if the steps or the digits do not do.
  bool optimize(unsigned variable, bool isLargest, unsigned &pivots,
                Conflict &why) {
    while (!overflowed) {
      int row = ~place[variable];
      std::optional<size_t> column;
      bool rises = false;
      for (size_t k = 0; k < numColumns(); ++k) {
        Number factor = row >= 0 ? at(row, k) : Number(int64_t(int(k) == ~row));
        bool up = (factor > 0) == isLargest;
        if (factor != 0 && canMove(k, up) &&
            (!column || columnVariable[k] < columnVariable[*column])) {
          column = k;
          rises = up;
        }
      }
      if (!column) {
        if (row >= 0)
          explainRow(row, !isLargest, why);
        else
          why = {{reasonAt(~row, isLargest), Integer(1)}};
        return true;
      }
      if (pivots == 0 || !advance(*column, rises))
        return false;
      --pivots;
    }
    return false;
  }

  std::pair<Integer, Integer> value(unsigned variable) const {
    if (place[variable] >= 0)
      return {integer(columnValue[place[variable]]), Integer(1)};
    size_t row = ~place[variable];
    Integer sum(0);
    for (size_t k = 0; k < numColumns(); ++k)
      if (at(row, k) != 0 && columnValue[k] != 0)
        sum += integer(at(row, k)) * integer(columnValue[k]);
    return {sum, integer(denominators[row])};
  }

  const std::vector<Bounds> &getBounds() const { return bounds; }
  void restoreBounds(const std::vector<Bounds> &saved) {
    // Looser bounds: the values of columns stay within them.
    bounds = saved;
    crossed.reset();
  }
  bool hasOverflowed() const { return overflowed; }
  size_t numRows() const { return rowVariable.size(); }
  size_t numColumns() const { return columnVariable.size(); }

private:
  /// Of one row.
  using Entries = llvm::SmallVector<Wider, 24>;

  static Integer integer(const Number &number) {
    return Wide<Number>::integer(number);
  }
  Number &at(size_t row, size_t column) { return cells[row * stride + column]; }
  const Number &at(size_t row, size_t column) const {
    return cells[row * stride + column];
  }

  void widenRows() {
    size_t wider = std::max(size_t(16), stride * 2);
    std::vector<Number> moved;
    moved.reserve(std::max(numRows() * 2, size_t(8)) * wider);
    moved.resize(numRows() * wider, Number(0));
    for (size_t row = 0; row < numRows(); ++row)
      std::move(cells.begin() + row * stride,
                cells.begin() + (row + 1) * stride,
                moved.begin() + row * wider);
    cells = std::move(moved);
    stride = wider;
  }

  /// Gives the variable of a column another value.
  void move(size_t column, const Number &to) {
    Wider by = Wider(to) - Wider(columnValue[column]);
    columnValue[column] = to;
    for (size_t row = 0; row < numRows(); ++row)
      if (at(row, column) != 0)
        addTotal(row, Wider(at(row, column)) * by);
  }
  void addTotal(size_t row, const Wider &more) {
    totals[row] += more;
    overflowed |=
        !Wide<Number>::isTotal(totals[row]) || Wide<Number>::takeLost();
  }
  void computeTotal(size_t row) {
    totals[row] = Wider(0);
    for (size_t k = 0; k < numColumns(); ++k)
      if (columnValue[k] != 0 && at(row, k) != 0)
        addTotal(row, Wider(at(row, k)) * Wider(columnValue[k]));
  }

  /// The basic variable of smallest number that is out of its bounds (Bland's
  /// rule: the search ends).
  std::optional<size_t> violatedRow(bool &isLow) const {
    std::optional<size_t> found;
    for (size_t row = 0; row < numRows(); ++row) {
      if (found && rowVariable[row] > rowVariable[*found])
        continue;
      const Bounds &limits = bounds[rowVariable[row]];
      Wider den(denominators[row]);
      if (limits.low.present && totals[row] < Wider(limits.low.value) * den) {
        found = row;
        isLow = true;
      } else if (limits.high.present &&
                 totals[row] > Wider(limits.high.value) * den) {
        found = row;
        isLow = false;
      }
    }
    return found;
  }

  /// Whether the variable of a column is not at its upper (lower) bound.
  bool canMove(size_t column, bool rises) const {
    const Bounds &limits = bounds[columnVariable[column]];
    return rises
               ? !limits.high.present || columnValue[column] < limits.high.value
               : !limits.low.present || columnValue[column] > limits.low.value;
  }

  std::optional<size_t> entering(size_t row, bool isLow) const {
    std::optional<size_t> found;
    for (size_t k = 0; k < numColumns(); ++k) {
      const Number &factor = at(row, k);
      if (factor != 0 && canMove(k, (factor > 0) == isLow) &&
          (!found || columnVariable[k] < columnVariable[*found]))
        found = k;
    }
    return found;
  }

  /// Moves the variable of a column as far as bounds let it. False if none
  /// does.
  bool advance(size_t column, bool rises) {
    // How far, as a fraction.
    std::optional<std::pair<Wider, Wider>> least;
    std::optional<size_t> leaving;
    bool fallsToLow = false;
    auto consider = [&](const Wider &far, const Wider &per,
                        std::optional<size_t> row, bool isLow) {
      Wider mine, best;
      if (least && (!Wide<Number>::multiply(far, least->second, mine) ||
                    !Wide<Number>::multiply(least->first, per, best)))
        overflowed = true;
      if (least &&
          (mine > best ||
           (mine == best &&
            (!row || (leaving && rowVariable[*row] > rowVariable[*leaving])))))
        return;
      least = {far, per};
      leaving = row;
      fallsToLow = isLow;
    };
    const Bounds &own = bounds[columnVariable[column]];
    if ((rises ? own.high : own.low).present)
      consider(absolute(Wider((rises ? own.high : own.low).value) -
                        Wider(columnValue[column])),
               Wider(1), std::nullopt, false);
    for (size_t row = 0; row < numRows(); ++row) {
      const Number &factor = at(row, column);
      if (factor == 0)
        continue;
      bool falls = (factor > 0) != rises;
      const Bounds &limits = bounds[rowVariable[row]];
      const Bound &limit = falls ? limits.low : limits.high;
      if (limit.present)
        consider(absolute(Wider(limit.value) * Wider(denominators[row]) -
                          totals[row]),
                 absolute(Wider(factor)), row, falls);
    }
    overflowed |= Wide<Number>::takeLost();
    if (!least || overflowed)
      return false;
    if (leaving)
      pivot(*leaving, column, fallsToLow);
    else
      move(column, (rises ? own.high : own.low).value);
    return true;
  }

  unsigned reasonAt(size_t column, bool atHigh) const {
    const Bounds &limits = bounds[columnVariable[column]];
    return atHigh ? limits.high.reason : limits.low.reason;
  }

  /// The bounds that keep the variable of a row from being larger (smaller).
  void explainRow(size_t row, bool isSmallest, Conflict &why) const {
    why.clear();
    for (size_t k = 0; k < numColumns(); ++k) {
      const Number &factor = at(row, k);
      if (factor != 0)
        why.emplace_back(reasonAt(k, (factor > 0) != isSmallest),
                         abs(integer(factor)));
    }
  }

  void explain(size_t row, bool isLow, Conflict &conflict) const {
    explainRow(row, !isLow, conflict);
    const Bounds &own = bounds[rowVariable[row]];
    conflict.emplace(conflict.begin(), isLow ? own.low.reason : own.high.reason,
                     integer(denominators[row]));
  }

  void pivot(size_t row, size_t column, bool isLow) {
    unsigned leaving = rowVariable[row], entered = columnVariable[column];
    Number *pivotRow = &at(row, 0);
    size_t width = numColumns();
    bool negative = pivotRow[column] < 0;
    Number size = negative ? Number(-pivotRow[column]) : pivotRow[column];
    // size * entered = sign * (den * leaving - the rest).
    for (size_t k = 0; k < width; ++k)
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
    computeTotal(row);
    Entries entries(width);
    for (size_t other = 0; other < numRows() && !overflowed; ++other) {
      if (other == row || at(other, column) == 0)
        continue;
      const Number *target = &at(other, 0);
      Wider factor(target[column]), scale(size);
      Wider common = gcdOf(absolute(factor), scale);
      factor = factor / common;
      scale = scale / common;
      for (size_t k = 0; k < width; ++k)
        entries[k] = (k == column ? Wider(0) : scale * Wider(target[k])) +
                     factor * Wider(pivotRow[k]);
      Wider den = scale * Wider(denominators[other]);
      reduce(entries, den);
      store(other, entries, den);
    }
  }

  /// Divides by the greatest common divisor.
  void reduce(Entries &entries, Wider &den) {
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
    bool fits = Wide<Number>::fits(den) && !Wide<Number>::takeLost();
    for (const Wider &entry : entries)
      fits &= Wide<Number>::fits(entry);
    overflowed |= !fits;
  }

  void store(size_t row, const Entries &entries, const Wider &den) {
    overflowed |= Wide<Number>::takeLost();
    if (overflowed)
      return;
    for (size_t k = 0; k < entries.size(); ++k)
      at(row, k) = Wide<Number>::narrow(entries[k]);
    denominators[row] = Wide<Number>::narrow(den);
    computeTotal(row);
  }

  std::vector<Bounds> bounds;
  /// A variable whose bounds contradict each other.
  std::optional<unsigned> crossed;
  /// Column of a variable, or ~row if it is basic.
  std::vector<int> place;
  std::vector<unsigned> columnVariable, rowVariable;
  std::vector<Number> columnValue;
  /// `stride` numbers for each row; those behind the last column are 0.
  std::vector<Number> cells;
  size_t stride = 0;
  std::vector<Number> denominators;
  std::vector<Wider> totals;
  bool overflowed = false;
};

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_TABLEAU_H
