/* IEEE 754 arithmetic on integers, rounded to nearest, ties to even, for f32
 * (SPIN_FLOAT_BITS 32) or f64 (64): typ-24. As everything here, without loops,
 * calls and tables. A NaN that is made is the quiet one; NaNs that come in are
 * not told apart.
 *
 * A significand that is to be rounded has its leading bit at SPIN_TOP: three
 * bits more than it will keep, the last of which is set if anything was lost
 * below it.
 */
#ifndef SPINC_RUNTIME_DEVICE_MATH_FLOAT_H
#define SPINC_RUNTIME_DEVICE_MATH_FLOAT_H

#include "runtime/device/math/Divide64.h"

#if SPIN_FLOAT_BITS == 32
typedef uint32_t spin_bits_t;
#define SPIN_FRACTION 23
#define SPIN_BIAS 127
#define SPIN_ROUTINE(SINGLE, DOUBLE) SINGLE
#else
typedef uint64_t spin_bits_t;
#define SPIN_FRACTION 52
#define SPIN_BIAS 1023
#define SPIN_ROUTINE(SINGLE, DOUBLE) DOUBLE
#endif

#define SPIN_ONE ((spin_bits_t)1)
#define SPIN_IMPLICIT (SPIN_ONE << SPIN_FRACTION)
#define SPIN_FRACTION_MASK (SPIN_IMPLICIT - 1)
#define SPIN_SIGN (SPIN_ONE << (SPIN_FLOAT_BITS - 1))
#define SPIN_EXPONENTS (2 * SPIN_BIAS + 1)
#define SPIN_INFINITY ((spin_bits_t)SPIN_EXPONENTS << SPIN_FRACTION)
#define SPIN_NAN (SPIN_INFINITY | SPIN_IMPLICIT >> 1)
#define SPIN_TOP (SPIN_FRACTION + 3)

static inline unsigned spin_leading_zeros64(uint64_t value) {
  uint32_t high = (uint32_t)(value >> 32);
  return (unsigned)(high ? __builtin_clz(high)
                         : 32 + __builtin_clz((uint32_t)value));
}

/* Of a number that is not 0. */
static inline int spin_leading_zeros(spin_bits_t value) {
#if SPIN_FLOAT_BITS == 32
  return __builtin_clz(value);
#else
  return (int)spin_leading_zeros64(value);
#endif
}

static inline spin_bits_t spin_magnitude_of(spin_bits_t number) {
  return number & ~SPIN_SIGN;
}

static inline int spin_is_nan(spin_bits_t number) {
  return spin_magnitude_of(number) > SPIN_INFINITY;
}

/* value / 2^by, with the last bit set if something was lost. */
static inline spin_bits_t spin_shift_right(spin_bits_t value, int by) {
  if (by == 0)
    return value;
  if (by >= SPIN_FLOAT_BITS)
    return value != 0;
  return value >> by | ((spin_bits_t)(value << (SPIN_FLOAT_BITS - by)) != 0);
}

/* Rounds. `exponent` is that of the result, 0 if `significand` is below
 * 2^SPIN_TOP; a carry goes into it, and on to infinity. */
static inline spin_bits_t spin_round(spin_bits_t sign, int exponent,
                                     spin_bits_t significand) {
  spin_bits_t result = ((spin_bits_t)exponent << SPIN_FRACTION) +
                       (significand >> 3 & SPIN_FRACTION_MASK);
  unsigned lost = (unsigned)significand & 7;
  result += lost > 4 || (lost == 4 && (result & 1));
  return sign | result;
}

/* The number with the leading bit of `significand` at SPIN_TOP. */
static inline spin_bits_t spin_pack(spin_bits_t sign, int exponent,
                                    spin_bits_t significand) {
  if (exponent >= SPIN_EXPONENTS)
    return sign | SPIN_INFINITY;
  if (exponent <= 0) {
    significand = spin_shift_right(significand, 1 - exponent);
    exponent = 0;
  }
  return spin_round(sign, exponent, significand);
}

/* Exponent and significand, leading bit at SPIN_FRACTION, of a finite number
 * that is not 0. */
static inline int spin_unpack(spin_bits_t number, spin_bits_t *significand) {
  int exponent = (int)(spin_magnitude_of(number) >> SPIN_FRACTION);
  spin_bits_t fraction = number & SPIN_FRACTION_MASK;
  if (exponent == 0) {
    int by =
        spin_leading_zeros(fraction) - (SPIN_FLOAT_BITS - 1 - SPIN_FRACTION);
    *significand = fraction << by;
    return 1 - by;
  }
  *significand = fraction | SPIN_IMPLICIT;
  return exponent;
}

static inline spin_bits_t spin_add(spin_bits_t a, spin_bits_t b) {
  spin_bits_t left = spin_magnitude_of(a), right = spin_magnitude_of(b);
  if (left >= SPIN_INFINITY || right >= SPIN_INFINITY) {
    int opposed = left == right && a != b;
    if (left > SPIN_INFINITY || right > SPIN_INFINITY || opposed)
      return SPIN_NAN;
    return left == SPIN_INFINITY ? a : b;
  }
  int isSum = ((a ^ b) & SPIN_SIGN) == 0;
  spin_bits_t sign = (left < right ? b : a) & SPIN_SIGN;
  spin_bits_t larger = left < right ? right : left;
  spin_bits_t smaller = left < right ? left : right;
  int exponent = (int)(larger >> SPIN_FRACTION);
  int below = (int)(smaller >> SPIN_FRACTION);
  larger &= SPIN_FRACTION_MASK;
  smaller &= SPIN_FRACTION_MASK;
  larger |= exponent ? SPIN_IMPLICIT : 0;
  smaller |= below ? SPIN_IMPLICIT : 0;
  exponent += !exponent;
  below += !below;
  larger <<= 3;
  smaller = spin_shift_right(smaller << 3, exponent - below);
  spin_bits_t sum = isSum ? larger + smaller : larger - smaller;
  if (sum == 0)
    return isSum ? sign : 0;
  if (sum >> (SPIN_TOP + 1)) {
    sum = spin_shift_right(sum, 1);
    return spin_pack(sign, exponent + 1, sum);
  }
  int by = spin_leading_zeros(sum) - (SPIN_FLOAT_BITS - 1 - SPIN_TOP);
  by = by < exponent ? by : exponent - 1;
  sum <<= by;
  return spin_round(sign, sum >> SPIN_TOP ? exponent - by : 0, sum);
}

/* The upper half of a product of all bits; `low` is the other. */
static inline spin_bits_t spin_multiply_bits(spin_bits_t a, spin_bits_t b,
                                             spin_bits_t *low) {
#if SPIN_FLOAT_BITS == 32
  uint64_t product = (uint64_t)a * b;
  *low = (uint32_t)product;
  return (uint32_t)(product >> 32);
#else
  uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  uint64_t bottom = a0 * b0, cross = a1 * b0 + (bottom >> 32);
  uint64_t other = a0 * b1 + (uint32_t)cross;
  *low = other << 32 | (uint32_t)bottom;
  return a1 * b1 + (cross >> 32) + (other >> 32);
#endif
}

static inline spin_bits_t spin_multiply(spin_bits_t a, spin_bits_t b) {
  spin_bits_t sign = (a ^ b) & SPIN_SIGN;
  spin_bits_t left = spin_magnitude_of(a), right = spin_magnitude_of(b);
  if (left >= SPIN_INFINITY || right >= SPIN_INFINITY) {
    if (left > SPIN_INFINITY || right > SPIN_INFINITY || !left || !right)
      return SPIN_NAN;
    return sign | SPIN_INFINITY;
  }
  if (left == 0 || right == 0)
    return sign;
  spin_bits_t low;
  int exponent = spin_unpack(a, &left) + spin_unpack(b, &right) - SPIN_BIAS;
  left <<= SPIN_FLOAT_BITS - 1 - SPIN_FRACTION;
  right <<= SPIN_FLOAT_BITS - 1 - SPIN_FRACTION;
  spin_bits_t high = spin_multiply_bits(left, right, &low);
  high |= low != 0;
  int isLong = (high & SPIN_SIGN) != 0;
  high = spin_shift_right(isLong ? high : high << 1,
                          SPIN_FLOAT_BITS - 1 - SPIN_TOP);
  return spin_pack(sign, exponent + isLong, high);
}

/* `dividend` * 2^bits / `divisor`, which is normalised and the larger. */
static inline spin_bits_t
spin_divide_bits(spin_bits_t dividend, spin_bits_t divisor, spin_bits_t *rest) {
#if SPIN_FLOAT_BITS == 32
  return spin_divide_words(dividend, 0, divisor, rest);
#else
  spin_bits_t between;
  uint64_t first = spin_digit32(dividend, 0, divisor, &between);
  uint64_t second = spin_digit32(between, 0, divisor, rest);
  return first << 32 | second;
#endif
}

static inline spin_bits_t spin_quotient(spin_bits_t a, spin_bits_t b) {
  spin_bits_t sign = (a ^ b) & SPIN_SIGN;
  spin_bits_t left = spin_magnitude_of(a), right = spin_magnitude_of(b);
  if (left >= SPIN_INFINITY || right >= SPIN_INFINITY) {
    if (left > SPIN_INFINITY || right > SPIN_INFINITY || left == right)
      return SPIN_NAN;
    return left == SPIN_INFINITY ? sign | SPIN_INFINITY : sign;
  }
  if (right == 0)
    return left == 0 ? SPIN_NAN : sign | SPIN_INFINITY;
  if (left == 0)
    return sign;
  int exponent = spin_unpack(a, &left);
  exponent += SPIN_BIAS - spin_unpack(b, &right);
  int isLess = left < right;
  left <<= SPIN_FLOAT_BITS - 2 - SPIN_FRACTION + isLess;
  right <<= SPIN_FLOAT_BITS - 1 - SPIN_FRACTION;
  spin_bits_t rest;
  spin_bits_t quotient = spin_divide_bits(left, right, &rest);
  quotient |= rest != 0;
  quotient = spin_shift_right(quotient, SPIN_FLOAT_BITS - 1 - SPIN_TOP);
  return spin_pack(sign, exponent - isLess, quotient);
}

/* Less, equal or greater: -1, 0, 1. `unordered` with a NaN. */
static inline int spin_compare(spin_bits_t a, spin_bits_t b, int unordered) {
  if (spin_is_nan(a) || spin_is_nan(b))
    return unordered;
  if (a == b || spin_magnitude_of(a | b) == 0)
    return 0;
  int isNegative = (a & SPIN_SIGN) != 0;
  int isLess =
      (a & b & SPIN_SIGN) ? a > b : isNegative || (!(b & SPIN_SIGN) && a < b);
  return isLess ? -1 : 1;
}

/* Towards zero, to a magnitude of at most 64 bits; what has more is not given
 * exactly. */
static inline uint64_t spin_truncate(spin_bits_t number) {
  int exponent = (int)(spin_magnitude_of(number) >> SPIN_FRACTION) - SPIN_BIAS;
  uint64_t significand = (number & SPIN_FRACTION_MASK) | SPIN_IMPLICIT;
  if (exponent < 0 || exponent > 63)
    return 0;
  if (exponent < SPIN_FRACTION)
    return significand >> (SPIN_FRACTION - exponent);
  return significand << (exponent - SPIN_FRACTION);
}

static inline spin_bits_t spin_from_magnitude(uint64_t magnitude,
                                              int isNegative) {
  if (magnitude == 0)
    return 0;
  unsigned by = spin_leading_zeros64(magnitude);
  uint64_t normal = magnitude << by;
  uint64_t lost = normal & (((uint64_t)1 << (63 - SPIN_TOP)) - 1);
  spin_bits_t significand =
      (spin_bits_t)(normal >> (63 - SPIN_TOP)) | (lost != 0);
  return spin_round(isNegative ? SPIN_SIGN : 0, SPIN_BIAS + 63 - (int)by,
                    significand);
}

#endif /* SPINC_RUNTIME_DEVICE_MATH_FLOAT_H */
