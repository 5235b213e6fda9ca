/* Twin of examples/udp_echo in C: swaps addresses and ports, sends. */
#include "bench/pspin_api.h"

__handler__ int UdpEcho_ph(handler_args_t *args) {
  uint8_t *packet = args->task->pkt_mem;
  const uint32_t size = args->task->pkt_mem_size;
  if (size < 28)
    return DROP;
  uint32_t *addresses = (uint32_t *)(packet + 12);
  const uint32_t source = addresses[0];
  addresses[0] = addresses[1];
  addresses[1] = source;
  uint16_t *ports = (uint16_t *)(packet + 20);
  const uint16_t port = ports[0];
  ports[0] = ports[1];
  ports[1] = port;
  spin_send_packet(packet, size);
  return SUCCESS;
}
