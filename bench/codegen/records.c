/* Writes the records of the payload, 8 bytes each, to the host's log. */
#include "bench/pspin_api.h"

enum { HEADER_BYTES = 28, RECORD_BYTES = 8, LOG_BYTES = 4096 };

__handler__ int Kernel_ph(handler_args_t *args) {
  uint8_t *packet = args->task->pkt_mem;
  const uint32_t size = args->task->pkt_mem_size;
  if (size < HEADER_BYTES || size - HEADER_BYTES > LOG_BYTES)
    return DROP;
  const uint32_t data = (uint32_t)(uintptr_t)(packet + HEADER_BYTES);
  const uint64_t host = host_address(args->task);
  for (uint32_t i = 0; i < (size - HEADER_BYTES) / RECORD_BYTES; ++i)
    spin_dma_to_host(host + i * RECORD_BYTES, data + i * RECORD_BYTES,
                     RECORD_BYTES);
  spin_send_packet(packet, size);
  return SUCCESS;
}
