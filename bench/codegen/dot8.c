/* The dot product of two arrays of int8, written to the first word of the
 * payload. */
#include "bench/codegen/kernel.h"

static int32_t dot(const int8_t *a, const int8_t *b, uint32_t n) {
  int32_t sum = 0;
  for (uint32_t i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

static void kernel(uint8_t *payload, uint32_t length) {
  const uint32_t n = length / 8 * 4;
  *(int32_t *)payload =
      dot((const int8_t *)payload, (const int8_t *)(payload + n), n);
}
