/* Twin of examples/histogram in C. */
#include "bench/pspin_api.h"

enum { BINS = 1024, HEADER_BYTES = 28 };

static __L1_DATA uint32_t bins[BINS];

__handler__ int Histogram_ph(handler_args_t *args) {
  const uint8_t *packet = args->task->pkt_mem;
  const uint32_t size = args->task->pkt_mem_size;
  if (size < HEADER_BYTES)
    return DROP;
  const uint32_t *words = (const uint32_t *)(packet + HEADER_BYTES);
  const uint32_t count = (size - HEADER_BYTES) / 4;
  for (uint32_t i = 0; i < count; ++i)
    if (words[i] < BINS)
      amo_add(&bins[words[i]], 1);
  return SUCCESS;
}

__handler__ int Histogram_th(handler_args_t *args) {
  const uint64_t host = host_address(args->task);
  for (uint32_t c = 0; c < PSPIN_CLUSTERS; ++c)
    spin_cmd_wait(spin_dma_to_host(host + c * sizeof bins,
                                   l1_of_cluster(bins, c), sizeof bins));
  spin_write_to_host(host + PSPIN_CLUSTERS * sizeof bins, 1);
  return SUCCESS;
}
