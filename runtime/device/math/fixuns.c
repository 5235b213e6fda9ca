/* To unsigned integers, towards zero. What does not fit is compiled code's
 * business. */
#include "runtime/device/math/Float.h"

uint32_t SPIN_ROUTINE(__fixunssfsi, __fixunsdfsi)(spin_bits_t a) {
  return (uint32_t)spin_truncate(a);
}

uint64_t SPIN_ROUTINE(__fixunssfdi, __fixunsdfdi)(spin_bits_t a) {
  return spin_truncate(a);
}
