/* The least and the greatest of an array of 16-bit numbers. */
#include "bench/codegen/kernel.h"

static void kernel(uint8_t *payload, uint32_t length) {
  uint16_t *x = (uint16_t *)payload, least = 0xffff, most = 0;
  for (uint32_t i = 0; i < length / 2; ++i) {
    if (x[i] < least)
      least = x[i];
    if (x[i] > most)
      most = x[i];
  }
  x[0] = least;
  x[1] = most;
}
