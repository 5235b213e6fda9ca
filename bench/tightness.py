#!/usr/bin/env python3
"""Bound over the dearest run that was found in the simulator, by handler.

    bench/tightness.py [--build build] [--tries 1000] [--check] [FOLDER|PROGRAM …]

Programs, or folders of them (default: examples and test/Precision); those that
spinc rejects are left out. --check fails if a handler is above 1.05, the
geometric mean above 1.01."""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORST, MEAN = 1.05, 1.01


def handlers(binaries, program, folder, tries):
    """The report of each handler; none if the program is rejected."""
    image = Path(folder) / "image.elf"
    made = subprocess.run([binaries / "spinc", program, "-o", image],
                          capture_output=True)
    if made.returncode:
        return []
    report = subprocess.run(
        [binaries / "spinc-wcet", image, "--witness", "--json",
         f"--witness-tries={tries}"], check=True, stdout=subprocess.PIPE)
    return json.loads(report.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--tries", type=int, default=1000)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("folders", type=Path, nargs="*",
                        default=[ROOT / "examples", ROOT / "test/Precision"])
    args = parser.parse_args()
    ratios = []
    print(f"{'tightness':>9} {'bound':>8} {'found':>8}  handler")
    with tempfile.TemporaryDirectory() as folder:
        for programs in args.folders:
            found = [programs] if programs.is_file() \
                else sorted(programs.rglob("*.spinc"))
            for program in found:
                for handler in handlers(args.build / "bin", program, folder,
                                        args.tries):
                    found = (handler["witness"] or {}).get("cycles")
                    ratio = handler["worst"] / found if found else math.inf
                    print(f"{ratio:9.3f} {handler['worst']:8} {found!s:>8}  "
                          f"{handler['symbol']}", flush=True)
                    ratios.append(ratio)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    exact = sum(ratio == 1 for ratio in ratios)
    print(f"{len(ratios)} handlers, {exact} exactly at the bound, "
          f"geometric mean {mean:.4f}, worst {max(ratios):.3f}")
    return 1 if args.check and (max(ratios) > WORST or mean > MEAN) else 0


if __name__ == "__main__":
    sys.exit(main())
