/* Packs the left half of a matrix with rows of 16 words: the matrix is the
 * first half of the payload, the result the second. */
#include "bench/codegen/kernel.h"

static void pack(uint32_t *restrict d, const uint32_t *restrict s,
                 uint32_t rows) {
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t column = 0; column < 8; ++column)
      d[8 * row + column] = s[16 * row + column];
}

static void kernel(uint8_t *payload, uint32_t length) {
  const uint32_t n = length / 8;
  pack((uint32_t *)payload + n, (const uint32_t *)payload, n / 16);
}
