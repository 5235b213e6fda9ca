"""For each instruction with a CORE-V twin and random operands: LLVM reads a
word of the twin, we read it, and we re-encode it and read the result. All
three have the same name, registers and numbers.

LLVM knows no hardware loops of CORE-V; those are left out here.
"""

import re
import subprocess
import sys

ROUNDS = 32  # of isa-words


def run(command, text):
    done = subprocess.run(command, input=text, check=True,
                          capture_output=True, text=True)
    return done.stdout.strip().split("\n")


def parse(text):
    """The name without its prefix, and the operands, sorted: LLVM has another
    order for some memory accesses. Targets of branches are numbers."""
    name, operands = (text.split(None, 1) + [""])[:2]
    words = re.findall(r"-?0x[0-9a-f]+|-?\b\d+\b|[a-z]\w*", operands)
    plain = re.sub(r"^(pv?|cv)\.", "", name).lower()
    return {"slet": "sle", "sletu": "sleu"}.get(plain, plain), sorted(
        str(int(word, 0) % 2**32) if word[0] in "-0123456789" else word
        for word in words)


def main():
    tool = sys.argv[1]
    rows = [line.split(None, 1) for line in run([tool, "rows"], "")]
    rows = [row for row in rows if not row[1].startswith("lp.")]
    words = [int(word, 16) for word, _ in rows]
    twins = run([tool, "reencode"], "".join(f"{w:x}\n" for w in words))
    features = "xcvmem xcvalu xcvbitmanip xcvmac xcvbi xcvsimd xcvelw"
    code = "".join(
        ", ".join(f"0x{w >> k & 255:02x}" for k in (0, 8, 16, 24)) + "\n"
        for w in words)
    read = run(["llvm-mc", "--disassemble", "--triple=riscv32", "-M", "no-aliases",
                "--mattr=+" + ",+".join(features.split())], code)
    read = [line.strip() for line in read if line.strip().startswith("cv.")]
    if len(read) != len(words):
        raise SystemExit(f"LLVM reads {len(read)} of {len(words)} words")
    for (_, ours), llvm, twin in zip(rows, read, twins):
        if twin != ours:
            raise SystemExit(f"'{ours}' became '{twin}'")
        if parse(llvm) != parse(ours):
            raise SystemExit(f"LLVM reads '{llvm}', we '{ours}'")
    print(f"{len(rows) // ROUNDS} instructions keep their meaning")


if __name__ == "__main__":
    main()
