/* The dot product of two arrays of int32, written to the first word of the
 * payload. */
#include "bench/codegen/kernel.h"

static int32_t dot(const int32_t *a, const int32_t *b, uint32_t n) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < n; ++i)
    sum += (uint32_t)a[i] * (uint32_t)b[i];
  return (int32_t)sum;
}

static void kernel(uint8_t *payload, uint32_t length) {
  const uint32_t n = length / 8 * 4;
  *(int32_t *)payload =
      dot((const int32_t *)payload, (const int32_t *)(payload + n), n / 4);
}
