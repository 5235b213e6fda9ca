/* Runs strided on a capture of Portals messages. The oracle scatters the
 * payloads with a byte loop and compares all of host memory, gaps included.
 */
#include "strided.h"

#include "../common/example.h"

#include <stdlib.h>
#include <string.h>

enum {
  BLOCK = 64,
  STRIDE = 100,
  COUNT = 1024,
  LENGTH = BLOCK * COUNT, /* bytes of data */
  DST_BYTES = (COUNT - 1) * STRIDE + BLOCK,
  FILL = 0xA5
};

static void scatter(const example_run *run, unsigned char *memory) {
  for (size_t i = 0; i < run->packet_count; ++i) {
    size_t size;
    const unsigned char *header = example_portals(&run->packets[i], &size);
    if (!header)
      continue;
    const uint64_t offset = example_little32(header + 20);
    const uint64_t length = size - PORTALS_BYTES;
    if (offset + length > LENGTH)
      continue; /* the handler drops the packet */
    for (uint64_t k = 0; k < length; ++k) {
      const uint64_t at = offset + k;
      memory[at / BLOCK * STRIDE + at % BLOCK] = header[PORTALS_BYTES + k];
    }
  }
}

static void check(example_run *run, const unsigned char *dst) {
  unsigned char *expected = example_memory(DST_BYTES, FILL);
  scatter(run, expected);
  for (size_t i = 0; i < DST_BYTES; ++i)
    if (dst[i] != expected[i])
      example_differs(run, "byte %zu of the host region is %u, expected %u", i,
                      dst[i], expected[i]);
  if (!example_memory_guarded(dst, DST_BYTES, FILL))
    example_differs(run, "bytes behind the host region were written");
  free(expected);
}

int main(int argc, char **argv) {
  example_run run;
  const int status = example_begin(&run, argc, argv);
  if (status != 0)
    return status;
  unsigned char *dst = example_memory(DST_BYTES, FILL);
  const Strided_setup setup = {
      .params = {.block = BLOCK, .stride = STRIDE, .count = COUNT},
      .dst = {dst, DST_BYTES},
  };
  if (Strided_connect(&run.options, &setup, &run.card, &run.error) != SPIN_OK ||
      spin_card_run_capture(run.card, run.capture, &run.error) != SPIN_OK) {
    free(dst);
    return example_fail(&run);
  }
  check(&run, dst);
  const int verdict = example_end(&run, "strided", "Strided");
  free(dst);
  return verdict;
}
