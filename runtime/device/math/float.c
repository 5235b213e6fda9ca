/* From integers, rounded. */
#include "runtime/device/math/Float.h"

spin_bits_t SPIN_ROUTINE(__floatsisf, __floatsidf)(int32_t a) {
  return spin_from_magnitude(spin_magnitude(a), a < 0);
}

spin_bits_t SPIN_ROUTINE(__floatdisf, __floatdidf)(int64_t a) {
  return spin_from_magnitude(spin_magnitude(a), a < 0);
}
