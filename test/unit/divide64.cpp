// The routines of runtime/device/math that divide, on the host, against its own
// division: random operands, most of them near powers of two.
#include "runtime/device/math/Divide64.h"

#include <cstdio>
#include <random>

static uint64_t operand(std::mt19937_64 &random) {
  uint64_t bits = random();
  unsigned shift = random() % 64;
  switch (random() % 7) {
  case 0:
    return bits;
  case 1:
    return bits >> shift;
  case 2:
    return ~(bits >> shift);
  case 3:
    return (uint64_t(1) << shift) - (bits & 1);
  case 4:
    return bits | 0xffffffff;
  case 5:
    return bits >> 32 << 32;
  default:
    return (uint64_t(1) << shift) + (uint64_t(1) << bits % 64);
  }
}

int main() {
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000000; ++i) {
    uint64_t a = operand(random), b = operand(random);
    if (b == 0)
      continue;
    spin_quotient_t got = spin_divide(a, b);
    if (got.quotient == a / b && got.remainder == a % b)
      continue;
    std::printf("%llx / %llx gives %llx rest %llx\n", (unsigned long long)a,
                (unsigned long long)b, (unsigned long long)got.quotient,
                (unsigned long long)got.remainder);
    return 1;
  }
  std::puts("all quotients are right");
}
