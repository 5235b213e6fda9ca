/* Products of complex numbers in Q15, real part first: the first half of the
 * payload by the second, in place. */
#include "bench/codegen/kernel.h"

static void multiply(int16_t *restrict a, const int16_t *restrict b,
                     uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t ar = (uint32_t)a[2 * i], ai = (uint32_t)a[2 * i + 1];
    const uint32_t br = (uint32_t)b[2 * i], bi = (uint32_t)b[2 * i + 1];
    a[2 * i] = (int16_t)((int32_t)(ar * br - ai * bi) >> 15);
    a[2 * i + 1] = (int16_t)((int32_t)(ar * bi + ai * br) >> 15);
  }
}

static void kernel(uint8_t *payload, uint32_t length) {
  const uint32_t n = length / 8;
  multiply((int16_t *)payload, (const int16_t *)(payload + 4 * n), n);
}
