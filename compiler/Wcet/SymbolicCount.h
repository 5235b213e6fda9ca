// A count that depends on run-time values: loop bounds, budgets and cycle
// bounds all have this one form, c + sum coef * floor((sum a*sym + b) / d).
// Symbols are names in canonical text ("p.length", "state.block",
// "p.length / state.block"); who owns a count knows the range of each.
// All operations refuse to overflow 64 bits: they return nothing instead.
#ifndef SPINC_COMPILER_WCET_SYMBOLICCOUNT_H
#define SPINC_COMPILER_WCET_SYMBOLICCOUNT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class AffineExpr;
class MLIRContext;
} // namespace mlir

namespace spinc {

/// Inclusive range of a symbol's values.
struct SymbolRange {
  int64_t low = 0;
  int64_t high = 0;
};
using SymbolRanges = std::map<std::string, SymbolRange>;
using SymbolValues = std::map<std::string, int64_t>;

/// coef * floor((sum of syms + add) / div), div >= 1. A term without
/// division has div 1 and then exactly one symbol with factor 1 and add 0.
struct FloorTerm {
  int64_t coef = 0;
  int64_t div = 1;
  int64_t add = 0;
  std::map<std::string, int64_t> syms;

  /// Same quotient, whatever the coefficient.
  bool sameFloor(const FloorTerm &other) const;
};

class SymbolicCount {
public:
  SymbolicCount() = default;
  /*implicit*/ SymbolicCount(int64_t constant) : constant(constant) {}
  static SymbolicCount symbol(llvm::StringRef name);

  int64_t getConstant() const { return constant; }
  llvm::ArrayRef<FloorTerm> getTerms() const { return terms; }
  bool isConstant() const { return terms.empty(); }
  bool operator==(const SymbolicCount &other) const;
  bool operator!=(const SymbolicCount &other) const {
    return !(*this == other);
  }

  std::optional<SymbolicCount> add(const SymbolicCount &other) const;
  std::optional<SymbolicCount> subtract(const SymbolicCount &other) const;
  std::optional<SymbolicCount> multiply(int64_t factor) const;
  /// floor(this / divisor), divisor > 0. Exact or nothing: a sum that holds
  /// quotients cannot be divided again unless it is one quotient.
  std::optional<SymbolicCount> floorDiv(int64_t divisor) const;

  /// The value at a point; nothing if a symbol is missing or 64 bits overflow.
  std::optional<int64_t> evaluate(const SymbolValues &values) const;
  /// The largest value over a box of symbol values.
  struct Maximum {
    int64_t value = 0;
    SymbolValues at; ///< of each symbol of the count
    /// Whether the count is `value` at `at`. Else no more is known than that
    /// it is never above: too many residues to look at.
    bool exact = true;
  };
  std::optional<Maximum> maximum(const SymbolRanges &ranges) const;
  /// Never below (above) the true maximum (minimum), and equal to it where
  /// maximum() is exact.
  std::optional<int64_t> upperBound(const SymbolRanges &ranges) const;
  std::optional<int64_t> lowerBound(const SymbolRanges &ranges) const;
  /// Adds the names of all symbols to `names`, each once, in order.
  void collectSymbols(std::vector<std::string> &names) const;

  /// Text for reports: "48 + 2 * p.length", "9 + 6 * floor((p.length + 3) /
  /// 4)".
  std::string str() const;
  /// The same as it is written in a budget: "48 + 2 * p.length",
  /// "9 + 6 * ((p.length + 3) / 4)"; parameters with their "state.".
  std::string budgetText() const;

  llvm::json::Value toJSON() const;
  static std::optional<SymbolicCount> fromJSON(const llvm::json::Value &value);
  /// `symbolNames[i]` names symbol s<i> of the expression, which has no
  /// dimensions. + , * constant, floordiv, ceildiv and mod by a constant.
  static std::optional<SymbolicCount>
  fromAffine(mlir::AffineExpr expr, llvm::ArrayRef<std::string> symbolNames);
  /// `symbolNames` has all symbols of the count.
  mlir::AffineExpr toAffine(mlir::MLIRContext *context,
                            llvm::ArrayRef<std::string> symbolNames) const;

private:
  bool addTerm(FloorTerm term);
  std::string print(bool asBudget) const;

  int64_t constant = 0;
  std::vector<FloorTerm> terms;
};

/// floor(a / b) for b > 0.
inline int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && a < 0);
}

} // namespace spinc

#endif // SPINC_COMPILER_WCET_SYMBOLICCOUNT_H
