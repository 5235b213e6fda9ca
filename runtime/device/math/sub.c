/* a - b */
#include "runtime/device/math/Float.h"

spin_bits_t SPIN_ROUTINE(__subsf3, __subdf3)(spin_bits_t a, spin_bits_t b) {
  return spin_add(a, b ^ SPIN_SIGN);
}
