#!/usr/bin/env python3
"""Measures how many correct programs the compiler accepts: compiles each of
test/Precision/*.spinc. A program begins with a comment that says what it is; one
that must be rejected says EXPECTED-REJECTED and why. Prints the rate, the
annotations that only the compiler needs (`bound(n)`) and each program that was
judged wrongly.

usage: precision.py SPINC [--at-least=PERCENT] [PROGRAM …]
"""

import pathlib
import re
import subprocess
import sys

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "test" / "Precision"
ANNOTATION = re.compile(r"\bbound\(")
CODE = re.compile(r": error: .*\[E\d{4}\]$", re.MULTILINE)


def compile_program(spinc, path):
    """Exit status and errors."""
    done = subprocess.run(
        [spinc, path.name, "-o", "/dev/null"],
        cwd=path.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout.decode("utf-8", "replace")


def main():
    arguments = sys.argv[1:]
    least = [a.split("=")[1] for a in arguments if a.startswith("--at-least=")]
    names = [a for a in arguments if not a.startswith("--at-least=")]
    if not names:
        sys.exit(__doc__)
    spinc = pathlib.Path(names[0]).resolve()
    chosen = [pathlib.Path(name).resolve() for name in names[1:]]
    chosen = chosen or sorted(PROGRAMS.glob("*.spinc"))
    good = accepted = wrong = lines = annotations = 0
    for path in chosen:
        text = path.read_text(encoding="utf-8")
        if not text.startswith("// "):
            print(f"{path.name}: does not begin with a comment")
            wrong += 1
        status, output = compile_program(spinc, path)
        lines += len(text.splitlines())
        annotations += len(ANNOTATION.findall(text))
        if status not in (0, 1):
            print(f"{path.name}: exit status {status}: {output}")
            wrong += 1
        elif "EXPECTED-REJECTED" in text:
            if status == 0:
                print(f"{path.name}: accepted, but it is wrong")
                wrong += 1
        else:
            good += 1
            accepted += status == 0
            if status != 0:
                print(f"{path.name}: rejected")
                for error in CODE.findall(output):
                    print(f"  {error[2:]}")
    rate = 100 * accepted / max(good, 1)
    print(
        f"{accepted} of {good} correct programs accepted ({rate:.1f} %), "
        f"{annotations} annotations in {lines} lines"
    )
    if wrong or (least and rate < float(least[0])):
        sys.exit(1)


if __name__ == "__main__":
    main()
