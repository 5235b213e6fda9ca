# Hardware loops and post-increment accesses, written as plain words: op 0x7b
# with f3 5 is lp.setupi (count, offset of the last instruction / 2), f3 4 is
# lp.setup; op 0x0b f3 2 is p.lw rd, imm(rs1!).
  .option norvc
  .text
  .macro marker id
.Lmark\@:
  .pushsection .spin.loops,"",@progbits
  .word .Lmark\@, \id
  .popsection
  .endm

# lp.setupi 1, body 2 a round, ret 2: 1 + 2 * 10 + 2.
#fn counted = 23
#loop 0 counted 10
  .p2align 4
counted:
  .insn i 0x7b, 5, x0, x4, 10
  marker 0
  addi a1, a1, 1
  addi a2, a2, 1
  ret

# The last instruction loads what the first uses: +1 on the way back, 9 times.
#fn loaduse = 32
#loop 1 loaduse 10
  .p2align 4
loaduse:
  .insn i 0x7b, 5, x0, x4, 10
  marker 1
  add a1, a1, a0
  lw a0, 0(sp)
  ret

# A body that starts on a 32-bit instruction across a fetch line: +1 on the way
# back. Five nops, lp.setupi at 10, body at 14.
#fn straddle = 37
#loop 2 straddle 10
  .p2align 4
straddle:
  .option rvc
  .fill 5, 2, 0x0001
  .option norvc
  .insn i 0x7b, 5, x0, x4, 10
  marker 2
  addi a1, a1, 100
  addi a2, a2, 100
  ret

# The same for the second instruction of the body: lp.setupi at 6, body at 10.
#fn straddleSecond = 35
#loop 8 straddleSecond 10
  .p2align 4
straddleSecond:
  .option rvc
  .fill 3, 2, 0x0001
  .option norvc
  .insn i 0x7b, 5, x0, x4, 10
  marker 8
  addi a1, a1, 100
  addi a2, a2, 100
  ret

# A branch taken to the last instruction: 3 and one more. 1 + 10 * (4 + 1) + 2.
#fn jumpedTo = 53
#loop 9 jumpedTo 10
  .p2align 4
jumpedTo:
  .insn i 0x7b, 5, x0, x6, 10
  marker 9
  bne a0, a1, 1f
  addi a1, a1, 1
1:
  addi a2, a2, 1
  ret

# With an instruction in front of the last one it costs no more.
#fn jumpedBefore = 53
#loop 10 jumpedBefore 10
  .p2align 4
jumpedBefore:
  .insn i 0x7b, 5, x0, x8, 10
  marker 10
  bne a0, a1, 1f
  addi a1, a1, 1
1:
  addi a2, a2, 1
  addi a3, a3, 1
  ret

# Atomics on two banks, and on one: 256 bytes apart. In memory that is not known,
# perhaps across words: 1 + 2 * 27 + 2 * 27 + 2, and 1.
#fn twoBanks = 111
  .p2align 4
twoBanks:
  addi a4, a2, 4
  amoadd.w zero, a1, (a2)
  amoadd.w zero, a1, (a4)
  ret

#fn oneBank = 112
  .p2align 4
oneBank:
  addi a4, a2, 256
  amoadd.w zero, a1, (a2)
  amoadd.w zero, a1, (a4)
  ret

# Nested: outer lp.setup loop 1 (count in a0), inner lp.setupi loop 0.
# Outer round: 1 + 3 * 2 + 1; 1 + 8 n + 2.
#fn nested = 3 + 8 * n
#symbol nested n 1 50
#loop 3 nested n
#loop 4 nested 3 in 3
  .p2align 4
nested:
  .insn i 0x7b, 4, x1, a0, 8
  marker 3
  .insn i 0x7b, 5, x0, x4, 3
  marker 4
  addi a1, a1, 1
  addi a2, a2, 1
  addi a3, a3, 1
  ret

# One after the other on one register, each with its own start and end:
# 1 + 2 * 10, 1 + 3 * 5, ret 2.
#fn sequence = 39
#loop 6 sequence 10
#loop 7 sequence 5
  .p2align 4
sequence:
  .insn i 0x7b, 5, x0, x4, 10
  marker 6
  addi a1, a1, 1
  addi a2, a2, 1
  .insn i 0x7b, 5, x0, x6, 5
  marker 7
  addi a1, a1, 1
  addi a2, a2, 1
  addi a3, a3, 1
  ret

# To the end 1 + 3 * 10 + 1 + 2; left early by the branch 1 + 3 * 9 + 3 + 2.
#fn early = 34
#loop 5 early 10
  .p2align 4
early:
  .insn i 0x7b, 5, x0, x6, 10
  marker 5
  beqz a1, 1f
  addi a1, a1, -1
  addi a2, a2, 1
  nop
1:
  ret

# Packet words by post-increment stay aligned: lui, lw, p.lw + 1 (address just
# loaded), p.lw, ret.
#fn postload = 7
  .p2align 4
postload:
  lui a0, 0x1b205
  lw a1, 16(a0)
  .insn i 0x0b, 2, a2, 4(a1)
  .insn i 0x0b, 2, a3, 4(a1)
  ret

#error unmarked = a loop has no bound
  .p2align 4
unmarked:
  .insn i 0x7b, 5, x0, x4, 10
  addi a1, a1, 1
  addi a2, a2, 1
  ret

#error endless = no instruction of this card
  .p2align 4
endless:
  .insn r 0x57, 0, 0x48, a0, a1, a2
  ret
