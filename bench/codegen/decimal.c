/* Writes each byte of the payload's first quarter as three decimal digits. */
#include "bench/codegen/kernel.h"

static void decimal(uint8_t *restrict d, const uint8_t *restrict s,
                    uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) {
    const uint8_t x = s[i];
    d[i * 3] = x / 100;
    d[i * 3 + 1] = x / 10 % 10;
    d[i * 3 + 2] = x % 10;
  }
}

static void kernel(uint8_t *payload, uint32_t length) {
  const uint32_t n = length / 4;
  decimal(payload + n, payload, n);
}
