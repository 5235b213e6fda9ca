"""What the tests of the instruction set share: reading the rows of the table,
building small programs and running them."""

import os
import random
import re
import subprocess

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../../.."))
INSNS = os.path.join(ROOT, "runtime", "isa", "insns")

EDGES = [0, 1, 2, 31, 32, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF,
         0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0x01020384]


def mnemonics(group):
    """The mnemonics of a .def file, in order."""
    with open(os.path.join(INSNS, group + ".def")) as file:
        text = re.sub(r"//.*", "", file.read())
    row = r'(?:INSN\(\s*\w+\s*,|COMPRESSED\()\s*"([^"]+)"'
    return re.findall(row, text)


def operands(rng, count):
    """Pairs of values: edge cases first, random ones after."""
    pairs = [(rng.choice(EDGES), rng.choice(EDGES)) for _ in range(count // 2)]
    pairs += [(rng.getrandbits(32), rng.getrandbits(32))
              for _ in range(count - len(pairs))]
    return pairs


def new_rng(name):
    return random.Random("spinc " + name)


HEAD = """  .option norelax
  .option norvc
  .text
  .globl _start
_start:
  la s0, results
"""

TAIL = """
  li a0, 1
  la a1, results
  sub a2, s0, a1
  li a7, 64
  ecall
  li a0, 0
  li a7, 93
  ecall
  .bss
  .balign 4096
results: .space {size}
"""


def store(register):
    return f"  sw {register}, 0(s0)\n  addi s0, s0, 4\n"


def build(body, path, size=1 << 20, data=""):
    """Assembles a program whose results lie at s0 on."""
    source = path + ".s"
    with open(source, "w") as file:
        file.write(HEAD + body + TAIL.format(size=size) + data)
    subprocess.run(
        ["clang-22", "--target=riscv32", "-march=rv32imac_zicsr_zifencei",
         "-mabi=ilp32", "-nostdlib", "-fuse-ld=lld", "-static", source, "-o",
         path], check=True)


def run_sim(path, *options):
    done = subprocess.run(["spinc-sim", "--bare", *options, path],
                          capture_output=True)
    if done.returncode:
        raise SystemExit(done.stderr.decode())
    return done.stdout


def words(output):
    return [int.from_bytes(output[i:i + 4], "little")
            for i in range(0, len(output), 4)]
