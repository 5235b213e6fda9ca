  .option norvc
first:
  .insn i 0x7b, 4, x0, a0, 8
  .insn i 0x0b, 2, t1, 4(a1)
  addi t1, t1, 1
  .option rvc
  c.add t3, t1
  c.nop
  .option norvc
  divu t3, t3, t1
second:
  .insn r 0x57, 0, 0x40, a0, a1, a2
  .word 0xffffffff
  .half 0
  .half 0x13
