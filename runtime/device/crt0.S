# What runs on every HPU: start-up, the task loop and the fault handler. It
# shares the 4 KiB instruction cache with the handlers, so it is small. Start-up
# needs no barrier: the card dispatches tasks only when every HPU has read the
# FUNCTION register once, and an HPU does so after its share of the work.
#include "runtime/abi/pspin.h"
#include "runtime/device/Frame.h"

#define CLUSTER_STRIDE (4 * PSPIN_HPUS_PER_CLUSTER)
#define CARD_STRIDE (4 * PSPIN_HPUS)
#define MSTATUS_MPP 0x1800

# mhartid is cluster << 5 | core.
#define HARTID_CLUSTER_SHIFT 5
#define HARTID_CORE_MASK 31
#define L1_STRIDE_SHIFT 22
#define STACK_SHIFT 10
#define HPUS_PER_CLUSTER_SHIFT 3
  .if (1 << L1_STRIDE_SHIFT) != PSPIN_L1_STRIDE || (1 << STACK_SHIFT) != PSPIN_STACK_SIZE || (1 << HPUS_PER_CLUSTER_SHIFT) != PSPIN_HPUS_PER_CLUSTER
  .error "a shift of this file disagrees with runtime/abi/pspin.h"
  .endif

# The core takes exceptions at the first entry; interrupts stay off.
  .section .vectors, "ax", @progbits
  .option push
  .option norvc
  .globl __vectors
__vectors:
  .rept 32
  j fault
  .endr
  .option pop

  .section .text.runtime, "ax", @progbits

# Machine mode. s1 = cluster, s2 = core, s3 = number of the HPU on the card.
  .globl _start
  .type _start, @function
_start:
  la t0, __vectors
  csrw mtvec, t0
  csrr t0, mhartid
  srli s1, t0, HARTID_CLUSTER_SHIFT
  andi s2, t0, HARTID_CORE_MASK
  slli s3, s1, HPUS_PER_CLUSTER_SHIFT
  add s3, s3, s2
  bnez s2, 1f
  li t0, PSPIN_ICACHE_ENABLE
  li t1, -1
  sw t1, 0(t0)
  li t1, 1
  sw t1, PSPIN_ICACHE_FLUSH - PSPIN_ICACHE_ENABLE(t0)
1:
  # State in L1: each HPU of a cluster zeroes every eighth word.
  la t0, __spin_l1_start
  la t1, __spin_l1_end
  slli t2, s2, 2
  add t0, t0, t2
  bgeu t0, t1, 2f
1:
  sw zero, 0(t0)
  addi t0, t0, CLUSTER_STRIDE
  bltu t0, t1, 1b
2:
  # State in L2: one memory, each HPU of the card every thirty-second word.
  la t0, __spin_l2_start
  la t1, __spin_l2_end
  slli t2, s3, 2
  add t0, t0, t2
  bgeu t0, t1, 2f
1:
  sw zero, 0(t0)
  addi t0, t0, CARD_STRIDE
  bltu t0, t1, 1b
2:
  # Parameters: from where the host wrote them to the L1 of each cluster.
  la t0, __spin_params_start
  la t1, __spin_params_end
  la t3, __spin_params_load
  slli t2, s2, 2
  add t0, t0, t2
  add t3, t3, t2
  bgeu t0, t1, 2f
1:
  lw t4, 0(t3)
  addi t3, t3, CLUSTER_STRIDE
  sw t4, 0(t0)
  addi t0, t0, CLUSTER_STRIDE
  bltu t0, t1, 1b
2:
  j enter
  .size _start, . - _start

# A fault ends the task: its cause is the error code, the packet is given back
# and the HPU goes on. All registers may hold anything.
  .globl fault
  .type fault, @function
fault:
  csrr t0, mcause
  li s0, PSPIN_HPU_BASE
  sw t0, PSPIN_TASK_ERROR(s0)
  lw zero, PSPIN_TASK_DOORBELL(s0)
  # Falls through: everything the task loop needs is made anew.
  .size fault, . - fault

# Builds stack and arguments from mhartid alone and drops to user mode.
  .type enter, @function
enter:
  csrr t0, mhartid
  srli t1, t0, HARTID_CLUSTER_SHIFT
  andi t2, t0, HARTID_CORE_MASK
  slli t4, t1, L1_STRIDE_SHIFT
  slli sp, t2, STACK_SHIFT
  add sp, sp, t4
  li t3, PSPIN_L1_BASE + PSPIN_STACK_SIZE - SPINC_RUNTIME_FRAME_BYTES
  add sp, sp, t3
  li s0, PSPIN_HPU_BASE
  addi t3, s0, PSPIN_TASK_HANDLER_MEM
  sw t3, SPINC_ARGS_TASK(sp)
  slli t3, t1, HPUS_PER_CLUSTER_SHIFT
  add t3, t3, t2
  sw t3, SPINC_ARGS_HPU_GLOBAL(sp)
  sw t1, SPINC_ARGS_CLUSTER(sp)
  sw t2, SPINC_ARGS_HPU(sp)
  # The part of the first HPU in cluster 0, then that of this one.
  lui t3, %hi(__spin_locals_part)
  addi t3, t3, %lo(__spin_locals_part)
  mul t3, t3, t2
  add t3, t3, t4
  lui t4, %hi(__spin_locals_global)
  addi t4, t4, %lo(__spin_locals_global)
  add t3, t3, t4
  sw t3, SPINC_ARGS_LOCALS(sp)
  li t3, MSTATUS_MPP
  csrc mstatus, t3
  la t3, hpu_run
  csrw mepc, t3
  mret
  .size enter, . - enter

# User mode. Invariant at hpu_run: s0 = HPU driver, sp = arguments. Handlers
# keep both (they are callee-saved); after a fault `enter` makes them anew.
  .p2align 4
  .globl hpu_run
  .type hpu_run, @function
hpu_run:
  lw t0, PSPIN_TASK_FUNCTION(s0)
  mv a0, sp
  jalr t0
  bnez a0, 2f
1:
  lw zero, PSPIN_TASK_DOORBELL(s0)
  j hpu_run
2:
  andi a0, a0, 0xff
  ori a0, a0, SPINC_RETURN_CODE_FLAG
  sw a0, PSPIN_TASK_ERROR(s0)
  j 1b
  .size hpu_run, . - hpu_run
