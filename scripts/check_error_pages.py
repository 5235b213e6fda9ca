#!/usr/bin/env python3
"""Checks docs/errors against the compiler: every code of Codes.def has a page,
its failing program gives that code and no other, and its fixed program
compiles. A page shows programs as ```spinc blocks, or, where the mistake is no
text of a program, as ```sh blocks that run spinc in an empty folder.

usage: check_error_pages.py SPINC [CODE …]
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CODES = ROOT / "compiler" / "Diagnostics" / "Codes.def"
PAGES = ROOT / "docs" / "errors"
ROW = re.compile(r"^DIAG\((E\d{4}), \w+, (\w+),", re.MULTILINE)
# Errors that no program can show, such as those of a broken installation, say
# so instead.
UNSHOWN = "No program shows this error"
BLOCK = r"## {}\n(?:(?!\n## ).)*?```(spinc|sh)\n(.*?)```"
TITLE = re.compile(r"# (E\d{4}): [^\n]+\n")


def blocks_of(code):
    """The programs of a page by heading: {"Failing": (kind, text), …}."""
    text = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    found = {}
    for name in ("Failing", "Fixed"):
        block = re.search(BLOCK.format(name), text, re.DOTALL)
        if block:
            found[name] = block.groups()
    return found


def codes():
    """The codes of Codes.def with their severities."""
    return dict(ROW.findall(CODES.read_text(encoding="utf-8")))


def run(kind, text, spinc, *options):
    """Exit status and output of a block."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["sh", "-e", "-c", text]
        if kind == "spinc":
            program = pathlib.Path(folder, "page.spinc")
            program.write_text(text, encoding="utf-8")
            command = [spinc, program.name, "-o", "page.elf", *options]
        path = os.pathsep.join([os.path.dirname(spinc), os.environ["PATH"]])
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return done.returncode, done.stdout.decode("utf-8", "replace")


def problems(code, severity, spinc):
    """What is wrong with the page of a code."""
    page = PAGES / f"{code}.md"
    if not page.exists():
        return ["has no page"]
    text = page.read_text(encoding="utf-8")
    found = []
    title = TITLE.match(text)
    if not title or title.group(1) != code:
        found.append(f"does not begin with '# {code}: …'")
    if UNSHOWN in " ".join(text.split()):
        return found
    blocks = blocks_of(code)
    for name in ("Failing", "Fixed"):
        if name not in blocks:
            return found + [f"has no program under '## {name}'"]
    status, output = run(*blocks["Failing"], spinc)
    said = set(re.findall(r"\[(E\d{4})\]", output))
    if said != {code}:
        found.append(f"fails with {sorted(said)}:\n{output}")
    if status != (1 if severity == "Error" else 0):
        found.append(f"fails with exit status {status}")
    status, output = run(*blocks["Fixed"], spinc)
    if status != 0 or re.search(r"\[E\d{4}\]", output):
        found.append(f"the fixed program does not compile:\n{output}")
    return found


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    spinc = os.path.abspath(sys.argv[1])
    rows = codes()
    chosen = sys.argv[2:] or rows
    failures = 0
    for code in chosen:
        for problem in problems(code, rows.get(code, "Error"), spinc):
            print(f"{code}: {problem}")
            failures += 1
    for page in sorted(PAGES.glob("E*.md")):
        if page.stem not in rows:
            print(f"{page.stem}: is no code of Codes.def")
            failures += 1
    if failures:
        sys.exit(1)
    print(f"{len(chosen)} error pages hold")


if __name__ == "__main__":
    main()
