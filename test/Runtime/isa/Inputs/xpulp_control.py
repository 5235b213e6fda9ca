"""Xpulp loads, stores, branches and hardware loops against what the
architecture says about them, on random operands. Every row of the tables must
have been run."""

import sys

import bare

VECTORS = 24
M32 = 0xFFFFFFFF
# a0 = data, a1 = base, a2 = offset register.
DATA, BASE, OFFSET = 10, 11, 12
BLOCK_BYTES = 256


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


class Memory:
    """The block of bytes that programs access, and what should be in it."""

    def __init__(self, rng):
        self.bytes = bytearray(rng.randbytes(BLOCK_BYTES))
        self.initial = bytes(self.bytes)

    def load(self, at, size, is_signed):
        value = int.from_bytes(self.bytes[at:at + size], "little")
        return signed(value, 8 * size) & M32 if is_signed else value

    def store(self, at, size, value):
        self.bytes[at:at + size] = (value & ((1 << 8 * size) - 1)).to_bytes(
            size, "little")


SIZES = {"b": (1, 0), "h": (2, 1), "w": (4, 2)}
REGISTER_LOAD = {"lb": 0x00, "lh": 0x08, "lw": 0x10, "lbu": 0x20, "lhu": 0x28}


def load_words(name, form, imm):
    """The word of a load or store form, by the architecture's opcode map."""
    size, f3 = SIZES[name[1]]
    common = BASE << 15
    if name[0] == "l":
        f3 |= 4 if name.endswith("u") else 0
        common |= DATA << 7
        if form == "post":
            return 0x0B | f3 << 12 | common | (imm & 0xFFF) << 20
        opcode = 0x0B if form == "post_reg" else 0x03
        return (opcode | 7 << 12 | common | OFFSET << 20 |
                REGISTER_LOAD[name] << 25)
    common |= DATA << 20
    if form == "post":
        return (0x2B | f3 << 12 | common | (imm & 31) << 7 |
                (imm >> 5 & 127) << 25)
    opcode = 0x2B if form == "post_reg" else 0x23
    return opcode | (f3 + 4) << 12 | common | OFFSET << 7


def memory_case(name, form, rng, memory):
    size = SIZES[name[1]][0]
    imm = rng.randint(-2048, 2047) if form == "post" else rng.randint(-64, 64)
    at = rng.randint(64, BLOCK_BYTES - 64 - size)
    place = at + imm if form == "reg" else at
    old = rng.getrandbits(32)
    code = (f"  la a1, block + {at}\n  li a2, {imm}\n  li a0, {old}\n"
            f"  .4byte {load_words(name, form, imm):#x}\n"
            "  la t0, block\n  sub a1, a1, t0\n")
    code += bare.store("a0") + bare.store("a1")
    if name[0] == "l":
        old = memory.load(place, size, not name.endswith("u"))
    else:
        memory.store(place, size, old)
    base = at if form == "reg" else at + imm
    return code, [old, base & M32]


def memory_cases(rng, memory):
    code, want, covered = "", [], []
    for name in ("lb", "lbu", "lh", "lhu", "lw", "sb", "sh", "sw"):
        for form in ("post", "post_reg", "reg"):
            covered.append("p." + name)
            for _ in range(VECTORS):
                more, values = memory_case(name, form, rng, memory)
                code += more
                want += values
    # p.elw is a load here; rd == rs1 keeps the loaded value.
    covered.append("p.elw")
    elw = 0x03 | 6 << 12 | DATA << 7 | BASE << 15 | 8 << 20
    same = 0x0B | 2 << 12 | BASE << 7 | BASE << 15 | 4 << 20
    code += (f"  la a1, block\n  .4byte {elw:#x}\n" + bare.store("a0") +
             f"  .4byte {same:#x}\n" + bare.store("a1"))
    want += [memory.load(8, 4, False), memory.load(0, 4, False)]
    return code, want, covered


def branch_cases(rng):
    code, want = "", []
    for name, f3, taken in (("beq", 2, True), ("bne", 3, False)):
        for _ in range(VECTORS):
            imm = rng.randint(-16, 15)
            value = rng.choice([imm, -imm, imm ^ 1, rng.getrandbits(31)])
            word = 0x63 | f3 << 12 | DATA << 15 | (imm & 31) << 20 | 8 << 7
            code += (f"  li a0, {value}\n  li a3, 1\n  .4byte {word:#x}\n"
                     "  li a3, 2\n" + bare.store("a3"))
            want.append(1 if (value == imm) == taken else 2)
    return code, want, ["p.beqimm", "p.bneimm"]


def loop(name, number, register=0, imm=0, end=0):
    """A hardware-loop instruction; `end` in bytes from it."""
    f3 = ["starti", "endi", "count", "counti", "setup", "setupi"].index(name)
    word = 0x7B | f3 << 12 | number << 7
    if name in ("starti", "endi"):
        return word | end >> 1 << 20
    if name == "setup":
        return word | register << 15 | end >> 1 << 20
    if name == "setupi":
        return word | imm << 20 | end >> 1 << 15
    return word | (register << 15 if name == "count" else imm << 20)


def loop_cases(rng):
    code, want = "", []
    for _ in range(VECTORS):
        count, inner = rng.choice([0, 1, 2, 7]), rng.choice([0, 1, 3])
        body = rng.randint(2, 6)
        adds = "  addi a4, a4, 1\n" * body
        runs, inner_runs = max(1, count), max(1, inner)
        # Set up at once, from a register and from an immediate.
        for word in (loop("setup", 0, DATA, end=4 * body),
                     loop("setupi", 1, imm=count, end=4 * body)):
            code += f"  li a0, {count}\n  li a4, 0\n  .4byte {word:#x}\n" + \
                adds + bare.store("a4")
            want.append(runs * body)
        # Piece by piece.
        for last in (loop("count", 1, DATA), loop("counti", 1, imm=count)):
            code += (f"  li a0, {count}\n  li a4, 0\n"
                     f"  .4byte {loop('starti', 1, end=12):#x}\n"
                     f"  .4byte {loop('endi', 1, end=4 + 4 * body):#x}"
                     f"\n  .4byte {last:#x}\n" + adds + bare.store("a4"))
            want.append(runs * body)
        # Nested, both ends at the same instruction.
        outer = loop("setup", 1, DATA, end=8 + 4 * body)
        nested = loop("setupi", 0, imm=inner, end=4 * body)
        code += (f"  li a0, {count}\n  li a4, 0\n  li a5, 0\n"
                 f"  .4byte {outer:#x}\n  addi a5, a5, 1\n"
                 f"  .4byte {nested:#x}\n" + adds + bare.store("a4") +
                 bare.store("a5"))
        want += [runs * inner_runs * body, runs]
        # Left early: the count that remains does no harm.
        stop = rng.randint(1, 7)
        word = loop("setupi", 0, imm=9, end=12)
        code += (f"  li a0, {stop}\n  li a4, 0\n  .4byte {word:#x}\n"
                 "  addi a4, a4, 1\n  beq a4, a0, 1f\n  nop\n1:\n" +
                 bare.store("a4"))
        want.append(stop)
    names = ["starti", "endi", "count", "counti", "setup", "setupi"]
    return code, want, ["lp." + name for name in names]


def main():
    folder = sys.argv[1]
    rng = bare.new_rng("control")
    memory = Memory(rng)
    groups = {"xpulp_mem": memory_cases(rng, memory),
              "xpulp_branch": branch_cases(rng),
              "xpulp_hwloop": loop_cases(rng)}
    for group, (code, want, covered) in groups.items():
        if sorted(covered) != sorted(bare.mnemonics(group)):
            raise SystemExit(f"{group}: not all rows are run")
        path = f"{folder}/{group}.elf"
        data = "\n".join(f"  .byte {byte}" for byte in memory.initial)
        if group == "xpulp_mem":
            code += "".join(f"  la a1, block\n  lw a0, {at}(a1)\n" +
                            bare.store("a0")
                            for at in range(0, BLOCK_BYTES, 4))
            want = want + [memory.load(at, 4, False)
                           for at in range(0, BLOCK_BYTES, 4)]
        bare.build(code, path,
                   data=f"  .data\n  .balign 4\nblock:\n{data}\n")
        got = bare.words(bare.run_sim(path))
        if got != want:
            bad = next(i for i, (a, b) in enumerate(zip(got, want)) if a != b)
            raise SystemExit(f"{group}: result {bad}: {got[bad]:#x}, "
                             f"expected {want[bad]:#x}")
        print(f"{group}: {len(covered)} instructions agree")


if __name__ == "__main__":
    main()
