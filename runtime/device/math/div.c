/* a / b */
#include "runtime/device/math/Float.h"

spin_bits_t SPIN_ROUTINE(__divsf3, __divdf3)(spin_bits_t a, spin_bits_t b) {
  return spin_quotient(a, b);
}
