#!/usr/bin/env python3
"""How long a cycle bound takes: each handler of the examples, and functions of
so many instructions with loops, branches and memory accesses. Times are user
time of spinc-wcet, less what it takes to start; best of several runs.

    bench/wcet_growth.py [--build build] [--runs 3] [--check]

--check fails above 20 ms for an example's handler, 1 s for 10,000 instructions."""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test/Wcet/Inputs"))
from assembly import Assembly, loop_table  # noqa: E402

SIZES = [100, 300, 1000, 3000, 10000]
HANDLER_LIMIT, LARGE_LIMIT = 0.020, 1.0
REGISTERS = ["a0", "a1", "a2", "a3", "a4", "a5", "s2", "s3", "s4"]
COUNTERS = ["s6", "s7", "s8"]


def user_time(command, runs):
    best = None
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        best = used if best is None else min(best, used)
    return best


class Function(Assembly):
    """Random code of a given length; the text of each loop holds its marker."""

    def __init__(self, size):
        super().__init__()
        self.random = random.Random(size)
        self.left, self.loops = size, []

    def emit(self, text):
        super().emit(text)
        self.left -= 1

    def operation(self):
        pick = self.random.choice
        a, b, c = pick(REGISTERS), pick(REGISTERS), pick(REGISTERS)
        self.emit(pick([f"add {a}, {b}, {c}", f"xor {a}, {b}, {c}",
                        f"lw {a}, {4 * self.random.randrange(8)}(sp)",
                        f"mul {a}, {b}, {c}", f"sltu {a}, {b}, {c}"]))

    def loop(self, depth):
        number, top = len(self.loops), self.label()
        self.loops.append(self.random.randrange(2, 9))
        self.emit(f"li {COUNTERS[depth]}, {self.loops[-1]}")
        self.place(top)
        self.mark(number)
        self.emit(f"addi {COUNTERS[depth]}, {COUNTERS[depth]}, -1")
        self.body(depth + 1, self.random.randrange(4, 12))
        # A branch reaches 4 KiB only.
        end = self.label()
        self.emit(f"beqz {COUNTERS[depth]}, {end}")
        self.emit(f"j {top}")
        self.place(end)

    def body(self, depth, pieces):
        for _ in range(pieces):
            if self.left <= 0:
                return
            kind = self.random.randrange(8)
            if kind == 0 and depth < len(COUNTERS):
                self.loop(depth)
            elif kind <= 2:
                other = self.label()
                self.emit(f"beq {self.random.choice(REGISTERS)}, a0, {other}")
                for _ in range(self.random.randrange(1, 6)):
                    self.operation()
                self.place(other)
            else:
                self.operation()

    def text(self):
        while self.left > 0:
            self.body(0, 10)
        return "\n".join(["  .text", "  .globl f", "  .type f,@function", "f:",
                          "  addi sp, sp, -64", *self.lines,
                          "  addi sp, sp, 64", "  ret", ""])


def build(size, folder):
    """The image and the table of its loops."""
    function = Function(size)
    source, elf = folder / "f.s", folder / f"f{size}.elf"
    source.write_text(function.text())
    facts = folder / f"f{size}.json"
    facts.write_text(json.dumps(
        loop_table("f", [rounds ** 3 for rounds in function.loops])))
    subprocess.run(["clang-22", "--target=riscv32", "-march=rv32imac", "-c",
                    source, "-o", folder / "f.o"], check=True)
    subprocess.run(["ld.lld", folder / "f.o", "-Ttext=0x1d000100", "-e", "f",
                    "-o", elf], check=True)
    return elf, facts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    binaries = args.build / "bin"
    wcet, good = binaries / "spinc-wcet", True
    start = user_time([wcet, "--version"], args.runs)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for program in sorted((ROOT / "examples").glob("*/*.spinc")):
            elf = folder / (program.stem + ".elf")
            subprocess.run([binaries / "spinc", program, "-o", elf], check=True)
            report = subprocess.run([wcet, elf, "--json"], check=True,
                                    stdout=subprocess.PIPE).stdout
            handlers = len(json.loads(report))
            each = max(0, user_time([wcet, elf], args.runs) - start) / handlers
            good &= each <= HANDLER_LIMIT
            print(f"{program.stem:12} {1000 * each:8.1f} ms for each handler")
        for size in SIZES:
            elf, facts = build(size, folder)
            used = max(0, user_time([wcet, elf, "--facts", facts], args.runs)
                       - start)
            good &= size < SIZES[-1] or used <= LARGE_LIMIT
            bar = "#" * max(1, round(40 * used / LARGE_LIMIT))
            print(f"{size:6} instructions {1000 * used:8.1f} ms "
                  f"{1e6 * used / size:7.1f} µs each  {bar}")
    return 1 if args.check and not good else 0


if __name__ == "__main__":
    sys.exit(main())
