/* The PsPIN handler interface in C, as far as the twins of bench/ need it:
 * the same names and the same register accesses as the card's own headers
 * describe, on the constants of runtime/abi. Differs in one point: a handler
 * returns its code, as our device runtime expects.
 */
#ifndef SPINC_BENCH_PSPIN_API_H
#define SPINC_BENCH_PSPIN_API_H

#include "runtime/abi/portals.h"
#include "runtime/abi/pspin.h"

typedef uint32_t spin_cmd_t;

typedef struct task {
  void *handler_mem;
  uint32_t handler_mem_size;
  void *pkt_mem;
  uint32_t pkt_mem_size;
  void *scratchpad[PSPIN_CLUSTERS];
  uint32_t scratchpad_size[PSPIN_CLUSTERS];
  uint32_t host_mem_high;
  uint32_t host_mem_low;
  uint32_t host_mem_size;
  void *l2_pkt_mem;
  uint32_t home_cluster_id;
  uint32_t flow_id;
} task_t;

typedef struct handler_args {
  volatile task_t *task; /* registers of the HPU: each access is a load */
  uint32_t hpu_gid;
  uint32_t cluster_id;
  uint32_t hpu_id;
} handler_args_t;

enum { SUCCESS = PSPIN_RETURN_SUCCESS, DROP = PSPIN_RETURN_DROP };

/* State in the L1 of each cluster, seen through the own cluster's alias. */
#define __L1_DATA __attribute__((section(".spin.l1")))
/* Parameters, which the host writes before the card starts. */
#define __PARAMS __attribute__((section(".spin.params"), used))
#define __handler__ __attribute__((used))

#define MMIO_READ(ADDRESS) (*(volatile uint32_t *)(uintptr_t)(ADDRESS))
#define MMIO_WRITE(ADDRESS, VALUE)                                             \
  (*(volatile uint32_t *)(uintptr_t)(ADDRESS) = (VALUE))

static inline void spin_cmd_word(uint32_t word, uint32_t value) {
  MMIO_WRITE(PSPIN_HPU_BASE + PSPIN_CMD_WORD0 + 4 * word, value);
}

static inline spin_cmd_t spin_cmd_issue(uint32_t kind) {
  MMIO_WRITE(PSPIN_HPU_BASE + PSPIN_CMD_INFO, kind << PSPIN_CMD_KIND_SHIFT);
  return MMIO_READ(PSPIN_HPU_BASE + PSPIN_CMD_ISSUE);
}

static inline void spin_cmd_wait(spin_cmd_t command) {
  MMIO_WRITE(PSPIN_HPU_BASE + PSPIN_CMD_WAIT, command);
}

static inline spin_cmd_t spin_send_packet(const volatile void *data,
                                          uint32_t length) {
  spin_cmd_word(PSPIN_SEND_DESTINATION, 0);
  spin_cmd_word(PSPIN_SEND_PROTOCOL, PSPIN_PROTOCOL_RAW);
  spin_cmd_word(PSPIN_SEND_ADDRESS, (uint32_t)(uintptr_t)data);
  spin_cmd_word(PSPIN_SEND_HDR_DATA, 0);
  spin_cmd_word(PSPIN_SEND_LENGTH, length);
  return spin_cmd_issue(PSPIN_CMD_KIND_NIC_SEND);
}

static inline spin_cmd_t spin_rdma_put(uint32_t destination,
                                       const volatile void *data,
                                       uint32_t length, uint64_t match) {
  spin_cmd_word(PSPIN_SEND_DESTINATION, destination);
  spin_cmd_word(PSPIN_SEND_PROTOCOL, PSPIN_PROTOCOL_PUT);
  spin_cmd_word(PSPIN_SEND_ADDRESS, (uint32_t)(uintptr_t)data);
  spin_cmd_word(PSPIN_SEND_HDR_DATA, 0);
  spin_cmd_word(PSPIN_SEND_LENGTH, length);
  spin_cmd_word(PSPIN_SEND_MATCH_LOW, (uint32_t)match);
  spin_cmd_word(PSPIN_SEND_MATCH_HIGH, (uint32_t)(match >> 32));
  return spin_cmd_issue(PSPIN_CMD_KIND_NIC_SEND);
}

static inline spin_cmd_t spin_dma_to_host(uint64_t host, uint32_t nic,
                                          uint32_t length) {
  spin_cmd_word(PSPIN_COPY_HOST_LOW, (uint32_t)host);
  spin_cmd_word(PSPIN_COPY_HOST_HIGH, (uint32_t)(host >> 32));
  spin_cmd_word(PSPIN_COPY_ADDRESS, nic);
  spin_cmd_word(PSPIN_COPY_LENGTH, length);
  spin_cmd_word(PSPIN_COPY_DIRECTION, 1);
  return spin_cmd_issue(PSPIN_CMD_KIND_HOST_COPY);
}

static inline spin_cmd_t spin_write_to_host(uint64_t host, uint64_t data) {
  spin_cmd_word(PSPIN_DIRECT_HOST_LOW, (uint32_t)host);
  spin_cmd_word(PSPIN_DIRECT_HOST_HIGH, (uint32_t)(host >> 32));
  spin_cmd_word(PSPIN_DIRECT_INFO,
                8 << PSPIN_DIRECT_SIZE_SHIFT | PSPIN_DIRECT_TO_HOST);
  spin_cmd_word(PSPIN_DIRECT_DATA, (uint32_t)data);
  spin_cmd_word(PSPIN_DIRECT_DATA + 1, (uint32_t)(data >> 32));
  spin_cmd_word(PSPIN_DIRECT_DATA + 2, 0);
  spin_cmd_word(PSPIN_DIRECT_DATA + 3, 0);
  return spin_cmd_issue(PSPIN_CMD_KIND_HOST_DIRECT);
}

static inline uint64_t host_address(const volatile task_t *task) {
  return (uint64_t)task->host_mem_high << 32 | task->host_mem_low;
}

static inline uint32_t amo_add(volatile uint32_t *address, uint32_t value) {
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}

/* The global address of a word of own-cluster L1, in another cluster. */
static inline uint32_t l1_of_cluster(const volatile void *address,
                                     uint32_t cluster) {
  return (uint32_t)(uintptr_t)address - PSPIN_L1_ALIAS + PSPIN_L1_BASE +
         cluster * PSPIN_L1_STRIDE;
}

#endif /* SPINC_BENCH_PSPIN_API_H */
