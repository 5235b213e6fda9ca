// The numbers of tableaus: 64 bits, 128 bits, and unbounded. Each says how it
// is computed with, and tells when it does not do.
#ifndef SPINC_DIALECT_SPIN_ANALYSIS_TABLEAUNUMBERS_H
#define SPINC_DIALECT_SPIN_ANALYSIS_TABLEAUNUMBERS_H

#include "dialect/Spin/Analysis/LinearExpr.h"

namespace spinc::spin {

/// Sums and products of up to 128 bits; `lost` once one has had more.
struct Long {
  __int128 value = 0;
  static inline thread_local bool lost = false;

  Long() = default;
  Long(__int128 value) : value(value) {}
  Long operator-() const { return Long(0) - *this; }
  friend Long operator+(Long a, Long b) {
    lost |= __builtin_add_overflow(a.value, b.value, &a.value);
    return a;
  }
  friend Long operator-(Long a, Long b) {
    lost |= __builtin_sub_overflow(a.value, b.value, &a.value);
    return a;
  }
  friend Long operator*(Long a, Long b) {
    lost |= __builtin_mul_overflow(a.value, b.value, &a.value);
    return a;
  }
  friend Long operator/(Long a, Long b) { return Long(a.value / b.value); }
  Long &operator+=(Long other) { return *this = *this + other; }
  Long &operator*=(Long other) { return *this = *this * other; }
  friend bool operator==(Long a, Long b) { return a.value == b.value; }
  friend bool operator!=(Long a, Long b) { return a.value != b.value; }
  friend bool operator<(Long a, Long b) { return a.value < b.value; }
  friend bool operator>(Long a, Long b) { return a.value > b.value; }
  friend bool operator<=(Long a, Long b) { return a.value <= b.value; }
  friend bool operator>=(Long a, Long b) { return a.value >= b.value; }
};

/// How the numbers of a tableau are computed with: their sums and products, and
/// which of those may be stored. `takeLost`: whether one was too large to be
/// right since that was asked last.
template <class Number> struct Wide;
template <> struct Wide<int64_t> {
  using Type = __int128;
  static constexpr __int128 limit = __int128(1) << 60;
  static bool fits(__int128 number) {
    return number < limit && number > -limit;
  }
  static bool fits(const Integer &number) {
    return number < int64_t(limit) && number > -int64_t(limit);
  }
  /// Whether a sum of products of two numbers each may go on.
  static bool isTotal(__int128 number) {
    return number < limit << 65 && number > -(limit << 65);
  }
  static bool multiply(__int128 a, __int128 b, __int128 &product) {
    return !__builtin_mul_overflow(a, b, &product);
  }
  static bool takeLost() { return false; }
  static int64_t narrow(__int128 number) { return int64_t(number); }
  static int64_t from(const Integer &number) { return int64_t(number); }
  static Integer integer(int64_t number) { return Integer(number); }
};
template <> struct Wide<Long> {
  using Type = Long;
  static constexpr __int128 limit = __int128(1) << 120;
  static bool fits(Long number) { return number < limit && number > -limit; }
  static bool fits(const Integer &number) {
    static const Integer most = powerOfTwo(120);
    return number < most && number > -most;
  }
  static bool isTotal(Long) { return true; }
  static bool multiply(Long a, Long b, Long &product) {
    product = a * b;
    return true;
  }
  static bool takeLost() { return std::exchange(Long::lost, false); }
  static Long narrow(Long number) { return number; }
  static Long from(const Integer &number) {
    Integer high = floorDiv(number, Integer(half));
    return __int128(int64_t(high)) * half +
           int64_t(number - high * Integer(half));
  }
  static Integer integer(Long number) {
    return Integer(int64_t(number.value / half)) * Integer(half) +
           Integer(int64_t(number.value % half));
  }

private:
  static constexpr int64_t half = int64_t(1) << 61;
};
template <> struct Wide<Integer> {
  using Type = Integer;
  static bool fits(const Integer &) { return true; }
  static bool isTotal(const Integer &) { return true; }
  static bool multiply(const Integer &a, const Integer &b, Integer &product) {
    product = a * b;
    return true;
  }
  static bool takeLost() { return false; }
  static const Integer &narrow(const Integer &number) { return number; }
  static const Integer &from(const Integer &number) { return number; }
  static const Integer &integer(const Integer &number) { return number; }
};

inline __int128 absolute(__int128 a) { return a < 0 ? -a : a; }
inline Long absolute(Long a) { return absolute(a.value); }
inline Integer absolute(const Integer &a) { return abs(a); }
inline uint64_t gcdOf(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
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
inline Long gcdOf(Long a, Long b) { return gcdOf(a.value, b.value); }
inline Integer gcdOf(const Integer &a, const Integer &b) {
  return llvm::gcd(a, b);
}

} // namespace spinc::spin

#endif // SPINC_DIALECT_SPIN_ANALYSIS_TABLEAUNUMBERS_H
