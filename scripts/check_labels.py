#!/usr/bin/env python3
"""Checks that each rule label of docs/language.md is enforced and tested.

Every **label** in the reference must occur in the code that enforces it and in
a test, and code and tests must not name a label that the reference lacks.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LABEL = re.compile(r"\b(?:mod|nam|typ|pkt|mat|sta|hdl|act|lop|bnd|bud|low)-\d+\b")
DEFINITION = re.compile(r"^\* \*\*([a-z]+-\d+)\*\*", re.MULTILINE)
CODE = {".cpp", ".h", ".td", ".def", ".g4"}
TESTS = {".spinc", ".mlir", ".test", ".py", ".cpp", ".c"}


def labels_under(folders, suffixes):
    """Label -> the first file that names it."""
    found = {}
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in suffixes and path.is_file():
                for label in LABEL.findall(path.read_text(errors="replace")):
                    found.setdefault(label, path.relative_to(ROOT))
    return found


def main():
    text = (ROOT / "docs/language.md").read_text()
    defined = DEFINITION.findall(text)
    code = labels_under(["compiler", "dialect", "runtime"], CODE)
    tests = labels_under(["test"], TESTS)
    problems = [f"{label}: defined twice in docs/language.md"
                for label in sorted(set(defined)) if defined.count(label) > 1]
    for label in defined:
        if label not in code:
            problems.append(f"{label}: no code names it")
        if label not in tests:
            problems.append(f"{label}: no test names it")
    for where in (code, tests):
        for label, path in sorted(where.items()):
            if label not in defined:
                problems.append(f"{label}: {path} names it, "
                                "docs/language.md does not")
    for problem in problems:
        print(problem)
    print(f"{len(defined)} labels, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
