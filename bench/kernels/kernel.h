/* What the kernels share. Each takes the number of rounds as its argument and
 * exits with a checksum of its results, so that two machines can be compared.
 */
#ifndef SPINC_BENCH_KERNEL_H
#define SPINC_BENCH_KERNEL_H

#include <stddef.h>
#include <stdint.h>

static inline unsigned rounds(int argc, char **argv, unsigned otherwise) {
  unsigned value = 0;
  if (argc < 2)
    return otherwise;
  for (const char *p = argv[1]; *p; ++p)
    value = value * 10 + (unsigned)(*p - '0');
  return value;
}

static inline uint32_t nextRandom(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static inline int checksum(const void *bytes, size_t size) {
  const uint8_t *p = bytes;
  uint32_t sum = 1;
  for (size_t i = 0; i < size; ++i)
    sum = sum * 31 + p[i];
  return (int)(sum % 251);
}

#endif
