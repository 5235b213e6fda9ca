/* Where two blocks differ first: halves of the payload that differ in the
 * last byte. */
#include "bench/codegen/kernel.h"

static uint32_t differ(const uint8_t *a, const uint8_t *b, uint32_t n) {
  uint32_t i = 0;
  while (i < n && a[i] == b[i])
    ++i;
  return i;
}

static void kernel(uint8_t *payload, uint32_t length) {
  const uint32_t n = length / 8 * 4;
  *(uint32_t *)payload = differ(payload, payload + n, n);
}
