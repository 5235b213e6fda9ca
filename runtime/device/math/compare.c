/* Comparisons, by the sign of the result: LLVM asks `__ltsf2(a, b) < 0`. With a
 * NaN the answer is no. */
#include "runtime/device/math/Float.h"

int SPIN_ROUTINE(__lesf2, __ledf2)(spin_bits_t a, spin_bits_t b) {
  return spin_compare(a, b, 1);
}

int SPIN_ROUTINE(__gesf2, __gedf2)(spin_bits_t a, spin_bits_t b) {
  return spin_compare(a, b, -1);
}

#define SPIN_ALIAS(NAME) __attribute__((alias(NAME)))
#if SPIN_FLOAT_BITS == 32
int __ltsf2(spin_bits_t a, spin_bits_t b) SPIN_ALIAS("__lesf2");
int __eqsf2(spin_bits_t a, spin_bits_t b) SPIN_ALIAS("__lesf2");
int __nesf2(spin_bits_t a, spin_bits_t b) SPIN_ALIAS("__lesf2");
int __gtsf2(spin_bits_t a, spin_bits_t b) SPIN_ALIAS("__gesf2");
#else
int __ltdf2(spin_bits_t a, spin_bits_t b) SPIN_ALIAS("__ledf2");
int __eqdf2(spin_bits_t a, spin_bits_t b) SPIN_ALIAS("__ledf2");
int __nedf2(spin_bits_t a, spin_bits_t b) SPIN_ALIAS("__ledf2");
int __gtdf2(spin_bits_t a, spin_bits_t b) SPIN_ALIAS("__gedf2");
#endif

int SPIN_ROUTINE(__unordsf2, __unorddf2)(spin_bits_t a, spin_bits_t b) {
  return spin_is_nan(a) || spin_is_nan(b);
}
