/* a * b */
#include "runtime/device/math/Float.h"

spin_bits_t SPIN_ROUTINE(__mulsf3, __muldf3)(spin_bits_t a, spin_bits_t b) {
  return spin_multiply(a, b);
}
