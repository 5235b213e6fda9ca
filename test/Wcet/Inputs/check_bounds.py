#!/usr/bin/env python3
"""Compares the cycle bounds of assembly functions with numbers in comments.

Directives of an input file (hash comments):
  #fn NAME = BOUND          expected bound, as spinc-wcet prints it
  #error NAME = TEXT        expected: no bound, with TEXT in the message
  #symbol NAME SYM LOW HIGH range of a symbol
  #loop ID NAME COUNT [PARENT]
                            COUNT: a number, or [COEF *] SYM [/ DIV] [+ CONST]
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

WCET = sys.argv[1]
SOURCE = Path(sys.argv[2])


def count(text):
    """The JSON of a count: a number or one quotient of a symbol."""
    if re.fullmatch(r"-?\d+", text):
        return {"const": int(text), "terms": []}
    match = re.fullmatch(
        r"(?:(\d+) \* )?([a-z.]+)(?: / (\d+))?(?: \+ (\d+))?", text
    )
    coef, symbol, div, const = match.groups()
    term = {"coef": int(coef or 1), "div": int(div or 1), "add": 0,
            "syms": {symbol: 1}}
    return {"const": int(const or 0), "terms": [term]}


def read_directives(text):
    handlers, loops = {}, []
    for line in text.splitlines():
        words = line.split(" ", 1)
        rest = words[1] if len(words) > 1 else ""
        if words[0] in ("#fn", "#error"):
            name, expected = rest.split(" = ", 1)
            handlers[name] = {"kind": words[0], "expected": expected,
                              "symbols": {}}
        elif words[0] == "#symbol":
            name, symbol, low, high = rest.split()
            handlers[name]["symbols"][symbol] = [int(low), int(high)]
        elif words[0] == "#loop":
            loop_id, name, bound = rest.split(" ", 2)
            parent = -1
            if match := re.fullmatch(r"(.*) in (\d+)", bound):
                bound, parent = match[1], int(match[2])
            loops.append({"id": int(loop_id), "handler": name, "line": 0,
                          "bound": count(bound), "parent": parent})
    return handlers, loops


def main():
    text = SOURCE.read_text()
    handlers, loops = read_directives(text)
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        subprocess.run(
            ["clang-22", "--target=riscv32-unknown-elf", "-march=rv32imac",
             "-g", "-c", str(SOURCE), "-o", str(base / "a.o")], check=True)
        subprocess.run(
            ["ld.lld", str(base / "a.o"), "-Ttext=0x1d000100", "--no-relax",
             "-e", "0", "-o", str(base / "a.elf")], check=True)
        for name, handler in handlers.items():
            table = {"handlers": [{"symbol": name,
                                   "symbols": handler["symbols"]}],
                     "loops": loops}
            (base / "loops.json").write_text(json.dumps(table))
            run = subprocess.run(
                [WCET, str(base / "a.elf"), "--json", "--facts",
                 str(base / "loops.json")], capture_output=True, text=True)
            if handler["kind"] == "#error":
                good = run.returncode == 1 and handler["expected"] in run.stderr
                found = run.stderr.strip()
            else:
                found = (json.loads(run.stdout)[0]["formula"]
                         if run.returncode == 0 else run.stderr.strip())
                good = found == handler["expected"]
                if good:
                    good, found = check_account(json.loads(run.stdout)[0])
            if not good:
                failures += 1
                print(f"{name}: expected {handler['expected']}, got {found}")
    print(f"{len(handlers)} functions, {failures} wrong")
    return 1 if failures or not handlers else 0


def check_account(bound):
    """The cycles of all lines together are the worst case."""
    total = sum(line["cycles"] for line in bound["lines"])
    return total == bound["worst"], f"lines sum up to {total}"


if __name__ == "__main__":
    sys.exit(main())
