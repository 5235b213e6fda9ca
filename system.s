  .text
  .globl _start
  .type _start,@function
_start:
  fence
  csrr a1, 0xb00
  li a7, 93
  li a0, 0
  ecall
