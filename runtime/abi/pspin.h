/* Facts of the PsPIN card that the compiler, the device runtime, the host
 * library and the simulator share: memory map, registers, command formats,
 * limits and codes. This is their only home.
 *
 * Usable from C11, C++, preprocessed assembly and preprocessed linker scripts
 * (which define __ASSEMBLER__ and see the constants only): hence plain
 * literals without suffixes. All addresses are those an HPU sees.
 */
#ifndef SPINC_RUNTIME_ABI_PSPIN_H
#define SPINC_RUNTIME_ABI_PSPIN_H

/* Shape of the card. The clock is 1 GHz: one cycle is one nanosecond. */
#define PSPIN_CLUSTERS 4
#define PSPIN_HPUS_PER_CLUSTER 8
#define PSPIN_HPUS 32
#define PSPIN_CLOCK_MHZ 1000
#define PSPIN_BUS_BYTES 64

/* Memories. */
#define PSPIN_L1_BASE 0x10000000
#define PSPIN_L1_STRIDE 0x00400000
#define PSPIN_L1_SIZE 0x00100000
#define PSPIN_L1_BANKS 64
#define PSPIN_L1_ALIAS 0x1B000000
#define PSPIN_L2_HANDLER_BASE 0x1C000000
#define PSPIN_L2_HANDLER_SIZE 0x00400000
#define PSPIN_L2_PACKET_BASE 0x1C400000
#define PSPIN_L2_PACKET_SIZE 0x00400000
#define PSPIN_PROGRAM_BASE 0x1D000000
#define PSPIN_PROGRAM_SIZE 0x00008000
#define PSPIN_BOOT_ADDRESS 0x1D000080

/* The part of L2 handler memory that linked images use. User mode reaches its
 * first 64 KiB (PMP entry 8) and the 1 MiB window of the execution context's
 * handler memory (entry 6), which the simulator and the runtime put here. */
#define PSPIN_L2_IMAGE_USER_SIZE 0x00010000
#define PSPIN_L2_CONTEXT_BASE 0x1C300000
#define PSPIN_L2_CONTEXT_SIZE 0x00100000

/* What a data load from program memory or from an address that the
 * interconnect does not decode returns, without a trap. */
#define PSPIN_DECODE_ERROR_VALUE 0xBADCAB1E

/* Areas of each cluster's L1, as offsets from its base. Stacks come first:
 * HPU c owns [c * PSPIN_STACK_SIZE, (c + 1) * PSPIN_STACK_SIZE), without a
 * guard. The lowest words of HPU 0's stack belong to the runtime. */
#define PSPIN_STACK_SIZE 0x400
#define PSPIN_L1_RUNTIME_OFFSET 0x400
#define PSPIN_L1_RUNTIME_SIZE 0x4000
#define PSPIN_L1_PACKET_OFFSET 0x4400
#define PSPIN_L1_PACKET_SIZE 0x10000
#define PSPIN_L1_PACKET_RINGS 4
#define PSPIN_L1_STATE_OFFSET 0x14400
#define PSPIN_L1_STATE_SIZE 0xEBC00

/* Cluster-local devices (own cluster's alias). */
#define PSPIN_END_OF_COMPUTATION 0x1B200000
#define PSPIN_ICACHE_ENABLE 0x1B201400
#define PSPIN_ICACHE_FLUSH 0x1B201404
#define PSPIN_EVENT_UNIT 0x1B204000

/* The cluster's DMA: writing source, destination and size and then reading
 * the transfer number launches a copy between L2 and own L1 (global address;
 * the DMA does not decode the alias). Numbers are per cluster and ordered. */
#define PSPIN_DMA_BASE 0x1B204400
#define PSPIN_DMA_SOURCE 0x00
#define PSPIN_DMA_SOURCE_HIGH 0x04
#define PSPIN_DMA_DESTINATION 0x08
#define PSPIN_DMA_DESTINATION_HIGH 0x0C
#define PSPIN_DMA_SIZE 0x10
#define PSPIN_DMA_LAUNCH 0x18
#define PSPIN_DMA_DONE 0x20
#define PSPIN_DMA_STATUS 0x28

/* SoC devices. User mode may write, not read. */
#define PSPIN_SOC_BASE 0x1A100000
#define PSPIN_SOC_SIZE 0x00008000
#define PSPIN_STDOUT 0x1A104000

/* The HPU driver: task registers (aligned word reads only). Reading FUNCTION
 * blocks until a task is there; any access to DOORBELL ends the task. */
#define PSPIN_HPU_BASE 0x1B205000
#define PSPIN_TASK_FUNCTION 0x00
#define PSPIN_TASK_FUNCTION_SIZE 0x04
#define PSPIN_TASK_HANDLER_MEM 0x08
#define PSPIN_TASK_HANDLER_MEM_SIZE 0x0C
#define PSPIN_TASK_PACKET 0x10
#define PSPIN_TASK_PACKET_SIZE 0x14
#define PSPIN_TASK_SCRATCHPAD 0x18
#define PSPIN_TASK_SCRATCHPAD_SIZE 0x28
#define PSPIN_TASK_HOST_HIGH 0x38
#define PSPIN_TASK_HOST_LOW 0x3C
#define PSPIN_TASK_HOST_SIZE 0x40
#define PSPIN_TASK_L2_PACKET 0x44
#define PSPIN_TASK_HOME_CLUSTER 0x48
#define PSPIN_TASK_FLOW 0x4C
#define PSPIN_TASK_DOORBELL 0x50
#define PSPIN_TASK_ERROR 0x54

/* The HPU driver: command registers. Reading ISSUE sends the command that
 * INFO and the words describe and returns its number (0..3); writing a number
 * to WAIT blocks until that command has completed. TEST always tests command
 * 0 on the card and must not be used. Words keep their values. */
#define PSPIN_CMD_ISSUE 0x80
#define PSPIN_CMD_WAIT 0x84
#define PSPIN_CMD_TEST 0x88
#define PSPIN_CMD_INFO 0x8C
#define PSPIN_CMD_WORD0 0x90
#define PSPIN_CMD_WORDS 7

/* INFO: bit 0 asks for an event, bits 2:1 are the kind. */
#define PSPIN_CMD_KIND_SHIFT 1
#define PSPIN_CMD_KIND_HOST_COPY 0
#define PSPIN_CMD_KIND_NIC_SEND 1
#define PSPIN_CMD_KIND_HOST_DIRECT 2

/* NICSend words: 0 destination, 1 protocol, 2 NIC address, 3 high half of
 * that address (zero) or, for a put, hdr_data, 4 length, 5 and 6 match bits
 * of a put, low word first (our convention; upstream: user pointer). */
#define PSPIN_SEND_DESTINATION 0
#define PSPIN_SEND_PROTOCOL 1
#define PSPIN_SEND_ADDRESS 2
#define PSPIN_SEND_HDR_DATA 3
#define PSPIN_SEND_LENGTH 4
#define PSPIN_SEND_MATCH_LOW 5
#define PSPIN_SEND_MATCH_HIGH 6
#define PSPIN_PROTOCOL_RAW 0
#define PSPIN_PROTOCOL_PUT 1

/* HostMemCpy words. DIRECTION bit 0: 1 writes to the host. */
#define PSPIN_COPY_HOST_LOW 0
#define PSPIN_COPY_HOST_HIGH 1
#define PSPIN_COPY_ADDRESS 2
#define PSPIN_COPY_LENGTH 3
#define PSPIN_COPY_DIRECTION 4

/* HostDirect words: 0 and 1 as above, 2 = 1 | size << 1 (writes only), 3..6
 * the data. A write does not cross a 64-byte line. */
#define PSPIN_DIRECT_HOST_LOW 0
#define PSPIN_DIRECT_HOST_HIGH 1
#define PSPIN_DIRECT_INFO 2
#define PSPIN_DIRECT_DATA 3
#define PSPIN_DIRECT_TO_HOST 1
#define PSPIN_DIRECT_SIZE_SHIFT 1
#define PSPIN_DIRECT_MAX_BYTES 16

/* Limits. */
#define PSPIN_COMMANDS_PER_HPU 4
#define PSPIN_COMMANDS_PER_INTERFACE 7
#define PSPIN_MAX_SEND_BYTES 2048
#define PSPIN_MAX_PACKET_BYTES 16384
#define PSPIN_TASKS_PER_CLUSTER 20
#define PSPIN_MESSAGE_QUEUES 256
#define PSPIN_MESSAGES_PER_CLUSTER 64
#define PSPIN_QUEUE_CELLS 128
#define PSPIN_HOST_ALIGNMENT 64
/* A host region lies between two multiples of this, as DMA mappings of Linux do
 * unless told otherwise: its addresses differ in the low word only. */
#define PSPIN_HOST_WINDOW 0x100000000
#define PSPIN_DEFAULT_MTU 1500

/* A message's flow number: the low bits are its home cluster, those above its
 * slot there. Its low eight bits are its queue, so messages that are handled
 * at the same time differ in cluster or slot. */
#define PSPIN_FLOW_SLOT_SHIFT 2
#define PSPIN_FLOW_SLOT_MASK 63
#define PSPIN_FLOW_QUEUE_MASK 255

/* Control and status registers. UHARTID is the only one that handlers (user
 * mode) may read; like mhartid it holds cluster << 5 | HPU. */
#define PSPIN_CSR_UHARTID 0x014
#define PSPIN_CSR_PRIVILEGE 0xC10
#define PSPIN_CSR_MSTATUS 0x300
#define PSPIN_CSR_MTVEC 0x305
#define PSPIN_CSR_MSCRATCH 0x340
#define PSPIN_CSR_MEPC 0x341
#define PSPIN_CSR_MCAUSE 0x342
#define PSPIN_CSR_MHARTID 0xF14
#define PSPIN_HARTID_CLUSTER_SHIFT 5
#define PSPIN_HARTID_HPU_MASK 31
#define PSPIN_MTVEC_ALIGNMENT 256

/* What a handler returns in a0. The runtime writes PSPIN_ERROR_RETURN | code
 * to TASK_ERROR unless the code is success, which is also what the header
 * handler's PROCESS_DATA is. */
#define PSPIN_RETURN_SUCCESS 0
#define PSPIN_RETURN_PROCESS_DATA 0
#define PSPIN_RETURN_DROP 1
#define PSPIN_RETURN_FAIL 2
#define PSPIN_ERROR_RETURN 0x100

/* What a fault writes to TASK_ERROR: mcause. The last five are the
 * simulator's own, for what hangs or corrupts the card silently. */
#define PSPIN_FAULT_ILLEGAL 2
#define PSPIN_FAULT_BREAKPOINT 3
#define PSPIN_FAULT_LOAD 5
#define PSPIN_FAULT_STORE 7
#define PSPIN_FAULT_ECALL_USER 8
#define PSPIN_FAULT_ECALL_MACHINE 11
#define PSPIN_FAULT_HANG 0x20
#define PSPIN_FAULT_RUNAWAY 0x21
#define PSPIN_FAULT_STACK 0x22
#define PSPIN_FAULT_COMMAND 0x23
#define PSPIN_FAULT_REGION 0x24

#ifndef __ASSEMBLER__
#include <stdint.h>

/* The task registers from TASK_HANDLER_MEM on, as handlers see them. */
typedef struct PspinTask {
  uint32_t handlerMem;
  uint32_t handlerMemSize;
  uint32_t packet;
  uint32_t packetSize;
  uint32_t scratchpad[PSPIN_CLUSTERS];
  uint32_t scratchpadSize[PSPIN_CLUSTERS];
  uint32_t hostHigh;
  uint32_t hostLow;
  uint32_t hostSize;
  uint32_t l2Packet;
  uint32_t homeCluster;
  uint32_t flow;
} PspinTask;

#ifdef __cplusplus
static_assert(sizeof(PspinTask) == 72, "task registers are 18 words");
#else
_Static_assert(sizeof(PspinTask) == 72, "task registers are 18 words");
#endif
#endif /* __ASSEMBLER__ */

#endif /* SPINC_RUNTIME_ABI_PSPIN_H */
