# d[i] = a[i] + b[i] on bytes as manuals of the core print it, in four forms:
# -DFORM=0 with base instructions, 1 with post-increment, 2 with a hardware
# loop as well, 3 with packed sums of four bytes. -DCOUNT=n outputs. A plain
# program (spinc-sim --bare); what is not base instructions is given by words
# for PsPIN's core.
  .text
  .globl _start
_start:
  la a0, a
  la a1, b
  la a2, d
  li a3, COUNT
#if FORM == 0
1:lb t0, 0(a0)
  lb t1, 0(a1)
  addi a0, a0, 1
  addi a1, a1, 1
  add t0, t0, t1
  sb t0, 0(a2)
  addi a3, a3, -1
  addi a2, a2, 1
  bnez a3, 1b
#elif FORM == 1
1:.insn i 0x0b, 0, t0, 1(a0)     # p.lb t0, 1(a0!)
  .insn i 0x0b, 0, t1, 1(a1)
  addi a3, a3, -1
  add t0, t0, t1
  .insn s 0x2b, 0, t0, 1(a2)     # p.sb t0, 1(a2!)
  bnez a3, 1b
#elif FORM == 2
  .option norvc
  .insn i 0x7b, 4, x0, a3, 8     # lp.setup 0, a3: the last of four is 16 away
  .insn i 0x0b, 0, t0, 1(a0)
  .insn i 0x0b, 0, t1, 1(a1)
  add t0, t0, t1
  .insn s 0x2b, 0, t0, 1(a2)
#else
  .option norvc
  srli a3, a3, 2
  .insn i 0x7b, 4, x0, a3, 8
  .insn i 0x0b, 2, t0, 4(a0)     # p.lw t0, 4(a0!)
  .insn i 0x0b, 2, t1, 4(a1)
  .insn r 0x57, 1, 0, t0, t0, t1 # pv.add.b
  .insn s 0x2b, 2, t0, 4(a2)     # p.sw t0, 4(a2!)
#endif
  li a0, 0
  li a7, 93
  ecall

  .bss
  .balign 4
a:.zero COUNT
  .balign 4
b:.zero COUNT
  .balign 4
d:.zero COUNT
