"""Whether spinc-ddt-import has captured the types that an oracle has built:
captured.py ORACLE-OUTPUT CAPTURED. Names and counts are not the types' own."""

import json
import sys


def lines(path: str) -> list[dict]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def main() -> int:
    built, captured = (lines(path) for path in sys.argv[1:])
    same = sum(a["description"]["type"] == b["type"]
               for a, b in zip(built, captured))
    print(f"{same} of {max(len(built), len(captured))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
