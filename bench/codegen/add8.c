/* The loop printed in manuals of the core: sums of bytes. */
#include "bench/codegen/kernel.h"

static void add(uint8_t *restrict d, const uint8_t *restrict a,
                const uint8_t *restrict b, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i)
    d[i] = (uint8_t)(a[i] + b[i]);
}

static void kernel(uint8_t *payload, uint32_t length) {
  const uint32_t n = length / 12 * 4;
  add(payload + 2 * n, payload, payload + n, n);
}
