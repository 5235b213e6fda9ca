/* The parity of two blocks: the first half of the payload into the second. */
#include "bench/codegen/kernel.h"

static void xor(uint8_t *restrict d, const uint8_t *restrict s, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i)
    d[i] ^= s[i];
}

static void kernel(uint8_t *payload, uint32_t length) {
  const uint32_t n = length / 8 * 4;
  xor(payload + n, payload, n);
}
