"""For each instruction with a CORE-V twin: LLVM reads a word of the twin, we
re-encode it and read the result. Their names must be the same; operand bits
are not touched."""

import re
import subprocess
import sys


def run(command, text):
    done = subprocess.run(command, input=text, check=True,
                          capture_output=True, text=True)
    return done.stdout.strip().split("\n")


def main():
    tool = sys.argv[1]
    rows = [line.split() for line in run([tool, "rows"], "")]
    words = [int(word, 16) for word, _ in rows]
    twins = run([tool, "reencode"], "".join(f"{w:x}\n" for w in words))
    features = "xcvmem xcvalu xcvbitmanip xcvmac xcvbi xcvsimd xcvelw"
    code = "".join(
        ", ".join(f"0x{w >> k & 255:02x}" for k in (0, 8, 16, 24)) + "\n"
        for w in words)
    read = run(["llvm-mc", "--disassemble", "--triple=riscv32",
                "-M", "numeric", "--mattr=+" + ",+".join(features.split())],
               code)
    read = [re.sub(r"\s+", " ", line.strip()) for line in read
            if line.strip().startswith("cv.")]
    if len(read) != len(words):
        raise SystemExit(f"LLVM reads {len(read)} of {len(words)} words")
    for (_, name), llvm, ours in zip(rows, read, twins):
        if not ours.startswith(name):
            raise SystemExit(f"'{llvm}' became '{ours}', not {name}")
        plain = re.sub(r"^p(v)?\.", "", name).lower()
        theirs = llvm.split()[0][3:]
        same = {"slet": "sle", "sletu": "sleu"}.get(plain, plain)
        if theirs != same:
            raise SystemExit(f"'{llvm}' became '{ours}'")
    print(f"{len(rows)} instructions keep their meaning")


if __name__ == "__main__":
    main()
