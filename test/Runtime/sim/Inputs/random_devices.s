/* What random_devices.py runs: a handler whose packet says what it does, and
 * another context, of which it must not touch anything. */
#include "handlers.inc"
/* The packet from byte 28 on is a list of (operation, address, value). */
  handler A_ph
  driver
  lw t1, PSPIN_TASK_PACKET(t6)
  lw t2, PSPIN_TASK_PACKET_SIZE(t6)
  add t2, t2, t1
  addi t1, t1, 28
next:
  addi t0, t1, 12
  bgtu t0, t2, end
  lw a2, 0(t1)
  lw a3, 4(t1)
  lw a4, 8(t1)
  mv t1, t0
  beqz a2, load
  addi a2, a2, -1
  beqz a2, store
  addi a2, a2, -1
  beqz a2, loadByte
  addi a2, a2, -1
  beqz a2, storeHalf
  addi a2, a2, -1
  beqz a2, atomic
  addi a2, a2, -1
  beqz a2, divide
  lr.w a5, (a3)
  sc.w a5, a4, (a3)
  j next
load:
  lw a5, 0(a3)
  j next
store:
  sw a4, 0(a3)
  j next
loadByte:
  lbu a5, 0(a3)
  j next
storeHalf:
  sh a4, 0(a3)
  j next
atomic:
  amoadd.w a5, a4, (a3)
  j next
divide:
  div a5, a3, a4
  remu a5, a3, a4
  j next
end:
  li a0, 0
  ret
  handler B_ph
  li a0, 0
  ret
