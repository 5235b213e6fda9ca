"""Measures the rows of the core's timing table (one core, warm instruction
cache, own L1) with the cycle counter and compares them exactly. `costs` are
the cycles between two counter reads, less the read's own."""

import re
import sys

import bare


X = {name: number for number, name in enumerate(
    "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5".split())}


def xpulp(text):
    """One Xpulp instruction as a word: no assembler here knows them."""
    name, *parts = re.split(r"[ ,()!]+", text.strip(" )"))
    r = [X.get(part) for part in parts]
    n = [int(part) if part.lstrip("-").isdigit() else 0 for part in parts]
    if name == "p.lw" and r[1] is None:
        return n[1] << 20 | r[2] << 15 | 2 << 12 | r[0] << 7 | 0x0B
    if name == "p.lw":
        return 0x10 << 25 | r[1] << 20 | r[2] << 15 | 7 << 12 | r[0] << 7 | 3
    if name == "p.sw":
        return r[0] << 20 | r[2] << 15 | 2 << 12 | n[1] << 7 | 0x2B
    if name == "p.mac":
        return 0x21 << 25 | r[2] << 20 | r[1] << 15 | r[0] << 7 | 0x33
    if name == "p.beqimm":
        return n[1] << 20 | r[0] << 15 | 2 << 12 | n[2] << 7 | 0x63
    if name == "lp.setup":
        return n[2] >> 1 << 20 | r[1] << 15 | 4 << 12 | n[0] << 7 | 0x7B
    assert name == "lp.setupi"
    return n[1] << 20 | n[2] >> 1 << 15 | 5 << 12 | n[0] << 7 | 0x7B


# name, set-up (not measured), measured code, cycles
ROWS = [
    ("alu", "", "add a0, a1, a2\n add a0, a0, a0", 2),
    ("lui auipc", "", "lui a0, 5\n auipc a1, 0", 2),
    ("mul and use", "", "mul a0, a1, a2\n add a0, a0, a0", 2),
    ("csr", "", "csrr a0, 0x014\n addi a0, a0, 1", 2),
    ("mulh and use", "", "mulh a0, a1, a2\n add a0, a0, a0", 6),
    ("mulhu", "", "mulhu a0, a1, a2", 5),
    ("mulhsu", "", "mulhsu a0, a1, a2", 5),
    ("div by 0", "li a2, 0", "divu a0, a1, a2", 35),
    ("div by 1", "li a2, 1", "divu a0, a1, a2", 34),
    ("div by 10", "li a2, 10", "remu a0, a1, a2", 31),
    ("divu by 2^31", "li a2, 0x80000000", "divu a0, a1, a2", 3),
    ("div by -1", "li a2, -1", "div a0, a1, a2", 34),
    ("div by -7", "li a2, -7", "rem a0, a1, a2", 31),
    ("div by INT_MIN", "li a2, 0x80000000", "div a0, a1, a2", 3),
    ("branch not taken", "li a0, 1", "beqz a0, 1f\n 1:", 1),
    ("branch taken", "li a0, 0", "beqz a0, 1f\n nop\n 1:", 3),
    ("jal", "", "j 1f\n nop\n 1:", 2),
    ("jalr", "la a0, 1f", "jr a0\n nop\n 1:", 2),
    ("jalr after alu", "la a0, 1f", "addi a0, a0, 0\n jr a0\n 1:", 4),
    ("jalr after load", "la a0, 1f\n sw a0, 0(s1)", "lw a0, 0(s1)\n jr a0\n 1:",
     5),
    ("jalr, one after load", "la a0, 1f\n sw a0, 0(s1)",
     "lw a0, 0(s1)\n nop\n jr a0\n 1:", 5),
    ("jalr, two after load", "la a0, 1f\n sw a0, 0(s1)",
     "lw a0, 0(s1)\n nop\n nop\n jr a0\n 1:", 5),
    ("jalr, a multiplication after load", "la a0, 1f\n sw a0, 0(s1)",
     "lw a0, 0(s1)\n mulhu a1, a1, a1\n jr a0\n 1:", 8),
    ("jalr, a use after load", "la a0, 1f\n sw a0, 0(s1)",
     "lw a0, 0(s1)\n addi a1, a0, 0\n jr a0\n 1:", 5),
    ("jalr, a branch after load", "la a0, 1f\n sw a0, 0(s1)\n li a1, 1",
     "lw a0, 0(s1)\n beqz a1, 1f\n jr a0\n 1:", 5),
    ("call and return", "j 2f\n 1: ret\n 2:", "jal 1b", 4),
    ("fence", "", "fence", 4),
    ("load", "", "lw a0, 0(s1)\n addi a1, a1, 1", 2),
    ("load and use", "", "lw a0, 0(s1)\n addi a1, a0, 1", 3),
    ("load, one between", "", "lw a0, 0(s1)\n nop\n addi a1, a0, 1", 3),
    ("load and store of it", "", "lw a0, 0(s1)\n sw a0, 4(s1)", 3),
    ("load and address of it", "sw s1, 0(s1)",
     "lw a0, 0(s1)\n lw a1, 0(a0)", 3),
    ("load and branch on it", "sw x0, 0(s1)",
     "lw a0, 0(s1)\n bnez a0, 1f\n 1:", 3),
    ("load x0 and nop", "", "lw x0, 0(s1)\n nop", 3),
    ("store", "", "sw a0, 0(s1)\n lw a1, 0(s1)", 2),
    ("misaligned word", "", "lw a0, 1(s1)", 2),
    ("misaligned word and use", "", "lw a0, 1(s1)\n addi a0, a0, 1", 4),
    ("half within a word", "", "lhu a0, 1(s1)", 1),
    ("half across words", "", "lhu a0, 3(s1)", 2),
    ("misaligned store", "", "sw a0, 2(s1)", 2),
    ("atomic", "", "amoadd.w a0, a1, (s1)", 1),
    ("atomic and use", "", "amoadd.w a0, a1, (s1)\n addi a0, a0, 1", 3),
    ("atomic, same bank next", "",
     "amoadd.w a0, a1, (s1)\n amoadd.w a2, a1, (s1)", 3),
    ("atomic, same bank 64 words on", "",
     "amoadd.w a0, a1, (s1)\n lw a2, 256(s1)", 3),
    ("atomic, other bank next", "", "amoadd.w a0, a1, (s1)\n lw a2, 4(s1)", 2),
    ("atomic, same bank later", "",
     "amoadd.w a0, a1, (s1)\n nop\n lw a2, 0(s1)", 3),
    ("post-increment, base used", "mv a3, s1",
     "p.lw a0, 4(a3!)\n addi a3, a3, 1", 2),
    ("post-increment, value used", "mv a3, s1",
     "p.lw a0, 4(a3!)\n addi a0, a0, 1", 3),
    ("post-increment store", "mv a3, s1",
     "p.sw a0, 4(a3!)\n p.sw a0, 4(a3!)", 2),
    ("register offset", "mv a3, s1\n li a4, 4", "p.lw a0, a4(a3)\n nop", 2),
    ("mac", "", "p.mac a0, a1, a2\n p.mac a0, a1, a2", 2),
    ("beqimm taken", "li a0, 3", "p.beqimm a0, 3, 8\n nop", 3),
    ("beqimm not taken", "li a0, 3", "p.beqimm a0, 4, 4", 1),
    ("addi;bne, 8 times", "li a0, 8", "1: addi a0, a0, -1\n bnez a0, 1b", 30),
    ("lw;addi;add;bne, per iteration", "li a0, 8",
     "1: lw a1, 0(s1)\n addi a0, a0, -1\n add a2, a2, a1\n bnez a0, 1b", 46),
    ("lw;add;addi;bne, per iteration", "li a0, 8",
     "1: lw a1, 0(s1)\n add a2, a2, a1\n addi a0, a0, -1\n bnez a0, 1b", 54),
    ("reduce loop", "li a0, 8",
     "1: lw a1, 0(s1)\n amoadd.w x0, a1, (s2)\n addi a3, a3, 4\n"
     " addi a0, a0, -1\n bnez a0, 1b", 62),
    ("hwloop lw;add", "li a0, 8\n mv a3, s1",
     "lp.setup 0, a0, 8\n p.lw a1, 4(a3!)\n add a2, a2, a1", 25),
    ("hwloop lw;sw", "li a0, 8\n mv a3, s1\n mv a4, s2",
     "lp.setup 0, a0, 8\n p.lw a1, 4(a3!)\n p.sw a1, 4(a4!)", 25),
    ("hwloop lw;lw;mac", "li a0, 8\n mv a3, s1\n mv a4, s2",
     "lp.setup 0, a0, 12\n p.lw a1, 4(a3!)\n p.lw a5, 4(a4!)\n"
     " p.mac a2, a1, a5", 33),
    ("hwloop immediate", "", "lp.setupi 1, 8, 8\n nop\n nop", 17),
    ("hwloop count 0", "li a0, 0", "lp.setup 0, a0, 8\n nop\n nop", 3),
    ("hwloop early exit", "li a0, 8",
     "lp.setup 0, a0, 12\n beqz x0, 1f\n nop\n nop\n 1:", 4),
    ("hwloop nested", "",
     "lp.setupi 1, 3, 16\n nop\n lp.setupi 0, 2, 8\n nop\n nop", 19),
    # Not measured: they follow from the rows of atomics and of loops.
    ("hwloop, behind it the bank of its last atomic", "",
     "lp.setupi 1, 4, 8\n lw a2, 4(s1)\n amoadd.w x0, a1, (s1)\n"
     "lw a3, 0(s1)", 11),
    ("hwloop, first the bank of its last atomic", "",
     "lp.setupi 1, 4, 8\n lw a2, 0(s1)\n amoadd.w x0, a1, (s1)\n"
     "lw a3, 4(s1)", 13),
    ("target straddles a line", "", "j 1f\n .2byte 1\n .2byte 1\n"
     " .2byte 1\n 1: nop", 4),
    ("straight line across a line", "", ".2byte 1\n nop\n nop\n nop\n"
     " .2byte 1", 5),
]


def main():
    folder = sys.argv[1]
    body = "  la s1, block\n  la s2, block + 1024 + 8\n"
    for name, setup, code, _ in ROWS:
        lines = [f"  .4byte {xpulp(line):#x}"
                 if re.match(r" *(p|lp)\.", line) else "  " + line.strip()
                 for line in code.split("\n")]
        body += "\n".join(
            ["  .balign 16"] + ["  " + s for s in setup.split("\n")] +
            ["  .balign 16", "  rdcycle s3"] + lines +
            ["  rdcycle s4", "  sub s4, s4, s3", "  addi s4, s4, -1", ""])
        body += bare.store("s4")
    path = f"{folder}/timing.elf"
    bare.build(body, path, data="  .data\n  .balign 256\nblock: .space 2048\n")
    got = bare.words(bare.run_sim(path))
    for (name, _, _, want), have in zip(ROWS, got):
        if want != have:
            raise SystemExit(f"{name}: {have} cycles, measured on the card: "
                             f"{want}")
    print(f"{len(got)} of {len(ROWS)} rows agree")


if __name__ == "__main__":
    main()
