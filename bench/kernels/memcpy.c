/* Copies of all lengths and alignments: by words where both sides allow it. */
#include "kernel.h"

static void copy(uint8_t *to, const uint8_t *from, uint32_t size) {
  if ((((uintptr_t)to ^ (uintptr_t)from) & 3) == 0) {
    for (; size && (uintptr_t)to & 3; --size)
      *to++ = *from++;
    uint32_t *wordTo = (uint32_t *)(void *)to;
    const uint32_t *wordFrom = (const uint32_t *)(const void *)from;
    for (; size >= 16; size -= 16, wordTo += 4, wordFrom += 4) {
      uint32_t a = wordFrom[0], b = wordFrom[1];
      uint32_t c = wordFrom[2], d = wordFrom[3];
      wordTo[0] = a, wordTo[1] = b, wordTo[2] = c, wordTo[3] = d;
    }
    to = (uint8_t *)wordTo;
    from = (const uint8_t *)wordFrom;
  }
  for (; size; --size)
    *to++ = *from++;
}

int main(int argc, char **argv) {
  static uint8_t source[8192], target[8192];
  uint32_t seed = 7;
  for (unsigned i = 0; i < sizeof source; ++i)
    source[i] = (uint8_t)nextRandom(&seed);
  for (unsigned round = rounds(argc, argv, 100); round; --round) {
    uint32_t from = nextRandom(&seed) % 64, to = nextRandom(&seed) % 64;
    if (round & 3) /* most copies in programs are aligned alike */
      to = (to & ~3u) | (from & 3);
    copy(target + to, source + from, 4096 + nextRandom(&seed) % 4000);
  }
  return checksum(target, sizeof target);
}
