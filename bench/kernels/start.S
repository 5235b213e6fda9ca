# Start of a bare kernel: argc and argv as Linux puts them on the stack, then
# exit with what main returns.
  .text
  .globl _start
_start:
  lw a0, 0(sp)
  addi a1, sp, 4
  andi sp, sp, -16
  call main
  li a7, 93
  ecall
