"""Random datatypes through the whole chain: generated handler, compiler, card.

    verify_random.py --tool SPINC-DDT --first SEED --count N

For each tree `spinc-ddt --verify` makes the handler and runs messages in packets
of 64 to 4096 bytes, in random order, through the simulator. A tree may be
refused for a reason that is listed here; anything else is a failure.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import random_types

REFUSALS = {
    "overlapping": re.compile(r"overlap|more than once|twice"),
    "no strategy fits": re.compile(r"no [a-z-]+ handler: "),
}


def outcome(tool: Path, path: Path, flags: list[str]) -> str:
    """What became of a description; starts with "failure" if it is one."""
    result = subprocess.run([tool, path, "--verify", *flags],
                            capture_output=True, text=True, timeout=300)
    if result.returncode == 0 and "all bytes where they belong" in result.stdout:
        return "right"
    if result.returncode == 1 and len(result.stderr.splitlines()) == 1:
        for name, pattern in REFUSALS.items():
            if pattern.search(result.stderr):
                return name
    return (f"failure: status {result.returncode}: {result.stdout[-300:]}"
            f"{result.stderr[-2000:]}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("flags", nargs="*", help="for spinc-ddt, after --")
    options = parser.parse_args()
    counts: Counter = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.count):
            case = random_types.case(seed)
            path = Path(folder) / f"seed{seed}.json"
            path.write_text(json.dumps(case))
            found = outcome(options.tool, path, options.flags)
            if found.startswith("failure"):
                print(f"seed {seed}: {found}\n  {json.dumps(case)}")
            counts[found.split(":")[0]] += 1
    print(f"{options.count} trees: {dict(sorted(counts.items()))}")
    return 1 if counts["failure"] else 0


if __name__ == "__main__":
    sys.exit(main())
