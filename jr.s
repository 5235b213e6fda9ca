  .text
  .globl _start
  .type _start,@function
_start:
  jal t0, 2f
  j 1f
2: mv t0, t0
 jr t0
1:
  li a7, 93
  li a0, 0
  ecall
