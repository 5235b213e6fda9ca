  .text
  .globl _start
  .type _start,@function
_start:
  la a1, 1f
  jal ra, 2f
  j 1f
2: ret
1:
  li a7, 93
  li a0, 0
  ecall
