#!/usr/bin/env python3
"""Runs random programs in the simulator and compares with their bounds.

Exact programs (straight-line code, counted loops, calls) must take exactly the
cycles of their bound; programs with branches on data at most those. What the
simulator does not count of the final ecall is measured once, on a program that
has nothing else.
"""
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from assembly import Assembly, loop_table

WCET, SIM, COUNT = sys.argv[1], sys.argv[2], int(sys.argv[3])
DATA = ["a0", "a1", "a2", "a3", "a4", "a5", "s2", "s3"]
COUNTERS = ["s6", "s7", "s8", "s9"]
PREFIX = """
  .text
  .globl _start
  .type _start,@function
_start:
  lui s0, 0x1b014
  addi sp, sp, -64
"""
SUFFIX = """
  li a7, 93
  li a0, 0
  ecall
"""
DATA_SECTION = """
  .section .data,"aw",@progbits
  .fill 1024, 4, 0x12345679
"""


class Program(Assembly):
    def __init__(self, seed, exact):
        super().__init__()
        self.random = random.Random(seed)
        self.exact = exact
        self.loops = []
        self.functions = []
        self.first_counter = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def reg(self):
        return self.pick(*DATA)

    def operation(self):
        rand = self.random
        kind = rand.randrange(14)
        if kind <= 4:
            op = self.pick("add", "sub", "xor", "and", "or", "sltu", "mul")
            self.emit(f"{op} {self.reg()}, {self.reg()}, {self.reg()}")
        elif kind == 5:
            self.emit(f"addi {self.reg()}, {self.reg()}, "
                      f"{rand.randrange(-64, 64)}")
        elif kind == 6:
            self.emit(f"{self.pick('mulhu', 'mulh')} {self.reg()}, "
                      f"{self.reg()}, {self.reg()}")
        elif kind == 7:
            divisor = self.pick(0, 1, 10, 0x12345, -1, -7, 0x7fffffff)
            op = self.pick("div", "divu", "rem", "remu")
            if self.exact:
                self.emit(f"li t0, {divisor}")
                self.emit(f"{op} {self.reg()}, {self.reg()}, t0")
            else:
                self.emit(f"{op} {self.reg()}, {self.reg()}, {self.reg()}")
        elif kind <= 9:
            op = self.pick("lw", "lh", "lhu", "lb", "lbu")
            self.emit(f"{op} {self.reg()}, {rand.randrange(0, 200)}(s0)")
        elif kind <= 11:
            op = self.pick("sw", "sh", "sb")
            base = self.pick("s0", "sp")
            self.emit(f"{op} {self.reg()}, {rand.randrange(0, 60)}({base})")
        elif kind == 12:
            op = self.pick("amoadd.w", "amoswap.w", "amomaxu.w")
            self.emit(f"{op} {self.reg()}, {self.reg()}, (s0)")
            # The bound takes every access right after it for one to its bank.
            if self.exact:
                self.emit(self.pick("nop", "lw a0, 0(s0)", "add a0, a0, a1"))
        else:
            self.emit(f"lui t1, {rand.randrange(1 << 20)}")

    def body(self, depth, length):
        for _ in range(length):
            choice = self.random.randrange(12)
            if choice == 0 and depth < 2:
                self.loop(depth)
            elif choice == 1 and not self.exact:
                self.branch(depth)
            elif choice == 2 and self.functions:
                self.emit(f"jal {self.pick(*self.functions)}")
            else:
                self.operation()

    def loop(self, depth):
        counter = COUNTERS[self.first_counter + depth]
        number = len(self.loops)
        trips = self.random.randrange(1, 6)
        self.loops.append(trips)
        top = self.label()
        self.emit(f"li {counter}, {trips}")
        self.place(top)
        self.mark(number)
        self.emit(f"addi {counter}, {counter}, -1")
        self.body(depth + 1, self.random.randrange(1, 6))
        # Far branches are inverted around a jump by the assembler: keep short.
        self.emit(f"bnez {counter}, {top}")

    def branch(self, depth):
        op = self.pick("beq", "bne", "bltu", "bge")
        other, end = self.label(), self.label()
        self.emit(f"{op} {self.reg()}, {self.reg()}, {other}")
        self.body(depth, self.random.randrange(1, 4))
        if self.random.randrange(2):
            self.emit(f"j {end}")
        self.place(other)
        self.body(depth, self.random.randrange(1, 4))
        self.place(end)

    def text(self):
        tail, names = [], []
        self.first_counter = 2
        for index in range(self.random.randrange(0, 3)):
            name = f"helper{index}"
            self.lines = []
            for _ in range(self.random.randrange(1, 6)):
                self.operation()
            if self.random.randrange(2):
                self.loop(0)
            tail += [f"{name}:"] + self.lines + ["  ret"]
            names.append(name)
        self.functions = names
        self.first_counter = 0
        self.lines = []
        self.body(0, self.random.randrange(5, 25))
        return "\n".join([PREFIX] + self.lines + [SUFFIX] + tail +
                         [DATA_SECTION])


def measure(folder, text, loops):
    """The bound and the simulated cycles of a program."""
    base = Path(folder)
    (base / "a.s").write_text(text)
    (base / "a.json").write_text(json.dumps(loop_table("_start", loops)))
    subprocess.run(["clang-22", "--target=riscv32-unknown-elf",
                    "-march=rv32imac", "-c", base / "a.s", "-o",
                    base / "a.o"], check=True)
    subprocess.run(["ld.lld", base / "a.o", "--image-base=0x1b000000",
                    "-Ttext=0x1b001000", "-Tdata=0x1b014000", "-e", "_start", "-o",
                    base / "a.elf"], check=True)
    bound = subprocess.run([WCET, base / "a.elf", "--json", "--facts",
                            base / "a.json"], capture_output=True,
                           text=True)
    if bound.returncode != 0:
        raise SystemExit(f"{text}\n{bound.stderr}")
    run = subprocess.run([SIM, "--bare", base / "a.elf"],
                         capture_output=True, text=True)
    found = re.search(r"(\d+) cycles", run.stdout + run.stderr)
    if run.returncode != 0 or not found:
        raise SystemExit(f"simulator: {run.stdout}{run.stderr}")
    return json.loads(bound.stdout)[0]["worst"], int(found.group(1))


def main():
    failures = 0
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        bound, cycles = measure(folder, PREFIX + SUFFIX + DATA_SECTION, [])
        ending = bound - cycles
        for seed in range(COUNT):
            exact = seed % 2 == 0
            program = Program(seed, exact)
            text = program.text()
            bound, cycles = measure(folder, text, program.loops)
            bound -= ending
            good = bound == cycles if exact else bound >= cycles
            ratios.append(bound / cycles)
            if not good:
                failures += 1
                print(f"seed {seed} ({'exact' if exact else 'random'}): "
                      f"bound {bound}, simulated {cycles}")
    print(f"{COUNT} programs, {failures} wrong, largest ratio "
          f"{max(ratios):.2f}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
