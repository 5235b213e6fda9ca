/* Twin of examples/ping_pong in C. */
#include "bench/pspin_api.h"

static __L1_DATA uint32_t source;

/* State of a message lies in the L1 of its home cluster. */
static volatile uint32_t *home_source(const handler_args_t *args) {
  return (volatile uint32_t *)(uintptr_t)l1_of_cluster(
      &source, args->task->home_cluster_id);
}

__handler__ int PingPong_hh(handler_args_t *args) {
  const PortalsHeader *header = args->task->pkt_mem;
  *home_source(args) = header->source;
  return SUCCESS;
}

__handler__ int PingPong_ph(handler_args_t *args) {
  const uint8_t *packet = args->task->pkt_mem;
  const uint32_t size = args->task->pkt_mem_size;
  if (size < PORTALS_HEADER_BYTES)
    return DROP;
  spin_rdma_put(*home_source(args), packet + PORTALS_HEADER_BYTES,
                size - PORTALS_HEADER_BYTES, 10);
  return SUCCESS;
}
