"""Checks the sizes of a report against the image.

    code_size.py REPORT IMAGE            the "code" part against the symbols
    code_size.py --smaller A B FUNCTION  the function is smaller in A
    code_size.py --large                 prints a program with a large handler
"""

import json
import subprocess
import sys


def sizes(elf):
    done = subprocess.run(["llvm-readelf", "--symbols", elf], check=True,
                          capture_output=True, text=True)
    rows = [line.split() for line in done.stdout.splitlines()]
    return {row[7]: int(row[2], 0) for row in rows
            if len(row) == 8 and row[3] == "FUNC"}


def check(report, elf):
    with open(report) as file:
        code = json.load(file)[-1]["code"]
    symbols = sizes(elf)
    functions = {f["name"]: f for f in code["functions"]}
    for handler in code["handlers"]:
        name = handler["symbol"]
        # Behind the last instruction there may be one of the alignment.
        if not 0 <= functions[name]["bytes"] - symbols[name] < 16:
            raise SystemExit(f"{name}: {functions[name]['bytes']} bytes, "
                             f"not {symbols[name]}")
        if handler["bytes"] != functions[name]["bytes"] or not handler["fits"]:
            raise SystemExit(f"{name}: {handler}")
        lines = sum(line["bytes"] for line in functions[name]["lines"])
        if not 0 < lines <= handler["bytes"]:
            raise SystemExit(f"{name}: lines have {lines} bytes")
    if sum(f["bytes"] for f in code["functions"]) > code["bytes"]:
        raise SystemExit("functions have more bytes than the image")
    print(f"{len(functions)} functions add up")


def large():
    print("context Large {\n  state { atomic u32 seen[64]; }\n"
          "  handler payload(packet p) {")
    for n in range(200):
        print(f"    if (p.length > {n + 1}) state.seen[p.payload[{n}] & 63]"
              f".fetch_add({n + 3});")
    print("    return SUCCESS;\n  }\n}")


def main():
    if sys.argv[1] == "--large":
        large()
    elif sys.argv[1] == "--smaller":
        a, b = (sizes(elf)[sys.argv[4]] for elf in sys.argv[2:4])
        print(f"{sys.argv[4]}: {a} {'<' if a < b else '>='} {b} bytes")
    else:
        check(*sys.argv[1:])


if __name__ == "__main__":
    main()
