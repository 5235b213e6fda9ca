/* CRC-32 of the payload without a table, written to its first word. */
#include "bench/codegen/kernel.h"

static void kernel(uint8_t *payload, uint32_t length) {
  uint32_t crc = 0xffffffff;
  for (uint32_t i = 0; i < length; ++i) {
    crc ^= payload[i];
    for (int bit = 0; bit < 8; ++bit)
      crc = crc >> 1 ^ (crc & 1) * 0xedb88320;
  }
  *(uint32_t *)payload = crc ^ 0xffffffff;
}
