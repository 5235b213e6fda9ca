"""Random programs for the comparison of the simulator's engines: every row of
the instruction table in loops, calls, hardware loops and branches, accesses at
all alignments, code that writes code, and words that are anything. What a
program leaves is compared: its registers and memory, its output and end, its
instruction and cycle counts.

    engines.py <folder> <first seed> <count> [<kernel>.elf <rounds>]…"""

import os
import random
import re
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../../.."))
INSNS = os.path.join(ROOT, "runtime", "isa", "insns")
ROW = re.compile(r'INSN\(\s*(\w+)\s*,\s*"([^"]+)"\s*,\s*(\w+)\s*,\s*(\w+)\s*,'
                 r'\s*(\w+)\s*,\s*\w+\s*,\s*(\w+)\s*,\s*(\w+)\s*,')

# x8 memory, x9 rounds left, x18..x21 bases and counts, sp and ra as always.
FREE = [5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31]
ANY = FREE + [0, 1, 2, 8, 9]
MEMORY = 1 << 12


def rows():
    found = []
    for name in sorted(os.listdir(INSNS)):
        if name in ("all.def", "rv32c.def"):
            continue
        with open(os.path.join(INSNS, name)) as file:
            text = re.sub(r"//.*", "", file.read())
        for match in ROW.finditer(text):
            ident, _, fmt, mask, word, timing, kind = match.groups()
            found.append((ident, fmt, int(mask, 0), int(word, 0), kind))
    return found


ROWS = rows()
VALUES = [row for row in ROWS if row[4] == "Value"]
ACCESSES = [row for row in ROWS
            if "Load" in row[4] or "Store" in row[4]
            if row[4] not in ("LoadReserved", "StoreConditional")]
ATOMICS = [row for row in ROWS if row[4] == "Atomic"]
BRANCHES = [row for row in ROWS if row[4] == "Branch"]


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines = []
        self.label = 0

    def put(self, line):
        self.lines.append("  " + line)

    def new_label(self):
        self.label += 1
        return f"L{self.label}"

    def word(self, row, rd, rs1, rs2):
        """The row's word with these registers and random immediates."""
        _, _, mask, match, _ = row
        word = self.rng.getrandbits(32)
        word = word & ~(31 << 7 | 31 << 15 | 31 << 20)
        word |= rd << 7 | rs1 << 15 | rs2 << 20
        return word & ~mask & 0xFFFFFFFF | match

    def value(self):
        row = self.rng.choice(VALUES)
        # The fields of the formats that read rd must be free ones too.
        self.put(f".word {self.word(row, self.rng.choice(FREE + [0]), self.rng.choice(ANY), self.rng.choice(ANY)):#x}"
                 f" # {row[0]}")

    def compressed(self):
        r, s = self.rng.choice(range(10, 16)), self.rng.choice(range(10, 16))
        n = self.rng.randint(-31, 31) or 1
        self.put(self.rng.choice([
            f"c.addi x{r}, {n}", f"c.li x{r}, {n}", f"c.mv x{r}, x{s}",
            f"c.add x{r}, x{s}", f"c.sub x{r}, x{s}", f"c.xor x{r}, x{s}",
            f"c.and x{r}, x{s}", f"c.slli x{r}, {abs(n)}",
            f"c.srai x{r}, {abs(n)}", f"c.lw x{r}, {abs(n) * 4}(x8)",
            f"c.sw x{r}, {abs(n) * 4}(x8)"]))

    def access(self):
        row = self.rng.choice(ACCESSES)
        _, fmt, _, _, _ = row
        imm = self.rng.randint(-256, 255)
        offset = self.rng.randint(512, MEMORY - 512)
        if self.rng.random() < 0.3:  # several with one base
            self.put(f"addi x18, x8, {self.rng.randint(300, 1500)}")
            for _ in range(self.rng.randint(1, 4)):
                name = self.rng.choice(["lw", "lh", "lbu", "sw", "sh", "sb"])
                self.put(f"{name} x{self.rng.choice(FREE)}, "
                         f"{self.rng.randint(-200, 200)}(x18)")
            return
        if self.rng.random() < 0.01:  # outside of the program
            self.put(f"lui x18, {self.rng.randrange(0x10000, 0x80000)}")
        else:
            self.put(f"li x18, {offset}")
            self.put("add x18, x18, x8")
        self.put(f"li x19, {imm}")
        data = self.rng.choice(FREE)
        load = "Load" in row[4]
        word = self.word(row, data, 18, 19)
        if fmt in ("L", "LPost"):
            word = word & 0xFFFFF | (imm & 0xFFF) << 20
        elif fmt in ("S", "SPost"):
            word = row[3] | data << 20 | 18 << 15 | (imm & 31) << 7 | \
                (imm >> 5 & 127) << 25
        elif not load:  # the index is in the rd field
            word = row[3] | data << 20 | 18 << 15 | 19 << 7
        self.put(f".word {word:#x} # {row[0]}")

    def atomic(self):
        row = self.rng.choice(ATOMICS)
        self.put(f"addi x18, x8, {self.rng.randrange(0, 512, 4)}")
        self.put(f".word {self.word(row, self.rng.choice(FREE), 18, self.rng.choice(ANY)):#x} # {row[0]}")
        self.put(f"lw x{self.rng.choice(FREE)}, "
                 f"{self.rng.choice([0, 4, 256, 60])}(x18)")

    def plain(self, count):
        for _ in range(count):
            self.rng.choices([self.value, self.compressed, self.access,
                              self.atomic], [6, 4, 3, 1])[0]()

    def hardware_loop(self):
        """A body that falls through, by count or register."""
        end, loop = self.new_label(), self.rng.randrange(2)
        self.put(f"li x20, {self.rng.randint(0, 9)}")
        self.put(f".word 0x0000407b | {loop} << 7 | 20 << 15 | "
                 f"(({end} - .) >> 1) << 20")
        self.plain(self.rng.randint(2, 6))
        self.lines.append(f"{end}:")
        self.put(self.rng.choice(["c.addi x10, 3", "xor x11, x11, x12",
                                  "lw x13, 8(x8)", "sw x13, 12(x8)"]))
        self.put("addi x14, x14, 1")

    def branch(self):
        row, skip = self.rng.choice(BRANCHES), self.new_label()
        name = {"Beq": "beq", "Bne": "bne", "Blt": "blt", "Bge": "bge",
                "Bltu": "bltu", "Bgeu": "bgeu"}.get(row[0])
        if name:
            self.put(f"{name} x{self.rng.choice(ANY)}, "
                     f"x{self.rng.choice(ANY)}, {skip}")
        else:  # p.beqimm, p.bneimm: the offset by hand
            funct = 2 if row[0] == "PBeqimm" else 3
            self.put(f".word 0x63 | {funct} << 12 | "
                     f"{self.rng.choice(FREE)} << 15 | "
                     f"{self.rng.randrange(32)} << 20 | "
                     f"((({skip} - .) >> 1) & 15) << 8 | "
                     f"((({skip} - .) >> 5) & 63) << 25")
        self.plain(self.rng.randint(1, 4))
        self.lines.append(f"{skip}:")

    def inner_loop(self):
        again = self.new_label()
        self.put(f"li x21, {self.rng.randint(1, 6)}")
        self.lines.append(f"{again}:")
        self.plain(self.rng.randint(1, 5))
        self.branch()
        self.put("addi x21, x21, -1")
        self.put(f"bnez x21, {again}")

    def change_code(self):
        """Replaces an instruction by another of its kind."""
        place = self.new_label()
        number = self.rng.randrange(1, 2000)
        self.put(f"andi x18, x9, {self.rng.choice([1, 31, 255])}")
        skip = self.new_label()
        self.put(f"bnez x18, {skip}")
        self.put(f"la x18, {place}")
        self.put(f"li x19, {number << 20 | 10 << 15 | 10 << 7 | 0x13:#x}")
        self.put("sw x19, 0(x18)")
        self.lines.append(f"{skip}:")
        self.put(".balign 4")
        self.lines.append(f"{place}:")
        self.put("addi x10, x10, 1")

    def function(self, name, callees):
        self.lines.append(f"{name}:")
        self.put("addi sp, sp, -16")
        self.put("sw ra, 12(sp)")
        for _ in range(self.rng.randint(1, 4)):
            self.rng.choice([self.branch, self.inner_loop, self.hardware_loop,
                             lambda: self.plain(6)])()
        if callees:
            callee = self.rng.choice(callees)
            if self.rng.random() < 0.4:
                self.put(f"la x18, {callee}")
                self.put("jalr x18")
            else:
                self.put(f"jal {callee}")
        self.put("lw ra, 12(sp)")
        self.put("addi sp, sp, 16")
        self.put("ret")

    def make(self):
        head = ["  .option norelax", "  .option rvc", "  .text",
                "  .globl _start", "_start:", "  la x8, memory",
                f"  li x9, {self.rng.choice([3, 40, 400, 1500])}"]
        head += [f"  li x{reg}, {self.rng.getrandbits(32)}" for reg in FREE]
        self.lines = head + ["again:"]
        names = [f"function{i}" for i in range(self.rng.randint(1, 4))]
        for _ in range(self.rng.randint(2, 6)):
            self.rng.choice([self.branch, self.inner_loop, self.hardware_loop,
                             lambda: self.plain(8),
                             lambda: self.put(
                                 f"jal {self.rng.choice(names)}")])()
        if self.rng.random() < 0.2:
            self.change_code()
        self.put("addi x9, x9, -1")
        self.put("beqz x9, over")
        self.put("j again")
        self.lines.append("over:")
        for i, reg in enumerate(range(32)):
            self.put(f"sw x{reg}, {MEMORY - 256 + 4 * i}(x8)"
                     if MEMORY < 2048 + 256 else
                     f"la x9, registers\n  sw x{reg}, {4 * i}(x9)"
                     if reg != 9 else "nop")
        self.put("li a0, 1\n  la a1, registers")
        self.put(f"li a2, {128 + MEMORY}\n  li a7, 64\n  ecall")
        self.put("li a0, 0\n  li a7, 93\n  ecall")
        for i, name in enumerate(names):
            self.function(name, names[i + 1:])
        self.lines += ["  .data", "  .balign 4", "registers:", "  .space 128",
                       "memory:"]
        self.lines += [f"  .word {self.rng.getrandbits(32):#x}"
                       for _ in range(MEMORY // 4)]
        return "\n".join(self.lines) + "\n"


def anything(seed):
    """Words without sense, some of them instructions."""
    rng = random.Random(seed)
    lines = ["  .option norelax", "  .text", "  .globl _start", "_start:",
             "  la x8, memory", "1:"]
    for _ in range(rng.randint(1, 40)):
        row = rng.choice(ROWS)
        word = rng.getrandbits(32) & ~row[2] & 0xFFFFFFFF | row[3]
        lines.append(f"  .word {word:#x}" if rng.random() < 0.7 else
                     f"  .half {rng.getrandbits(16):#x}")
    lines += ["  j 1b", "  .data", "memory:", "  .space 4096"]
    return "\n".join(lines) + "\n"


def assemble(text, path):
    with open(path + ".s", "w") as file:
        file.write(text)
    subprocess.run(
        ["clang-22", "--target=riscv32", "-march=rv32imac_zicsr_zifencei",
         "-mabi=ilp32", "-nostdlib", "-fuse-ld=lld", "-static", path + ".s",
         "-o", path], check=True)


def run(path, arguments, *options):
    done = subprocess.run(
        ["spinc-sim", "--bare", "--max-cycles=3000000", *options, path,
         *arguments], capture_output=True)
    return done.stdout, done.stderr.decode(), done.returncode


def instructions(result):
    counts = re.findall(r"(\d+) instructions", result[1])
    return result[0], counts[-1:], result[2]


def compare(path, arguments=()):
    expected = run(path, arguments, "--engine=simple")
    if expected[2] < 0:
        raise SystemExit(f"{path}: signal {-expected[2]}")
    for after in ("1", "2", "30"):
        got = run(path, arguments, "--engine=fast",
                  "--translate-after=" + after)
        if got != expected:
            raise SystemExit(f"{path}, translated after {after}:\n"
                             f"simple {expected[1:]}\nfast   {got[1:]}")
    if expected[2] == 0:
        got = run(path, arguments, "--engine=functional",
                  "--translate-after=2")
        if instructions(got) != instructions(expected):
            raise SystemExit(f"{path}, functional:\nsimple {expected[1:]}\n"
                             f"functional {got[1:]}")
    return expected


def main():
    folder, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    ends = {0: 0, 1: 0}
    for seed in range(first, first + count):
        path = f"{folder}/random{seed}.elf"
        text = anything(seed) if seed % 4 == 3 else Program(seed).make()
        assemble(text, path)
        ends[compare(path)[2]] += 1
        os.remove(path)
    print(f"{count} random programs agree: {ends[0]} ended, {ends[1]} stopped")
    for path, rounds in zip(sys.argv[4::2], sys.argv[5::2]):
        compare(path, [rounds])
        print(f"{os.path.basename(path)} agrees")


if __name__ == "__main__":
    main()
