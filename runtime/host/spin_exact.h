/* Exact integers for the checks of `where` and `contract` in generated stubs.
 *
 * A number is sign and 64-bit magnitude, so each parameter type of the language
 * fits. What does not fit in a result, and division by zero, make it
 * `undefined`; that is inherited by everything computed from it, and an
 * undefined condition does not hold. A check can therefore never pass because
 * arithmetic wrapped. Plain C11, no library.
 */
#ifndef SPINC_RUNTIME_HOST_SPIN_EXACT_H
#define SPINC_RUNTIME_HOST_SPIN_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct spin_number {
  uint64_t magnitude;
  bool negative; /* never set when the magnitude is 0 */
  bool undefined;
} spin_number;

static inline spin_number spin_make(uint64_t magnitude, bool negative,
                                    bool undefined) {
  spin_number result;
  result.magnitude = undefined ? 0 : magnitude;
  result.negative = negative && result.magnitude != 0;
  result.undefined = undefined;
  return result;
}

static inline spin_number spin_unsigned(uint64_t value) {
  return spin_make(value, false, false);
}

static inline spin_number spin_signed(int64_t value) {
  return value < 0 ? spin_make(0 - (uint64_t)value, true, false)
                   : spin_make((uint64_t)value, false, false);
}

static inline spin_number spin_boolean(bool value, bool undefined) {
  return spin_make(value ? 1 : 0, false, undefined);
}

/* The number in the bytes of a wire integer, at most eight. */
static inline spin_number spin_big_endian(const uint8_t *bytes, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; ++i)
    value = value << 8 | bytes[i];
  return spin_unsigned(value);
}

static inline spin_number spin_little_endian(const uint8_t *bytes,
                                             size_t count) {
  uint64_t value = 0;
  for (size_t i = count; i > 0; --i)
    value = value << 8 | bytes[i - 1];
  return spin_unsigned(value);
}

static inline spin_number spin_negate(spin_number a) {
  return spin_make(a.magnitude, !a.negative, a.undefined);
}

static inline spin_number spin_add(spin_number a, spin_number b) {
  bool undefined = a.undefined || b.undefined;
  if (a.negative == b.negative) {
    uint64_t sum = a.magnitude + b.magnitude;
    return spin_make(sum, a.negative, undefined || sum < a.magnitude);
  }
  if (a.magnitude >= b.magnitude)
    return spin_make(a.magnitude - b.magnitude, a.negative, undefined);
  return spin_make(b.magnitude - a.magnitude, b.negative, undefined);
}

static inline spin_number spin_subtract(spin_number a, spin_number b) {
  return spin_add(a, spin_negate(b));
}

static inline spin_number spin_multiply(spin_number a, spin_number b) {
  bool overflow = a.magnitude != 0 && b.magnitude > UINT64_MAX / a.magnitude;
  return spin_make(a.magnitude * b.magnitude, a.negative != b.negative,
                   overflow || a.undefined || b.undefined);
}

/* Division truncates, as in C; a remainder has the sign of the dividend. */
static inline spin_number spin_divide(spin_number a, spin_number b) {
  if (a.undefined || b.undefined || b.magnitude == 0)
    return spin_make(0, false, true);
  return spin_make(a.magnitude / b.magnitude, a.negative != b.negative, false);
}

static inline spin_number spin_remainder(spin_number a, spin_number b) {
  if (a.undefined || b.undefined || b.magnitude == 0)
    return spin_make(0, false, true);
  return spin_make(a.magnitude % b.magnitude, a.negative, false);
}

/* Shifts and bit operations are defined for numbers that are not negative. */
static inline spin_number spin_shift_left(spin_number a, spin_number b) {
  bool undefined = a.undefined || b.undefined || a.negative || b.negative ||
                   b.magnitude > 63;
  uint64_t amount = undefined ? 0 : b.magnitude;
  uint64_t value = a.magnitude << amount;
  return spin_make(value, false, undefined || value >> amount != a.magnitude);
}

static inline spin_number spin_shift_right(spin_number a, spin_number b) {
  bool undefined = a.undefined || b.undefined || a.negative || b.negative ||
                   b.magnitude > 63;
  return spin_make(undefined ? 0 : a.magnitude >> b.magnitude, false,
                   undefined);
}

static inline spin_number spin_bit_and(spin_number a, spin_number b) {
  return spin_make(a.magnitude & b.magnitude, false,
                   a.undefined || b.undefined || a.negative || b.negative);
}

static inline spin_number spin_bit_or(spin_number a, spin_number b) {
  return spin_make(a.magnitude | b.magnitude, false,
                   a.undefined || b.undefined || a.negative || b.negative);
}

static inline spin_number spin_bit_xor(spin_number a, spin_number b) {
  return spin_make(a.magnitude ^ b.magnitude, false,
                   a.undefined || b.undefined || a.negative || b.negative);
}

static inline bool spin_below(spin_number a, spin_number b) {
  if (a.negative != b.negative)
    return a.negative;
  return a.negative ? a.magnitude > b.magnitude : a.magnitude < b.magnitude;
}

static inline spin_number spin_less(spin_number a, spin_number b) {
  return spin_boolean(spin_below(a, b), a.undefined || b.undefined);
}

static inline spin_number spin_less_equal(spin_number a, spin_number b) {
  return spin_boolean(!spin_below(b, a), a.undefined || b.undefined);
}

static inline spin_number spin_greater(spin_number a, spin_number b) {
  return spin_less(b, a);
}

static inline spin_number spin_greater_equal(spin_number a, spin_number b) {
  return spin_less_equal(b, a);
}

static inline spin_number spin_equal(spin_number a, spin_number b) {
  return spin_boolean(!spin_below(a, b) && !spin_below(b, a),
                      a.undefined || b.undefined);
}

static inline spin_number spin_not(spin_number a) {
  return spin_boolean(a.magnitude == 0, a.undefined);
}

static inline spin_number spin_not_equal(spin_number a, spin_number b) {
  return spin_not(spin_equal(a, b));
}

/* A side that decides alone does so whatever the other one is, which may well
 * be undefined: `count != 0 && size / count >= 4`. */
static inline spin_number spin_and(spin_number a, spin_number b) {
  if (!a.undefined && a.magnitude == 0)
    return a;
  return spin_boolean(b.magnitude != 0, a.undefined || b.undefined);
}

static inline spin_number spin_or(spin_number a, spin_number b) {
  if (!a.undefined && a.magnitude != 0)
    return a;
  return spin_boolean(b.magnitude != 0, a.undefined || b.undefined);
}

static inline spin_number spin_choose(spin_number condition, spin_number a,
                                      spin_number b) {
  if (condition.undefined)
    return condition;
  return condition.magnitude != 0 ? a : b;
}

static inline bool spin_holds(spin_number condition) {
  return !condition.undefined && condition.magnitude != 0;
}

#endif /* SPINC_RUNTIME_HOST_SPIN_EXACT_H */
