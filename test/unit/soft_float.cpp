// The routines of runtime/device/math for f32 and f64, on the host, against its
// own arithmetic: random operands, most of them near what is special.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>

#include "runtime/device/math/Divide64.h"

namespace single {
#define SPIN_FLOAT_BITS 32
#include "runtime/device/math/Float.h"
#include "runtime/device/math/Resize.h"
} // namespace single
#undef SPINC_RUNTIME_DEVICE_MATH_FLOAT_H
#undef SPIN_FLOAT_BITS
#undef SPIN_FRACTION
#undef SPIN_BIAS
#undef SPIN_ROUTINE
namespace twice {
#define SPIN_FLOAT_BITS 64
#include "runtime/device/math/Float.h"
} // namespace twice

template <class Bits> struct Format;
template <> struct Format<uint32_t> {
  using Number = float;
  static constexpr int fraction = 23, bias = 127;
};
template <> struct Format<uint64_t> {
  using Number = double;
  static constexpr int fraction = 52, bias = 1023;
};
template <class Bits> using NumberOf = typename Format<Bits>::Number;

template <class Bits> static NumberOf<Bits> number(Bits bits) {
  NumberOf<Bits> result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

template <class Bits> static Bits operand(std::mt19937_64 &random) {
  constexpr int fraction = Format<Bits>::fraction, bias = Format<Bits>::bias;
  constexpr Bits one = 1, implicit = one << fraction, mask = implicit - 1;
  Bits bits = static_cast<Bits>(random());
  Bits sign = bits & one << (8 * sizeof(Bits) - 1);
  Bits place = one << random() % fraction;
  switch (random() % 8) {
  case 0:
    return bits;
  case 1: // few bits
    return bits & ~(place - 1);
  case 2: // not normal
    return sign | (bits & (place - 1));
  case 3: // one bit
    return (bits & ~mask) | place;
  case 4: // near one
    return sign | (Bits(bias - 2 + random() % 4) << fraction | (bits & mask));
  case 5: // full of ones
    return (bits & ~mask) | (mask - random() % 3);
  case 6: // the largest, infinite, none
    return sign | (Bits(2 * bias + 1 - random() % 3) << fraction |
                   (random() % 2 ? 0 : bits & mask));
  default: // in the range of integers
    return sign | (Bits(bias + random() % 70) << fraction | (bits & mask));
  }
}

template <class Bits>
static bool check(const char *what, uint64_t a, uint64_t b, Bits got,
                  NumberOf<Bits> want) {
  Bits bits;
  std::memcpy(&bits, &want, sizeof bits);
  if (std::isnan(want) ? std::isnan(number(got)) : got == bits)
    return true;
  std::printf("%s of %llx and %llx gives %llx, not %llx\n", what,
              (unsigned long long)a, (unsigned long long)b,
              (unsigned long long)got, (unsigned long long)bits);
  return false;
}

static bool expect(const char *what, uint64_t a, bool holds) {
  if (!holds)
    std::printf("%s of %llx is wrong\n", what, (unsigned long long)a);
  return holds;
}

#define OPERATIONS(SPACE)                                                      \
  check<Bits>("+", a, b, SPACE::spin_add(a, b), x + y) &&                      \
      check<Bits>("*", a, b, SPACE::spin_multiply(a, b), x * y) &&             \
      check<Bits>("/", a, b, SPACE::spin_quotient(a, b), x / y) &&             \
      expect("comparison", a, SPACE::spin_compare(a, b, 7) == order) &&        \
      expect("truncation", a,                                                  \
             !(std::fabs(x) < 18446744073709551616.0) ||                       \
                 SPACE::spin_truncate(a) == uint64_t(std::fabs(x))) &&         \
      check<Bits>("integer", whole, 0, SPACE::spin_from_magnitude(whole, 0),   \
                  NumberOf<Bits>(whole))

template <class Bits> static bool step(std::mt19937_64 &random) {
  Bits a = operand<Bits>(random), b = operand<Bits>(random);
  switch (random() % 32) {
  case 0:
    b = a;
    break;
  case 1:
    b = a ^ Bits(1) << (8 * sizeof(Bits) - 1);
    break;
  case 2:
    b = a + 1;
    break;
  default:
    break;
  }
  uint64_t whole = random() >> random() % 64;
  if (random() % 3 == 0)
    whole &= ~uint64_t(0) << random() % 64;
  NumberOf<Bits> x = number(a), y = number(b);
  int order = std::isnan(x) || std::isnan(y) ? 7 : x < y ? -1 : x > y;
  if constexpr (sizeof(Bits) == 4)
    return OPERATIONS(single) &&
           check<uint64_t>("f64", a, 0, single::spin_extend(a), x);
  else
    return OPERATIONS(twice) &&
           check<uint32_t>("f32", a, 0, single::spin_shorten(a), float(x));
}

int main() {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000000; ++i)
    if (!step<uint32_t>(random) || !step<uint64_t>(random))
      return 1;
  std::puts("all results are right");
}
