/* Checks runtime/host/spin_exact.h against arithmetic of the compiler that has
 * more bits, on edge values and on random ones from a fixed seed. */
#include "spin_exact.h"

#include <stdio.h>

__extension__ typedef __int128 wide;

static const uint64_t edges[] = {0,         1,          2,          3,
                                 63,        64,         0xFFFFFFFF, 0x100000000,
                                 INT64_MAX, 1ULL << 63, UINT64_MAX, 1000003};
enum { EDGES = sizeof edges / sizeof edges[0] };

static unsigned long failures;

static wide value_of(spin_number n) {
  return n.negative ? -(wide)n.magnitude : (wide)n.magnitude;
}

static int fits(wide value) {
  return value <= (wide)UINT64_MAX && value >= -(wide)UINT64_MAX;
}

static void expect(const char *what, spin_number got, wide expected,
                   int defined) {
  if (defined == !got.undefined && (!defined || value_of(got) == expected))
    return;
  ++failures;
  printf("%s is wrong\n", what);
}

static spin_number number(uint64_t magnitude, int negative) {
  const spin_number n = spin_unsigned(magnitude);
  return negative ? spin_negate(n) : n;
}

static void compare(spin_number a, spin_number b) {
  const wide x = value_of(a), y = value_of(b);
  expect("less", spin_less(a, b), x < y, 1);
  expect("less equal", spin_less_equal(a, b), x <= y, 1);
  expect("greater", spin_greater(a, b), x > y, 1);
  expect("greater equal", spin_greater_equal(a, b), x >= y, 1);
  expect("equal", spin_equal(a, b), x == y, 1);
  expect("not equal", spin_not_equal(a, b), x != y, 1);
}

static void compute(spin_number a, spin_number b) {
  const wide x = value_of(a), y = value_of(b);
  expect("sum", spin_add(a, b), x + y, fits(x + y));
  expect("difference", spin_subtract(a, b), x - y, fits(x - y));
  /* A product of two 64-bit magnitudes can leave 127 bits. */
  const int big = a.magnitude && b.magnitude > UINT64_MAX / a.magnitude;
  expect("product", spin_multiply(a, b), big ? 0 : x * y, !big);
  expect("quotient", spin_divide(a, b), y ? x / y : 0, y != 0);
  expect("remainder", spin_remainder(a, b), y ? x % y : 0, y != 0);
  const int natural = !a.negative && !b.negative;
  expect("and", spin_bit_and(a, b), a.magnitude & b.magnitude, natural);
  expect("or", spin_bit_or(a, b), a.magnitude | b.magnitude, natural);
  expect("xor", spin_bit_xor(a, b), a.magnitude ^ b.magnitude, natural);
  const int shifts = natural && b.magnitude < 64;
  const unsigned amount = shifts ? (unsigned)b.magnitude : 0;
  const int kept = a.magnitude << amount >> amount == a.magnitude;
  expect("left shift", spin_shift_left(a, b), a.magnitude << amount,
         shifts && kept);
  expect("right shift", spin_shift_right(a, b), a.magnitude >> amount, shifts);
}

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state >> (*state % 61);
}

int main(void) {
  for (unsigned i = 0; i < 4 * EDGES * EDGES; ++i) {
    const spin_number a = number(edges[i / 4 % EDGES], i & 1);
    const spin_number b = number(edges[i / 4 / EDGES], i >> 1 & 1);
    compare(a, b);
    compute(a, b);
  }
  uint64_t state = 0x5317C;
  for (unsigned i = 0; i < 100000; ++i) {
    const spin_number a = number(next_random(&state), i & 1);
    const spin_number b = number(next_random(&state), i >> 1 & 1);
    compare(a, b);
    compute(a, b);
  }

  const spin_number none = spin_divide(spin_unsigned(1), spin_unsigned(0));
  const spin_number yes = spin_unsigned(1), no = spin_unsigned(0);
  expect("undefined stays", spin_add(none, yes), 0, 0);
  expect("not undefined", spin_not(none), 0, 0);
  expect("false and undefined", spin_and(no, none), 0, 1);
  expect("undefined and false", spin_and(none, no), 0, 0);
  expect("true or undefined", spin_or(yes, none), 1, 1);
  expect("false or undefined", spin_or(no, none), 0, 0);
  expect("choice", spin_choose(yes, yes, none), 1, 1);
  if (spin_holds(none) || spin_holds(no) || !spin_holds(yes))
    expect("holds", none, 0, 1);
  expect("smallest", spin_signed(INT64_MIN), -(wide)INT64_MAX - 1, 1);
  const uint8_t bytes[3] = {1, 2, 3};
  expect("big endian", spin_big_endian(bytes, 3), 0x010203, 1);
  expect("little endian", spin_little_endian(bytes, 3), 0x030201, 1);
  printf("%lu failures\n", failures);
  return failures != 0;
}
