/* FNV-1a of the payload, written to its first word. */
#include "bench/codegen/kernel.h"

static void kernel(uint8_t *payload, uint32_t length) {
  uint32_t hash = 0x811c9dc5;
  for (uint32_t i = 0; i < length; ++i)
    hash = (hash ^ payload[i]) * 0x01000193;
  *(uint32_t *)payload = hash;
}
