"""Runs every RV32IMAC instruction on random operands in spinc-sim and in
qemu-riscv32 and compares what they leave. Each row of a group's table must
have been run: no instruction can be added without being covered here."""

import subprocess
import sys

import bare

VECTORS = 24


def set_pair(a, b):
    return f"  li t0, {a}\n  li t1, {b}\n"


def register(name, rng):
    return "".join(set_pair(a, b) + f"  {name} t2, t0, t1\n" + bare.store("t2")
                   for a, b in bare.operands(rng, VECTORS))


def immediate(name, rng, low=-2048, high=2047):
    return "".join(
        f"  li t0, {a}\n  {name} t2, t0, {rng.randint(low, high)}\n"
        + bare.store("t2") for a, _ in bare.operands(rng, VECTORS))


def shift(name, rng):
    return immediate(name, rng, 0, 31)


def upper(name, rng):
    return "".join(f"  {name} t2, {rng.randrange(1 << 20)}\n"
                   + bare.store("t2") for _ in range(VECTORS))


def branch(name, rng):
    code = ""
    for a, b in bare.operands(rng, VECTORS) + [(5, 5), (0xFFFFFFFF, 1)]:
        code += set_pair(a, b) + f"""  li t2, 1
  {name} t0, t1, 1f
  li t2, 2
1:
""" + bare.store("t2")
    return code


def jump(name, rng):
    go = "jal t2, 1f" if name == "jal" else "la t3, 1f+6\n  jalr t2, -6(t3)"
    return f"  li t1, 1\n  {go}\n  li t1, 2\n1:\n" * 2 + \
        bare.store("t1") + bare.store("t2")


def memory(name, rng):
    """Loads and stores at all alignments, in a block of known bytes."""
    code = "  la t0, block\n"
    for _ in range(VECTORS):
        offset = rng.randint(-60, 59)
        if name.startswith("l"):
            code += f"  {name} t2, {offset}(t0)\n" + bare.store("t2")
        else:
            code += f"  li t1, {rng.getrandbits(32)}\n"
            code += f"  {name} t1, {offset}(t0)\n"
            code += f"  lw t2, {offset & ~3}(t0)\n" + bare.store("t2")
    return code


def atomic(name, rng):
    code = "  la t0, block\n"
    for a, b in bare.operands(rng, VECTORS):
        code += f"""  li t1, {a}
  sw t1, 4(t0)
  addi t3, t0, 4
  li t1, {b}
  {name} t2, t1, (t3)
""" + bare.store("t2") + "  lw t2, 4(t0)\n" + bare.store("t2")
    return code


def reserve(name, rng):
    return atomic("amoswap.w", rng) + """  la t0, block
  li t1, 77
  lr.w t2, (t0)
""" + bare.store("t2") + "  sc.w t2, t1, (t0)\n" + bare.store("t2") + \
        "  lw t2, (t0)\n" + bare.store("t2") + """  sc.w t2, t1, (t0)
  snez t2, t2
""" + bare.store("t2")


def fence(name, rng):
    return f"  {name}\n"


def compressed(name, rng):
    """Compressed forms by name, on the registers they can have."""
    code = "  .option push\n  .option rvc\n"
    for a, b in bare.operands(rng, VECTORS):
        small = rng.choice([-32, -1, 5, 31])
        shift_by = rng.randint(1, 31)
        word = rng.randrange(0, 32) * 4
        code += f"  li a0, {a}\n  li a1, {b}\n"
        text = {
            "c.addi4spn": f"c.addi4spn a0, sp, {word + 4}\n  sub a0, a0, sp",
            "c.lw": f"la a1, block\n  c.lw a0, {word % 60}(a1)",
            "c.sw": f"la a1, block\n  c.sw a0, {word % 60}(a1)\n"
                    f"  lw a0, {word % 60}(a1)",
            "c.addi": f"c.addi a0, {small}",
            "c.jal": "c.jal 1f\n  li a0, 1\n1:\n  la a1, 1b\n"
                     "  sub a0, a1, ra",
            "c.li": f"c.li a0, {small}",
            "c.addi16sp": "mv a1, sp\n  c.addi16sp sp, -64\n"
                          "  sub a0, a1, sp\n  mv sp, a1",
            "c.lui": f"c.lui a0, {rng.choice([1, 31, 0xfffe1])}",
            "c.srli": f"c.srli a0, {shift_by}",
            "c.srai": f"c.srai a0, {shift_by}",
            "c.andi": f"c.andi a0, {small}",
            "c.sub": "c.sub a0, a1", "c.xor": "c.xor a0, a1",
            "c.or": "c.or a0, a1", "c.and": "c.and a0, a1",
            "c.j": "c.j 1f\n  li a0, 1\n1:",
            "c.beqz": "c.beqz a1, 1f\n  li a0, 1\n1:",
            "c.bnez": "c.bnez a1, 1f\n  li a0, 1\n1:",
            "c.slli": f"c.slli a0, {shift_by}",
            "c.lwsp": f"addi a1, sp, -128\n  mv a2, sp\n  mv sp, a1\n"
                      f"  li a3, {b}\n  sw a3, {word % 64}(sp)\n"
                      f"  c.lwsp a0, {word % 64}(sp)\n  mv sp, a2",
            "c.jr": "la a1, 1f\n  c.jr a1\n  li a0, 1\n1:",
            "c.mv": "c.mv a0, a1",
            "c.jalr": "la a1, 1f\n  c.jalr a1\n  li a0, 1\n1:\n"
                      "  la a1, 1b\n  sub a0, a1, ra",
            "c.add": "c.add a0, a1",
            "c.swsp": f"mv a2, sp\n  addi sp, sp, -128\n"
                      f"  c.swsp a0, {word % 64}(sp)\n"
                      f"  lw a0, {word % 64}(sp)\n  mv sp, a2",
        }[name]
        code += "  " + text + "\n" + bare.store("a0")
    return code + "  .option pop\n"


GROUPS = {
    "rv32i": {
        upper: "lui auipc", jump: "jal jalr",
        branch: "beq bne blt bge bltu bgeu",
        memory: "lb lh lw lbu lhu sb sh sw",
        immediate: "addi slti sltiu xori ori andi",
        shift: "slli srli srai",
        register: "add sub sll slt sltu xor srl sra or and",
        fence: "fence fence.i",
    },
    "rv32m": {register: "mul mulh mulhsu mulhu div divu rem remu"},
    "rv32a": {
        reserve: "lr.w sc.w",
        atomic: "amoswap.w amoadd.w amoxor.w amoand.w amoor.w amomin.w "
                "amomax.w amominu.w amomaxu.w",
    },
    "rv32c": {compressed: None},
}
# The test's own frame uses ecall; the others trap in both machines.
TRAPS = {"ecall", "ebreak", "mret", "wfi", "c.ebreak"}


def main():
    folder = sys.argv[1]
    total = 0
    for group, makers in GROUPS.items():
        rows = bare.mnemonics(group)
        if group == "rv32c":
            makers = {compressed: " ".join(set(rows) - TRAPS)}
        covered = [(name, maker) for maker, names in makers.items()
                   for name in sorted(names.split())]
        missing = set(rows) - {name for name, _ in covered} - TRAPS
        if missing or len(covered) + len(TRAPS & set(rows)) != len(rows):
            raise SystemExit(f"{group}: not run: {sorted(missing)}")
        rng = bare.new_rng(group)
        marks, body = [], ""
        for name, maker in covered:
            body += f"  li t2, {len(marks)}\n" + bare.store("t2")
            body += maker(name, rng)
            marks.append(name)
        path = f"{folder}/{group}.elf"
        bare.build(body, path, data="  .data\n  .space 64\nblock:\n" + "".join(
            f"  .word {rng.getrandbits(32)}\n" for _ in range(32)))
        expected = subprocess.run(["qemu-riscv32", path], check=True,
                                  capture_output=True).stdout
        got = bare.run_sim(path)
        for index, (want, have) in enumerate(
                zip(bare.words(expected), bare.words(got))):
            if want != have:
                raise SystemExit(f"{group}: word {index}: qemu {want:#x}, "
                                 f"spinc-sim {have:#x}")
        if len(expected) != len(got):
            raise SystemExit(f"{group}: {len(got)} bytes, not {len(expected)}")
        print(f"{group}: {len(covered)} of {len(rows)} instructions agree on "
              f"{len(got) // 4} words")
        total += len(covered)
    print(f"{total} instructions")


if __name__ == "__main__":
    main()
