/* The Internet checksum of the payload, written to its first two bytes: by
 * words, as the standard library of spinc does it. */
#include "bench/codegen/kernel.h"

/* With the carry added where it left. */
static uint32_t add_around(uint32_t a, uint32_t b) {
  const uint32_t sum = a + b;
  return sum + (sum < b);
}

static uint32_t fold(uint32_t sum) {
  sum = (sum & 0xffff) + (sum >> 16);
  return (sum & 0xffff) + (sum >> 16);
}

static void kernel(uint8_t *payload, uint32_t length) {
  const uint32_t *words = (const uint32_t *)payload, rest = length % 4;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < length / 4; ++i)
    sum = add_around(sum, words[i]);
  if (rest >= 2)
    sum = add_around(sum, *(const uint16_t *)(payload + length - rest));
  if (rest % 2)
    sum = add_around(sum, payload[length - 1]);
  sum = fold(sum) ^ 0xffff;
  *(uint16_t *)payload = (uint16_t)sum;
}
