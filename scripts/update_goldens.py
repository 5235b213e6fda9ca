#!/usr/bin/env python3
"""Rewrites the golden files of the tests from what spinc says now.

A golden test compares in one line, `spinc … %s | diff %s.ast -` or
`cd %S && not spinc … 2>&1 | diff name.expected -`. This script runs the part
before `diff` and writes the file. Review the change as you review code.

usage: update_goldens.py [--build DIR] [TEST …]    (all of test/ by default)
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUN = re.compile(r"//\s*RUN:\s*(.*)")
GOLDEN = re.compile(
    r"^(?:cd %S && )?(?:not )?spinc (?P<args>.*?)(?P<merge> 2>&1)?\s*\|\s*"
    r"diff (?P<golden>\S+) -$"
)


def run_lines(path):
    """The RUN lines of a test, continued lines joined."""
    joined = ""
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        found = RUN.match(line)
        if not found:
            continue
        joined += found.group(1).strip()
        if joined.endswith("\\"):
            joined = joined[:-1].rstrip() + " "
            continue
        yield joined
        joined = ""


def update(path, spinc):
    """Rewrites the golden files of one test; returns those that changed."""
    changed = []
    for line in run_lines(path):
        match = GOLDEN.match(line)
        if not match:
            continue
        expand = lambda text: text.replace("%s", path.name)
        arguments = expand(match["args"]).split()
        errors = subprocess.STDOUT if match["merge"] else subprocess.PIPE
        done = subprocess.run(
            [spinc, *arguments],
            cwd=path.parent,
            stdout=subprocess.PIPE,
            stderr=errors,
            check=False,
        )
        golden = path.parent / expand(match["golden"])
        if golden.exists() and golden.read_bytes() == done.stdout:
            continue
        golden.write_bytes(done.stdout)
        changed.append(golden)
    return changed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("tests", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    spinc = options.build.resolve() / "bin" / "spinc"
    if not spinc.exists():
        sys.exit(f"update_goldens: {spinc} is not built")
    tests = options.tests or sorted((ROOT / "test").rglob("*.spinc"))
    for test in tests:
        for golden in update(test.resolve(), spinc):
            print(golden.relative_to(ROOT))


if __name__ == "__main__":
    main()
