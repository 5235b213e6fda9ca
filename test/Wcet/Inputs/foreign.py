#!/usr/bin/env python3
"""Bounds programs that clang made, with flow facts, against their execution.

First without facts: spinc-wcet must name each missing one. The facts that it
proposes, filled in, must give a bound that is not below the simulated cycles,
and not far above those of a worst-case input.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

WCET, SIM = sys.argv[1], sys.argv[2]
SOURCE = Path(__file__).with_name("kernels.c")
# What is known of the loop at each line: runs of its header for each entry
# and, of the triangular one, in all.
FACTS = {}
for number, text in enumerate(SOURCE.read_text().splitlines(), 1):
    if known := re.search(r"// (\d+)(?:, (\d+) in all)?$", text):
        FACTS[number] = {"iterations": int(known[1])}
        if known[2]:
            FACTS[number]["total"] = int(known[2])
MISSING = re.compile(r'kernels.c:(\d+): .*"function": "(\w+)", '
                     r'"offset": (\d+)')


# How far a bound may lie above the cycles of a worst input: the header of a
# loop runs once more than its body, a branch goes the shorter way.
SLACK = 1.15


def build(base, kernel, level):
    image = base / f"{kernel}{level}.elf"
    subprocess.run(
        ["clang-22", "--target=riscv32-unknown-elf", "-march=rv32imac", level,
         "-g", "-ffreestanding", "-nostdlib", "-fno-unroll-loops",
         "-fuse-ld=lld", f"-DKERNEL={kernel}", str(SOURCE), "-o", str(image)],
        check=True)
    return image


def bound(image, facts):
    path = image.with_suffix(".json")
    path.write_text(json.dumps({"loops": facts}))
    return subprocess.run(
        [WCET, str(image), "--bare", "--json", "--function=_start",
         f"--facts={path}"], capture_output=True, text=True)


def find_facts(image):
    """Adds the fact that each refusal names until there is a bound."""
    facts = []
    for _ in range(8):
        done = bound(image, facts)
        found = MISSING.search(done.stderr)
        if not found:
            return done, facts
        facts.append({"function": found[2], "offset": int(found[3])}
                     | FACTS[int(found[1])])
    return done, facts


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for kernel in range(4):
            for level in ("-O0", "-O1", "-O2", "-Os"):
                image = build(Path(folder), kernel, level)
                done, facts = find_facts(image)
                if done.returncode != 0:
                    print(f"kernel {kernel} {level}: {done.stderr.strip()}")
                    failures += 1
                    continue
                worst = json.loads(done.stdout)[0]["worst"]
                ran = subprocess.run([SIM, "--bare", str(image)],
                                     capture_output=True, text=True)
                cycles = int(re.search(r"(\d+) cycles",
                                       ran.stdout + ran.stderr)[1])
                good = cycles <= worst <= SLACK * cycles
                print(f"kernel {kernel} {level}: {len(facts)} facts, bound "
                      f"{worst}, took {cycles}{'' if good else ' WRONG'}")
                failures += not good
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
