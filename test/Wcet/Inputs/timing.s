# Every rule of the timing table on code without loops. The numbers are those
# measured on the card, added up by hand; a changed table fails here.
  .option norvc
  .text

# An empty handler: ret.
#fn empty = 2
  .p2align 4
empty:
  ret

# Four one-cycle instructions and ret.
#fn alu = 6
  .p2align 4
alu:
  lui a0, 1
  auipc a1, 1
  add a0, a0, a1
  mul a0, a0, a1
  ret

#fn mulhigh = 7
  .p2align 4
mulhigh:
  mulhu a0, a0, a1
  ret

# Divisor unknown: 35.
#fn divide = 37
  .p2align 4
divide:
  divu a0, a0, a1
  ret

# Divisor 10: 35 - 4 bits; li is one cycle.
#fn divide_ten = 34
  .p2align 4
divide_ten:
  li a1, 10
  divu a0, a0, a1
  ret

# Divisor in 256..511: at least 9 bits. lui a1, 0; andi; ori.
#fn divide_range = 30
  .p2align 4
divide_range:
  andi a1, a1, 255
  ori a1, a1, 256
  divu a0, a0, a1
  ret

# Signed divisor -7: 35 - bits(6) - 1 = 31.
#fn divide_negative = 34
  .p2align 4
divide_negative:
  li a1, -7
  div a0, a0, a1
  ret

# Taken: 1 + 3 + 2. Not taken: 1 + 1 + 1 + 2.
#fn branch = 6
  .p2align 4
branch:
  li a0, 0
  beqz a1, 1f
  li a0, 1
1:
  ret

# Not taken is dearer here: 1 + 3 * 1 + 2 = 6 + 1.
#fn branch_long = 7
  .p2align 4
branch_long:
  beqz a1, 1f
  li a0, 1
  li a0, 1
  li a0, 1
  li a0, 1
1:
  ret

# Load and use in the next instruction: 1 + 1 + 1 + 1 + 2.
#fn load_use = 5
  .p2align 4
load_use:
  lw a0, 0(sp)
  add a0, a0, a0
  ret

# One instruction between: no stall.
#fn load_gap = 5
  .p2align 4
load_gap:
  lw a0, 0(sp)
  li a1, 0
  add a0, a0, a0
  ret

# The loaded value is the store's data; the loaded value is the address.
#fn load_store = 7
  .p2align 4
load_store:
  addi sp, sp, -16
  lw a0, 0(sp)
  sw a0, 4(sp)
  addi sp, sp, 16
  ret

# A load to x0 stalls an instruction that reads x0.
#fn load_zero = 5
  .p2align 4
load_zero:
  lw x0, 0(sp)
  nop
  ret

# Load-use across a block edge that falls through: 1+1+1 (stall) + 2; the
# branch makes the block: 1 not taken.
#fn load_edge = 6
  .p2align 4
load_edge:
  beqz a1, 1f
  lw a0, 0(sp)
1:
  add a0, a0, a0
  ret

# call: jal 2, ret 2; outer: addi, sw, lw, addi, ret.
#fn call = 11
  .p2align 4
call:
  addi sp, sp, -16
  sw ra, 12(sp)
  jal empty
  lw ra, 12(sp)
  addi sp, sp, 16
  ret

# jalr on a register that the instruction before wrote: +1. The callee returns
# through t0: 1 + 3 + 2 + 2.
#fn jalr_fresh = 8
  .p2align 4
jalr_fresh:
  auipc t1, 0
  jalr t0, 12(t1)
  ret
  jr t0

# ret on a return address that was just loaded: +2.
#fn ret_loaded = 8
  .p2align 4
ret_loaded:
  addi sp, sp, -16
  sw ra, 12(sp)
  addi sp, sp, 0
  lw ra, 12(sp)
  ret

# Misaligned word on the stack: 2. Half-word at offset 1: 1, at 3: 2.
#fn misaligned = 7
  .p2align 4
misaligned:
  lw a0, 1(sp)
  lhu a1, 1(sp)
  lhu a2, 3(sp)
  ret

# Alignment of a packet word behind an unknown offset: 2; packet base known:
# 1. lui, lw, andi...: 1 + 1 + 1 + 1 + 1 (add) + 2 + 1.
#fn packet = 11
  .p2align 4
packet:
  lui a0, 0x1b205
  lw a1, 16(a0)
  andi a2, a2, 255
  lw a3, 4(a1)
  add a1, a1, a2
  lw a4, 0(a1)
  lbu a5, 0(a1)
  nop
  ret

# The memories: L2 21, packet in L2 20, cluster devices 4, program memory 15.
#fn memories = 66
  .p2align 4
memories:
  lui a0, 0x1c300
  lw a1, 0(a0)
  lui a0, 0x1c400
  lw a1, 0(a0)
  lui a0, 0x1b201
  lw a1, 0(a0)
  lui a0, 0x1d000
  lw a1, 0(a0)
  ret

# Stores: L2 21, stdout 4, L1 of some cluster 1 (more is waiting), own alias 1.
#fn stores = 33
  .p2align 4
stores:
  lui a0, 0x1c300
  sw a1, 0(a0)
  lui a0, 0x1a104
  sw a1, 0(a0)
  lui a0, 0x10014
  sw a1, 0(a0)
  lui a0, 0x1b014
  sw a1, 0(a0)
  ret

# An address of unknown origin costs the farthest memory: load 22, twice for a
# possible misalignment.
#fn unknown = 46
  .p2align 4
unknown:
  lw a0, 0(a1)
  ret

# The home cluster's L1, taken as the own one:
# lui, lw, (use +1) slli, lui, add, lw, ret.
#fn home = 9
  .p2align 4
home:
  lui a0, 0x1b205
  lw a1, 0x48(a0)
  slli a1, a1, 22
  lui a2, 0x10014
  add a1, a1, a2
  lw a3, 0x400(a1)
  ret

# The same from the alias: lui, lw, (use +1) slli, lui, add, lui, addi,
# add, lw, ret; the shift to the global map comes last or first.
#fn home_alias = 12
  .p2align 4
home_alias:
  lui a0, 0x1b205
  lw a1, 0x48(a0)
  slli a1, a1, 22
  lui a2, 0xf5000
  add a1, a1, a2
  lui a3, 0x1b014
  addi a3, a3, 0x400
  add a1, a1, a3
  lw a4, 0(a1)
  ret

# An index in home's L1: + andi, slli, add.
#fn home_index = 12
  .p2align 4
home_index:
  lui a0, 0x1b205
  lw a1, 0x48(a0)
  slli a1, a1, 22
  lui a2, 0x10014
  add a1, a1, a2
  andi a3, a3, 255
  slli a3, a3, 2
  add a1, a1, a3
  lw a3, 0x400(a1)
  ret

# What another cluster's copy takes longer is waiting: andi, slli, lui, add, lw,
# ret. If its address is built from the alias, it is any memory at all: lw 44.
#fn copy = 7
  .p2align 4
copy:
  andi a0, a0, 3
  slli a0, a0, 22
  lui a1, 0x10014
  add a0, a0, a1
  lw a2, 0(a0)
  ret
#fn copy_alias = 54
  .p2align 4
copy_alias:
  andi a0, a0, 3
  slli a0, a0, 22
  lui a1, 0xf5000
  add a0, a0, a1
  add a0, a0, zero
  lui a1, 0x1b014
  add a0, a0, a1
  lw a2, 0(a0)
  nop
  ret

# Atomic in own L1: 1; use +1; the access right after +1.
#fn atomic_use = 6
  .p2align 4
atomic_use:
  lui a0, 0x1b014
  amoadd.w a1, a1, (a0)
  add a1, a1, a1
  ret
#fn atomic_access = 7
  .p2align 4
atomic_access:
  lui a0, 0x1b014
  amoadd.w a1, a1, (a0)
  lw a2, 0(a0)
  nop
  ret
#fn atomic_device = 8
  .p2align 4
atomic_device:
  lui a0, 0x1b014
  lui a3, 0x1b205
  amoadd.w a1, a1, (a0)
  lw a2, 8(a3)
  nop
  nop
  ret

# A jump to a 32-bit instruction that crosses a fetch line: jump 2 + 1.
  .option rvc
#fn straddle = 6
  .p2align 4
straddle:
  j 1f
  .p2align 4
  .fill 7, 2, 0x0001
1:
  .option norvc
  lui a0, 1
  .option rvc
  c.jr ra
# The same target as a 16-bit instruction: no penalty.
#fn straddle_short = 5
  .p2align 4
straddle_short:
  j 1f
  .p2align 4
  .fill 7, 2, 0x0001
1:
  c.nop
  c.jr ra
# Falling into it: no penalty. 7 nops, lui, ret.
#fn straddle_fall = 10
  .p2align 4
straddle_fall:
  .fill 7, 2, 0x0001
  .option norvc
  lui a0, 1
  .option rvc
  c.jr ra
# The dearer path is the short one through the straddling target.
#fn straddle_branch = 7
  .p2align 4
straddle_branch:
  beqz a0, 1f
  ret
  .p2align 4
  .fill 7, 2, 0x0001
1:
  .option norvc
  lui a0, 1
  .option rvc
  c.jr ra
  .option norvc

# The long form of a jump: 1 + 2 + 1 (t1 just written) + 2.
#fn tail = 6
  .p2align 4
tail:
  auipc t1, 0
  jalr x0, 16(t1)
  .word 0
  .word 0
  ret

# csrr of a user register 1, of mstatus 4; fence 4.
#fn system = 11
  .p2align 4
system:
  csrr a0, 0x014
  csrr a0, mstatus
  fence
  ret
