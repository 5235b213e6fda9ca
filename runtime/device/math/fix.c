/* To integers, towards zero. What does not fit is compiled code's business. */
#include "runtime/device/math/Float.h"

int32_t SPIN_ROUTINE(__fixsfsi, __fixdfsi)(spin_bits_t a) {
  uint32_t magnitude = (uint32_t)spin_truncate(a);
  return (int32_t)(a & SPIN_SIGN ? 0 - magnitude : magnitude);
}

int64_t SPIN_ROUTINE(__fixsfdi, __fixdfdi)(spin_bits_t a) {
  return spin_signed(spin_truncate(a), (a & SPIN_SIGN) != 0);
}
