/* The Internet checksum of the payload, written to its first two bytes. */
#include "bench/codegen/kernel.h"

static uint32_t fold(uint32_t sum) {
  sum = (sum & 0xffff) + (sum >> 16);
  return (sum & 0xffff) + (sum >> 16);
}

static void kernel(uint8_t *payload, uint32_t length) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i + 1 < length; i += 2)
    sum += (uint32_t)payload[i] << 8 | payload[i + 1];
  if (length % 2)
    sum += (uint32_t)payload[length - 1] << 8;
  sum = fold(sum) ^ 0xffff;
  payload[0] = (uint8_t)(sum >> 8);
  payload[1] = (uint8_t)sum;
}
