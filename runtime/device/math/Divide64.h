/* typ-23: division of 64-bit numbers by the core's 32-bit divider. Without a
 * loop and without a jump through a table, as libgcc has it in places: the
 * cycle bound of a handler follows the calls.
 */
#ifndef SPINC_RUNTIME_DEVICE_MATH_DIVIDE64_H
#define SPINC_RUNTIME_DEVICE_MATH_DIVIDE64_H

#include <stdint.h>

typedef struct {
  uint64_t quotient, remainder;
} spin_quotient_t;

/* One digit of 16 bits: the quotient of high:low, where `low` has 16 bits, by
 * the normalised `divisor` (its highest bit is set), and what remains in
 * `rest`. Needs high < divisor. The estimate by the upper half of the divisor
 * is at most 2 too large. */
static inline uint32_t spin_digit(uint32_t high, uint32_t low, uint32_t divisor,
                                  uint32_t *rest) {
  uint32_t upper = divisor >> 16, lower = divisor & 0xffff;
  uint32_t digit = high / upper;
  uint32_t left = high - digit * upper;
  /* left is below 2^16 while it is shifted: a digit of 2^16 is corrected first,
   * and 2^16 * lower is compared in 64 bits. */
  if ((uint64_t)digit * lower > (((uint64_t)left << 16) | low)) {
    --digit;
    left += upper;
    if ((uint64_t)digit * lower > (((uint64_t)left << 16) | low))
      --digit;
  }
  *rest = (high << 16 | low) - digit * divisor;
  return digit;
}

/* high:low / divisor, which fits 32 bits: high < divisor, and the divisor is
 * normalised. */
static inline uint32_t spin_divide_words(uint32_t high, uint32_t low,
                                         uint32_t divisor, uint32_t *rest) {
  uint32_t between;
  uint32_t first = spin_digit(high, low >> 16, divisor, &between);
  uint32_t second = spin_digit(between, low & 0xffff, divisor, rest);
  return (first << 16) + second;
}

/* As spin_digit, of 32 bits and by a divisor of 64: the estimate is made by the
 * upper 32 bits of the divisor. */
static inline uint32_t spin_digit32(uint64_t high, uint32_t low,
                                    uint64_t divisor, uint64_t *rest) {
  uint32_t upper = (uint32_t)(divisor >> 32), lower = (uint32_t)divisor;
  uint32_t digit = ~(uint32_t)0, unused;
  if (high >> 32 < upper)
    digit = spin_divide_words((uint32_t)(high >> 32), (uint32_t)high, upper,
                              &unused);
  uint64_t left = high - (uint64_t)digit * upper;
  if (left >> 32 == 0 && (uint64_t)digit * lower > (left << 32 | low)) {
    --digit;
    left += upper;
    if (left >> 32 == 0 && (uint64_t)digit * lower > (left << 32 | low))
      --digit;
  }
  *rest = (high << 32 | low) - digit * divisor;
  return digit;
}

/* Nothing is promised for a divisor of 0. */
static inline spin_quotient_t spin_divide(uint64_t dividend, uint64_t divisor) {
  spin_quotient_t result;
  uint32_t high = (uint32_t)(dividend >> 32), low = (uint32_t)dividend;
  uint32_t rest;
  if (divisor >> 32 == 0) {
    uint32_t by = (uint32_t)divisor;
    uint32_t top = high / by;
    unsigned shift = (unsigned)__builtin_clz(by);
    uint64_t left = (((uint64_t)(high - top * by) << 32) | low) << shift;
    uint32_t bottom = spin_divide_words((uint32_t)(left >> 32), (uint32_t)left,
                                        by << shift, &rest);
    result.quotient = ((uint64_t)top << 32) | bottom;
    result.remainder = rest >> shift;
    return result;
  }
  /* The quotient by the upper 32 bits of the normalised divisor is right or
   * one too large; taking one off makes it right or one too small. */
  unsigned shift = (unsigned)__builtin_clz((uint32_t)(divisor >> 32));
  uint64_t half = dividend >> 1;
  uint32_t estimate =
      spin_divide_words((uint32_t)(half >> 32), (uint32_t)half,
                        (uint32_t)(divisor << shift >> 32), &rest);
  estimate = estimate >> (31 - shift);
  estimate -= estimate != 0;
  result.quotient = estimate;
  result.remainder = dividend - (uint64_t)estimate * divisor;
  if (result.remainder >= divisor) {
    ++result.quotient;
    result.remainder -= divisor;
  }
  return result;
}

static inline uint64_t spin_magnitude(int64_t value) {
  return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

static inline int64_t spin_signed(uint64_t magnitude, int isNegative) {
  return (int64_t)(isNegative ? 0 - magnitude : magnitude);
}

#endif /* SPINC_RUNTIME_DEVICE_MATH_DIVIDE64_H */
