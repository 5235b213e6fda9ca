/* From unsigned integers, rounded. */
#include "runtime/device/math/Float.h"

spin_bits_t SPIN_ROUTINE(__floatunsisf, __floatunsidf)(uint32_t a) {
  return spin_from_magnitude(a, 0);
}

spin_bits_t SPIN_ROUTINE(__floatundisf, __floatundidf)(uint64_t a) {
  return spin_from_magnitude(a, 0);
}
