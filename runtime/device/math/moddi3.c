/* i64 % i64, with the sign of the dividend, called by compiled code. */
#include "runtime/device/math/Divide64.h"

int64_t __moddi3(int64_t a, int64_t b) {
  uint64_t remainder =
      spin_divide(spin_magnitude(a), spin_magnitude(b)).remainder;
  return spin_signed(remainder, a < 0);
}
