# Bounds of loops. Costs per iteration are written beside each.
  .option rvc
  .text
  .macro marker id
.Lmark\@:
  .pushsection .spin.loops,"",@progbits
  .word .Lmark\@, \id
  .popsection
  .endm

# A counted loop, tested at its end: 1 + (lw 1, addi 1, add 1, addi 1, bnez 3)
# per iteration, the last 1 + 4 + 1: 1 (li) + 7 N - 2 + 2.
#fn counted = 1 + 7 * floor(p.length / 4)
#symbol counted p.length 4 1472
#loop 0 counted p.length / 4
  .p2align 4
counted:
  li a3, 0
1:
  marker 0
  lw a4, 0(sp)
  addi a1, a1, 4
  add a3, a3, a4
  addi a2, a2, -1
  bnez a2, 1b
  ret

# The same where no iteration is possible: the way around costs 3 + 2 instead
# of 1 + 7 N - 2 + 2, which N = 0 cannot take.
#fn guarded = max(1 + 7 * floor(p.length / 4), 5)
#symbol guarded p.length 0 1472
#loop 1 guarded p.length / 4
  .p2align 4
guarded:
  beqz a2, 2f
1:
  marker 1
  lw a4, 0(sp)
  addi a1, a1, 4
  add a3, a3, a4
  addi a2, a2, -1
  bnez a2, 1b
2:
  ret

# Tested at its top: N full rounds (beqz 1, addi 1, j 2), then the exit without
# marker (beqz 3), ret 2.
#fn top = 5 + 4 * n
#symbol top n 0 100
#loop 2 top n
  .p2align 4
top:
1:
  beqz a2, 2f
  marker 2
  addi a2, a2, -1
  j 1b
2:
  ret

# The value loaded before a taken branch is there: add, addi, lw, bnez 3.
#fn backedge = 6 * n
#symbol backedge n 1 100
#loop 3 backedge n
  .p2align 4
backedge:
1:
  marker 3
  add a1, a1, a0
  addi a2, a2, -1
  lw a0, 0(sp)
  bnez a2, 1b
  ret

# Nested: inner round 4 (addi 1, bnez 3), 8 of them: 4 * 8 - 2; outer: li 1,
# inner, addi 1, bnez 3; n of them less 2, ret 2.
#fn nested = 35 * n
#symbol nested n 1 100
#loop 4 nested n
#loop 5 nested 8 in 4
  .p2align 4
nested:
1:
  marker 4
  li a3, 8
2:
  marker 5
  addi a3, a3, -1
  bnez a3, 2b
  addi a2, a2, -1
  bnez a2, 1b
  ret

# Two symbols: the product is cut at the end of m's range, 10, for all outer
# rounds but the last: 1 + 4 * 10 - 2 + 1 + 3 = 43, then 1 + 4 m - 2 + 2 + 2.
#fn product = -40 + 4 * m + 43 * p.length
#symbol product p.length 1 100
#symbol product m 1 10
#loop 6 product p.length
#loop 7 product m in 6
  .p2align 4
product:
1:
  marker 6
  mv a3, a4
2:
  marker 7
  addi a3, a3, -1
  bnez a3, 2b
  addi a2, a2, -1
  bnez a2, 1b
  ret

# Unrolled twice by the compiler: two markers a round. Round: addi, bne (not
# taken) 1, addi, bne 3: 6. Exits after the odd marker (2 more taken) or the
# even one: n odd: 6 * (n - 1) / 2 + 4 + 2, n even: 6 * (n - 2) / 2 + 4 + 2.
#fn unrolled = 6 * floor((n + 1) / 2)
#symbol unrolled n 1 100
#loop 8 unrolled n
  .p2align 4
unrolled:
1:
  marker 8
  addi a2, a2, -1
  beqz a2, 2f
  marker 8
  addi a2, a2, -1
  bnez a2, 1b
2:
  ret

# Two ways round, one marker on both; the dearer way counts: addi, beqz 1,
# mul 1, mulhu 5, bnez 3 = 11.
#fn twoways = 11 * n
#symbol twoways n 1 100
#loop 9 twoways n
  .p2align 4
twoways:
1:
  marker 9
  addi a2, a2, -1
  beqz a3, 2f
  mul a4, a4, a4
  mulhu a4, a4, a4
2:
  bnez a2, 1b
  ret

# Two loops share a header; the inner way passes marker 11 only, the outer one
# marker 10 only. At most n + 3 (n + 1) ways of at most 8 cycles, then the exit:
# addi 1, beqz 3, beqz 3, ret 2.
#fn shared = 33 + 32 * n
#symbol shared n 0 100
#loop 10 shared n
#loop 11 shared 3 in 10
  .p2align 4
shared:
1:
  addi a2, a2, -1
  beqz a2, 2f
  marker 11
  nop
  j 1b
2:
  beqz a3, 3f
  marker 10
  nop
  j 1b
3:
  ret

# A loop in a called function is bounded in the call: mv, jal 2, 8 n (addi,
# nop * 4, bnez 3) - 2, ret 2; mv, jal 2, ret 2; mv, ret 2 + 1 (ra just written).
#fn caller = 12 + 8 * n
#symbol caller n 1 100
#loop 12 caller n
  .p2align 4
caller:
  mv t1, ra
  jal helper
  mv ra, t1
  jal helper_end
  mv ra, t1
  ret
helper:
1:
  marker 12
  addi a2, a2, -1
  nop
  nop
  nop
  nop
  bnez a2, 1b
helper_end:
  ret

#error unmarked = a loop has no bound
  .p2align 4
unmarked:
1:
  addi a2, a2, -1
  bnez a2, 1b
  ret

# One way round misses the marker.
#error halfmarked = a loop has no bound
#loop 13 halfmarked 5
  .p2align 4
halfmarked:
1:
  addi a2, a2, -1
  beqz a3, 2f
  marker 13
  nop
2:
  bnez a2, 1b
  ret

#error irreducible = a loop is entered in two places
#loop 14 irreducible 5
  .p2align 4
irreducible:
  beqz a0, 2f
1:
  marker 14
  addi a1, a1, 1
2:
  addi a2, a2, -1
  bnez a2, 1b
  ret

#error indirect = jump to an address that is not known: jalr zero, 0(a0)
  .p2align 4
indirect:
  jr a0

# The return address was overwritten.
#error smashed = jump to an address that is not known
  .p2align 4
smashed:
  lw ra, 0(a0)
  ret

#error recursive = recursive call
  .p2align 4
recursive:
  addi sp, sp, -16
  sw ra, 12(sp)
  jal recursive
  lw ra, 12(sp)
  addi sp, sp, 16
  ret

#error illegal = no instruction of this card
  .p2align 4
illegal:
  .word 0xffffffff

#error unknown_loop = the loop table does not know loop 77
  .p2align 4
unknown_loop:
1:
  marker 77
  addi a2, a2, -1
  bnez a2, 1b
  ret

#error unknown_symbol = a loop bound depends on 'q', whose range is not known
#loop 15 unknown_symbol q
  .p2align 4
unknown_symbol:
1:
  marker 15
  addi a2, a2, -1
  bnez a2, 1b
  ret
