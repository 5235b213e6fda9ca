/* The handler around a kernel in C: what the spinc program of the same name
 * does before and after it. A kernel works on the payload in place; the packet
 * is then sent, so that results can be compared.
 */
#ifndef SPINC_BENCH_CODEGEN_KERNEL_H
#define SPINC_BENCH_CODEGEN_KERNEL_H

#include "bench/pspin_api.h"

enum { HEADER_BYTES = 28 };

static void kernel(uint8_t *payload, uint32_t length);

__handler__ int Kernel_ph(handler_args_t *args) {
  uint8_t *packet = args->task->pkt_mem;
  const uint32_t size = args->task->pkt_mem_size;
  if (size < HEADER_BYTES)
    return DROP;
  kernel(packet + HEADER_BYTES, size - HEADER_BYTES);
  spin_send_packet(packet, size);
  return SUCCESS;
}

#endif /* SPINC_BENCH_CODEGEN_KERNEL_H */
