/* u64 % u64, called by compiled code. */
#include "runtime/device/math/Divide64.h"

uint64_t __umoddi3(uint64_t a, uint64_t b) {
  return spin_divide(a, b).remainder;
}
