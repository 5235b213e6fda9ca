// Exact questions about counts over all symbol values in range: where is a
// count largest, can it exceed another. Answered by integer emptiness of
// Presburger sets in which each quotient floor(x / d) is a variable of its own.
#ifndef SPINC_COMPILER_WCET_SYMBOLSPACE_H
#define SPINC_COMPILER_WCET_SYMBOLSPACE_H

#include "compiler/Wcet/SymbolicCount.h"

namespace spinc::wcet {

class SymbolSpace {
public:
  /// A symbol named "a / b" is the quotient of the symbols a and b.
  explicit SymbolSpace(const SymbolRanges &ranges);

  const SymbolRanges &getRanges() const { return ranges; }
  /// Ranges of quotients follow from those of their parts.
  static SymbolRanges addQuotients(SymbolRanges ranges,
                                   llvm::ArrayRef<std::string> names);

  struct Point {
    int64_t value = 0;
    SymbolValues at;
  };
  /// The largest value of a - b with a place where it is taken; nothing if
  /// the ranges are empty, a symbol is missing or 64 bits do not suffice.
  std::optional<Point> maximize(const SymbolicCount &a,
                                const SymbolicCount &b = {}) const;
  /// The same space with one symbol in a smaller range.
  SymbolSpace restrict(llvm::StringRef name, SymbolRange range) const;

  /// Gives the divisors of quotients values that fit; they are free where no
  /// count names them.
  void chooseDivisors(SymbolValues &values,
                      llvm::ArrayRef<std::string> named) const;

private:
  /// Some values with count >= least.
  std::optional<SymbolValues> findAtLeast(const SymbolicCount &count,
                                          int64_t least) const;

  SymbolRanges ranges;
};

/// Splits "a / b"; nothing if the name is no quotient.
std::optional<std::pair<std::string, std::string>>
splitQuotient(llvm::StringRef name);

} // namespace spinc::wcet

#endif // SPINC_COMPILER_WCET_SYMBOLSPACE_H
