/* Counts the bytes of the payload by their low six bits and writes the
 * counts over it. */
#include "bench/codegen/kernel.h"

static void kernel(uint8_t *payload, uint32_t length) {
  if (length < 256)
    return;
  uint32_t bins[64];
  for (uint32_t i = 0; i < 64; ++i)
    bins[i] = 0;
  for (uint32_t i = 0; i < length; ++i)
    ++bins[payload[i] & 63];
  uint32_t *out = (uint32_t *)payload;
  for (uint32_t i = 0; i < 64; ++i)
    out[i] = bins[i];
}
