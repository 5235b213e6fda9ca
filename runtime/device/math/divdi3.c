/* i64 / i64, towards zero, called by compiled code. */
#include "runtime/device/math/Divide64.h"

int64_t __divdi3(int64_t a, int64_t b) {
  uint64_t quotient =
      spin_divide(spin_magnitude(a), spin_magnitude(b)).quotient;
  return spin_signed(quotient, (a < 0) != (b < 0));
}
