/* Between f32 and f64. Comes behind Float.h for 32 bits. */
#ifndef SPINC_RUNTIME_DEVICE_MATH_RESIZE_H
#define SPINC_RUNTIME_DEVICE_MATH_RESIZE_H

#define SPIN_INFINITY64 ((uint64_t)2047 << 52)

static inline uint64_t spin_extend(uint32_t a) {
  uint64_t sign = (uint64_t)(a & SPIN_SIGN) << 32;
  uint32_t magnitude = spin_magnitude_of(a);
  if (magnitude >= SPIN_INFINITY)
    return magnitude > SPIN_INFINITY ? SPIN_INFINITY64 | (uint64_t)1 << 51
                                     : sign | SPIN_INFINITY64;
  if (magnitude == 0)
    return sign;
  uint32_t significand;
  int exponent = spin_unpack(a, &significand) - SPIN_BIAS + 1023;
  return sign | ((uint64_t)exponent << 52) |
         (uint64_t)(significand & SPIN_FRACTION_MASK) << (52 - SPIN_FRACTION);
}

static inline uint32_t spin_shorten(uint64_t a) {
  uint32_t sign = (uint32_t)(a >> 32) & SPIN_SIGN;
  uint64_t magnitude = a & ~((uint64_t)1 << 63);
  if (magnitude >= SPIN_INFINITY64)
    return magnitude > SPIN_INFINITY64 ? SPIN_NAN : sign | SPIN_INFINITY;
  /* Numbers below the normal ones of f64 are far below half of the least f32:
   * whatever their leading bit, they become 0. */
  int exponent = (int)(magnitude >> 52) - 1023 + SPIN_BIAS;
  uint64_t fraction = a & (((uint64_t)1 << 52) - 1);
  uint32_t significand = (uint32_t)(fraction >> (52 - SPIN_TOP)) |
                         ((fraction << (12 + SPIN_TOP)) != 0);
  return spin_pack(sign, exponent, significand | (uint32_t)1 << SPIN_TOP);
}

#endif /* SPINC_RUNTIME_DEVICE_MATH_RESIZE_H */
