/* Brings an array of big-endian words into the card's order, in place. */
#include "bench/codegen/kernel.h"

static void kernel(uint8_t *payload, uint32_t length) {
  uint32_t *words = (uint32_t *)payload;
  for (uint32_t i = 0; i < length / 4; ++i)
    words[i] = __builtin_bswap32(words[i]);
}
