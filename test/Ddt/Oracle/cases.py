"""What an MPI library says about the cases of cases.jsonl, against what the file
says. Usage: cases.py ORACLE CASES."""

import json
import subprocess
import sys

SAME = ("label", "size", "true_lb", "true_extent", "nblocks", "hash",
        "overlapping")


def main() -> int:
    oracle, cases = sys.argv[1:]
    with open(cases, encoding="utf-8") as file:
        expected = [json.loads(line) for line in file]
    result = subprocess.run([oracle, "--seconds=120", cases], check=True,
                            capture_output=True, text=True)
    found = [json.loads(line) for line in result.stdout.splitlines()]
    failures = abs(len(expected) - len(found))
    for want, got in zip(expected, found):
        wrong = {key: got.get(key) for key in SAME if got.get(key) != want[key]}
        for key in ("lb", "extent"):
            if got.get(key) != want["type"].get(key):
                wrong[key] = got.get(key)
        for key in ("error", "died"):
            if key in got:
                wrong[key] = got[key]
        if not want["overlapping"] and got.get("unpack") != "same":
            wrong["unpack"] = got.get("unpack")
        if wrong:
            failures += 1
            print(f"{want['label']}: {wrong}")
    print(f"{len(expected)} cases, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
