/* Runs histogram on a capture, adds up the clusters' copies of the bins, and
 * compares them with counts that the oracle makes from the same packets.
 */
#include "histogram.h"

#include "../common/example.h"

#include <stdlib.h>
#include <string.h>

enum {
  PORT = 9330,
  BINS = 1024,
  COPY_BYTES = BINS * 4,
  OUT_BYTES = SPIN_CLUSTERS * COPY_BYTES + 8,
  FILL = 0xA5
};

/* Counts into `bins`; whether any packet belongs to the message. */
static int count_words(const example_run *run, uint32_t *bins) {
  int any = 0;
  for (size_t i = 0; i < run->packet_count; ++i) {
    size_t size;
    const unsigned char *packet = example_udp(&run->packets[i], PORT, &size);
    any |= packet != NULL;
    if (!packet)
      continue;
    for (size_t at = IP_BYTES + UDP_BYTES; at + 4 <= size; at += 4) {
      const uint32_t word = example_little32(packet + at);
      if (word < BINS)
        ++bins[word];
    }
  }
  return any;
}

static void check(example_run *run, const unsigned char *out) {
  uint32_t expected[BINS] = {0};
  const int any = count_words(run, expected);
  if (!example_memory_guarded(out, OUT_BYTES, FILL))
    example_differs(run, "bytes behind the host region were written");
  if (!any) {
    for (size_t i = 0; i < OUT_BYTES; ++i)
      if (out[i] != FILL)
        example_differs(run, "host memory written without a message");
    return;
  }
  for (size_t bin = 0; bin < BINS; ++bin) {
    uint32_t sum = 0;
    for (size_t cluster = 0; cluster < SPIN_CLUSTERS; ++cluster)
      sum += example_little32(out + cluster * COPY_BYTES + 4 * bin);
    if (sum != expected[bin])
      example_differs(run, "bin %zu is %u, expected %u", bin, (unsigned)sum,
                      (unsigned)expected[bin]);
  }
  if (example_little64(out + SPIN_CLUSTERS * COPY_BYTES) != 1)
    example_differs(run, "the host was not notified");
}

int main(int argc, char **argv) {
  example_run run;
  const int status = example_begin(&run, argc, argv);
  if (status != 0)
    return status;
  unsigned char *out = example_memory(OUT_BYTES, FILL);
  const Histogram_setup setup = {.out = {out, OUT_BYTES}};
  if (Histogram_connect(&run.options, &setup, &run.card, &run.error) !=
          SPIN_OK ||
      spin_card_run_capture(run.card, run.capture, &run.error) != SPIN_OK) {
    free(out);
    return example_fail(&run);
  }
  check(&run, out);
  const int verdict = example_end(&run, "histogram", "Histogram");
  free(out);
  return verdict;
}
