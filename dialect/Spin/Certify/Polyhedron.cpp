// Reads the multipliers from the row of the simplex tableau that cannot be made
// non-negative: it writes a restricted unknown as a negative constant minus
// other restricted unknowns.
#include "dialect/Spin/Certify/Polyhedron.h"

using namespace spinc::spin::certify;
using namespace mlir::presburger;

llvm::SmallVector<std::pair<unsigned, Polyhedron::Integer>>
Polyhedron::refutation() const {
  llvm::SmallVector<std::pair<unsigned, Integer>> result;
  unsigned row = con.back().pos;
  assert(con.back().orientation == Orientation::Row && "the row that failed");
  result.emplace_back(con.size() - 1, tableau(row, 0));
  for (unsigned column = getNumFixedCols(); column < getNumColumns(); ++column)
    if (tableau(row, column) != 0) {
      assert(colUnknown[column] < 0 && "a free unknown would help");
      result.emplace_back(~colUnknown[column], -tableau(row, column));
    }
  return result;
}

void Polyhedron::countWork() {
  // Beyond a word LLVM computes with as many as it takes.
  static const Integer word = Integer(INT64_MAX);
  constexpr unsigned manyDigits = 16;
  for (unsigned row = 0; row < getNumRows(); ++row)
    for (unsigned column = 0; column < getNumColumns(); ++column) {
      const Integer &number = tableau(row, column);
      *done += number > word || number < -word ? manyDigits : 1;
    }
}

bool Polyhedron::add(llvm::ArrayRef<Integer> row) {
  addInequality(row);
  countWork();
  return !isEmpty();
}

std::optional<Fraction> Polyhedron::optimum(llvm::ArrayRef<Integer> row,
                                            bool largest) {
  countWork();
  MaybeOptimum<Fraction> best =
      computeOptimum(largest ? Direction::Up : Direction::Down, row);
  return best.isBounded() ? std::optional<Fraction>(*best) : std::nullopt;
}
