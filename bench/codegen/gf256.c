/* Multiply-add in GF(256) as erasure codes do it: adds the first half of the
 * payload times a factor, the last byte of the source address, to the second
 * half. */
#include "bench/codegen/kernel.h"

static void add_product(uint8_t *restrict d, const uint8_t *restrict s,
                        uint32_t n, uint8_t factor) {
  for (uint32_t i = 0; i < n; ++i) {
    uint8_t x = s[i], product = 0;
    for (int bit = 0; bit < 8; ++bit) {
      if (factor >> bit & 1)
        product ^= x;
      x = (uint8_t)(x << 1 ^ (x >> 7) * 0x1d);
    }
    d[i] ^= product;
  }
}

static void kernel(uint8_t *payload, uint32_t length) {
  const uint32_t n = length / 8 * 4;
  add_product(payload + n, payload, n, payload[-13]);
}
