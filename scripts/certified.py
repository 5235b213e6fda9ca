#!/usr/bin/env python3
"""Tells for which programs every obligation has a certificate, by the stand-alone
run of spin-check-proofs over what spinc emits.

    scripts/certified.py --tools build/bin [--except NAME…] program.spinc...

Programs that the compiler rejects are left out. The exit code is 1 if a program
that is not excepted has an obligation without a certificate, or one that is
excepted has none."""
import argparse
import subprocess
import sys
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--except", dest="excepted", nargs="*", default=[])
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    spinc, opt = (str(Path(options.tools) / name) for name in ("spinc", "spinc-opt"))
    certified, wrong = 0, 0
    for program in options.programs:
        emitted = subprocess.run([spinc, program, "--emit=spin-opt", "-o", "-"], capture_output=True, text=True)
        if emitted.returncode == 70:
            print(f"{program}: {emitted.stderr.strip()}")
            wrong += 1
        if emitted.returncode != 0 or "spin.handler" not in emitted.stdout:
            continue
        checked = subprocess.run([opt, "--spin-check-proofs", "--mlir-print-op-on-diagnostic=false", "-", "-o", "/dev/null"],
                                 input=emitted.stdout, capture_output=True, text=True)
        isExcepted = Path(program).stem in options.excepted
        certified += checked.returncode == 0
        if (checked.returncode == 0) == isExcepted:
            first = checked.stderr.splitlines()[:1]
            print(f"{program}: {first[0] if first else 'has all certificates'}")
            wrong += 1
    print(f"{certified} programs with all certificates, {wrong} not as expected")
    return 1 if wrong else 0


sys.exit(main())
