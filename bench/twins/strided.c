/* Twin of examples/strided in C: one DMA for each block that a packet meets. */
#include "bench/pspin_api.h"

__PARAMS const volatile struct {
  uint32_t block;
  uint32_t stride;
  uint32_t count;
} params = {0, 0, 0};

__handler__ int Strided_ph(handler_args_t *args) {
  const uint8_t *packet = args->task->pkt_mem;
  if (args->task->pkt_mem_size < PORTALS_HEADER_BYTES)
    return DROP;
  const PortalsHeader *header = (const PortalsHeader *)packet;
  const uint32_t length = args->task->pkt_mem_size - PORTALS_HEADER_BYTES;
  const uint32_t block = params.block;
  const uint32_t stride = params.stride;
  const uint32_t offset = header->offset;
  if ((uint64_t)offset + length > (uint64_t)params.count * block)
    return DROP;
  uint64_t host = host_address(args->task) + (offset / block) * stride;
  uint32_t within = offset % block;
  uint32_t data = (uint32_t)(uintptr_t)(packet + PORTALS_HEADER_BYTES);
  uint32_t left = length;
  while (left > 0) {
    const uint32_t piece = left < block - within ? left : block - within;
    spin_dma_to_host(host + within, data, piece);
    data += piece;
    left -= piece;
    host += stride;
    within = 0;
  }
  return SUCCESS;
}
