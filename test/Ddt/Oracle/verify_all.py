"""Published cases through each strategy, in both directions.

    verify_all.py --tool SPINC-DDT --cases FILE.jsonl [--jobs N] [LABEL...]

Each case goes through `spinc-ddt --verify` with the specialised handler and the
three variants of the general one, and with the specialised handler that sends.
One line for each: right, or why the handler is refused. Anything else is a
failure, as is a reason that is none of the documented limits.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

WAYS = {
    "specialised": ["--strategy=specialised"],
    "ro-checkpoints": ["--strategy=ro-checkpoints"],
    "rw-checkpoints": ["--strategy=rw-checkpoints"],
    "hpu-local": ["--strategy=hpu-local"],
    "send": ["--strategy=specialised", "--direction=send"],
}
# The limits that docs/datatypes.md states.
LIMITS = re.compile(
    r"bytes of the layout overlap"
    r"|it spans more than 2\^31 bytes|it spans 2\^32 bytes or more"
    r"|a packet may take [0-9]+ cycles, and the card ends a handler after"
    r"|it is nested too deeply|it has too many loops|its lists are too long"
    r"|tables of [0-9]+ words, more than|more than 8 parts")


def outcome(tool: Path, path: Path, flags: list[str]) -> str:
    """`right`, `refused: …` or `failure: …`."""
    try:
        done = subprocess.run([tool, path, "--verify", *flags],
                              capture_output=True, text=True, timeout=1200)
    except subprocess.TimeoutExpired:
        return "failure: takes more than 20 minutes"
    said = done.stdout.splitlines()
    if done.returncode == 0 and len(said) == 1 and \
            said[0].endswith("all bytes where they belong"):
        return "right: " + said[0].split(": ", 2)[2].rsplit(":", 1)[0]
    if done.returncode == 1 and len(done.stderr.splitlines()) == 1 and \
            LIMITS.search(done.stderr):
        return "refused: " + done.stderr.strip().split(": ", 3)[-1]
    return f"failure: status {done.returncode}: {done.stderr[-2000:].strip()}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", type=Path, required=True)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("labels", nargs="*", help="all cases, unless named")
    options = parser.parse_args()
    cases = [json.loads(line) for line in options.cases.open(encoding="utf-8")]
    labels = set(options.labels) or {case["label"] for case in cases}
    chosen = [case for case in cases if case["label"] in labels]
    if labels - {case["label"] for case in chosen}:
        parser.error("no such case")
    counts: Counter = Counter()
    with tempfile.TemporaryDirectory() as folder, \
            ThreadPoolExecutor(options.jobs) as pool:
        runs = []
        for case in chosen:
            path = Path(folder) / (case["label"] + ".json")
            path.write_text(json.dumps({"spinc_ddt": 1, "count": case["count"],
                                        "type": case["type"]}))
            runs += [(case["label"], way,
                      pool.submit(outcome, options.tool, path, flags))
                     for way, flags in WAYS.items()]
        for label, way, run in runs:
            found = run.result()
            counts[way, found.split(":")[0]] += 1
            print(f"{label} {way}: {found}", flush=True)
    for (way, kind), count in sorted(counts.items()):
        print(f"{way}: {count} {kind}")
    return 1 if any(kind == "failure" for _, kind in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
