# What is not taken for granted of code that spinc has not made.
  .option norvc
  .text

# The address of the stack goes through memory, and a divisor on the stack is
# overwritten: not 0x40000000, which would take 4. 3 + 2, lw + 1 (used at once),
# sw 2 * 23 in memory that is not known, lw + 1, divu 35, 1, ret 2.
#fn aliased = 93
aliased:
  addi sp, sp, -16
  lui a2, 0x40000
  sw a2, 4(sp)
  lui a3, 0x1b014
  sw sp, 0(a3)
  lw a4, 0(a3)
  sw a0, 4(a4)
  lw a5, 4(sp)
  divu a0, a0, a5
  addi sp, sp, 16
  ret

# A pointer in memory, as an old value of an atomic: amoswap 1, lw + 1 (used at
# once), 2 * 22, ret 2, lui 1.
#fn swapped = 49
swapped:
  lui a3, 0x1b014
  amoswap.w a4, zero, (a3)
  lw a5, 0(a4)
  ret

# What is loaded stays in the base, and not where the base has come to: 1,
# p.lw + 1 (used at once), 2 * 22, 2.
#fn intoBase = 49
intoBase:
  lui a1, 0x1b014
  .insn i 0x0b, 2, a1, 4(a1)
  lw a0, 0(a1)
  ret

# From L1 to L2, if only a bit of the distance is in doubt: 5 + 2 * 22 + 2.
#fn distant = 51
distant:
  lui a1, 0x10000
  lui a2, 0xc300
  .option push
  .option arch, +zicsr
  csrr a3, mhartid
  .option pop
  or a2, a2, a3
  add a1, a1, a2
  lw a0, 0(a1)
  ret

# p.insert of 6 bits at bit 3 of a page of L1, where there are zeros: it stays
# in L1. 3 + 1 + 2.
#fn block = 6
block:
  .option push
  .option arch, +zicsr
  csrr a0, mhartid
  .option pop
  lui a1, 0x1b015
  .insn r 0x33, 2, 0x65, a1, a0, x3
  lw a0, 0(a1)
  ret

# 2 bits at bit 22: any cluster's memory, or none. 3 + 22 * 2 + 2.
#fn elsewhere = 49
elsewhere:
  .option push
  .option arch, +zicsr
  csrr a0, mhartid
  .option pop
  lui a1, 0x1b015
  .insn r 0x33, 2, 0x61, a1, a0, x22
  lw a0, 0(a1)
  ret

# 8 bits at bit 20, over bits that are set: any memory, at a word. 3 + 22 + 2.
#fn overwritten = 27
overwritten:
  .option push
  .option arch, +zicsr
  csrr a0, mhartid
  .option pop
  lui a1, 0x1b015
  .insn r 0x33, 2, 0x67, a1, a0, x20
  lw a0, 0(a1)
  ret

# The second call returns to where the first one did: for ever.
#error stale = jump to an address that is not known
stale:
  mv s2, ra
  jal keeps
  jal goesBack
  mv ra, s2
  ret
keeps:
  mv s1, ra
  ret
goesBack:
  mv ra, s1
  ret

#error sleeps = how long the core sleeps is not known: wfi
sleeps:
  wfi
  ret

# p.elw waits for an event: op 0x03, f3 6.
#error waits = how long the core sleeps is not known: p.elw
waits:
  lui a1, 0x1b204
  .insn i 0x03, 6, a0, 0(a1)
  ret

# lp.starti, lp.counti, and lp.endi only perhaps: the end may be an older one.
#error halves = start and end of a hardware loop are not set together
halves:
  .insn i 0x7b, 0, x0, x0, 8
  beqz a0, 1f
  .insn i 0x7b, 1, x0, x0, 6
1:
  .insn i 0x7b, 3, x0, x0, 9
  addi a1, a1, 1
  addi a2, a2, 1
  ret
