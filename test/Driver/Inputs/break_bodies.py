"""Puts one mistake into each body of a handler or function of the programs in
some folders: the compiler tells that one and nothing that follows from it.

  break_bodies.py SPINC FOLDER...
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BODY = re.compile(r"^\s*(handler \w+|\w+ \w+)\((?:[^(){};]|\([^()]*\))*\)[^;{}]*\{",
                  re.MULTILINE)
NO_BODY = ("header", "struct", "context", "enum", "else")


def broken(text):
    """The text with the mistake in one body, for each body."""
    for match in BODY.finditer(text):
        if match[1].split()[0] not in NO_BODY:
            yield text[: match.end()] + " undeclared = 1; " + text[match.end():]


def compile_text(spinc, program, text, folder):
    descriptor, path = tempfile.mkstemp(".spinc", dir=folder)
    os.write(descriptor, text.encode())
    os.close(descriptor)
    return subprocess.run(
        [spinc, path, "-I", program.parent, "-o", os.devnull],
        capture_output=True, text=True, timeout=60)


def main():
    spinc, folders = sys.argv[1], map(pathlib.Path, sys.argv[2:])
    programs = [path for folder in folders
                for path in sorted(folder.rglob("*.spinc"))]
    cases = [(path, text) for path in programs
             for text in broken(path.read_text())]
    with (tempfile.TemporaryDirectory() as folder,
          concurrent.futures.ThreadPoolExecutor(2) as pool):
        runs = pool.map(lambda case: compile_text(spinc, *case, folder), cases)
        for (path, _), run in zip(cases, runs):
            errors = re.findall(r" error: .*", run.stderr)
            told = [error for error in errors if "[E0201]" in error]
            if run.returncode != 1 or len(errors) != 1 or not told:
                sys.exit(f"{path}: {run.returncode}\n{run.stderr}")
    print(f"{len(cases)} bodies broken, each told once")


if __name__ == "__main__":
    main()
