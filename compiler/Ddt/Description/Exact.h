// Arithmetic on byte offsets that cannot wrap: counts of a description
// multiply, and what leaves the range is an error of the description.
#ifndef SPINC_COMPILER_DDT_DESCRIPTION_EXACT_H
#define SPINC_COMPILER_DDT_DESCRIPTION_EXACT_H

#include <cstdint>

namespace spinc::ddt {

/// Sizes and places beyond this are refused, so that sums of a few of them
/// still fit.
constexpr int64_t largestPlace = int64_t(1) << 60;

/// A number of bytes or elements, or the knowledge that it left the range.
/// Once out of range, results stay there.
class Exact {
public:
  constexpr Exact(int64_t value)
      : number(value), fine(value <= largestPlace && value >= -largestPlace) {}

  bool ok() const { return fine; }
  int64_t value() const { return number; }

  friend Exact operator+(Exact a, Exact b) {
    return make(a, b, __int128(a.number) + b.number);
  }
  friend Exact operator-(Exact a, Exact b) {
    return make(a, b, __int128(a.number) - b.number);
  }
  friend Exact operator*(Exact a, Exact b) {
    return make(a, b, __int128(a.number) * b.number);
  }

private:
  static Exact make(Exact a, Exact b, __int128 result) {
    bool inside = a.fine && b.fine && result <= largestPlace &&
                  result >= -__int128(largestPlace);
    Exact made(inside ? int64_t(result) : 0);
    made.fine = inside;
    return made;
  }

  int64_t number;
  bool fine;
};

} // namespace spinc::ddt

#endif // SPINC_COMPILER_DDT_DESCRIPTION_EXACT_H
