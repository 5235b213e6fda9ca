#!/usr/bin/env python3
"""Writes docs/SpinDialect.md and docs/SpinPasses.md from the TableGen files.

With --check writes nothing, and fails if a page is not what the files say, or
if an operation, attribute, type or pass lacks a summary, a description or an
example. Needs the mlir-tblgen of LLVM 22 on PATH.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OPS = "dialect/Spin/IR/SpinOps.td"
PASSES = [
    "dialect/Spin/Transforms/Passes.td",
    "dialect/Conversion/SpinToLLVM/Passes.td",
]
# Enumerations are documented by the operations that use them.
DOCUMENTED = {"Op", "AttrDef", "TypeDef", "PassBase"}
EXEMPT = {"EnumAttr"}


def tblgen(name, arguments, source):
    found = shutil.which("mlir-tblgen")
    if not found:
        sys.exit("dialect_docs.py: mlir-tblgen is not on PATH")
    tools = os.path.dirname(os.path.realpath(found))
    include = os.path.join(os.path.dirname(tools), "include")
    command = [os.path.join(tools, name), *arguments]
    result = subprocess.run(
        [*command, "-I", ROOT, "-I", include, source],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        sys.exit(result.stderr)
    return result.stdout


def pages():
    """The text of each page by its path."""
    dialect = tblgen(
        "mlir-tblgen", ["-gen-dialect-doc", "-dialect=spin"], OPS
    )
    passes = "".join(
        tblgen("mlir-tblgen", ["-gen-pass-doc"], source) for source in PASSES
    )
    return {
        "docs/SpinDialect.md": tidy(dialect),
        "docs/SpinPasses.md": tidy(passes),
    }


def tidy(text):
    """Without trailing blanks, which editors and git complain about."""
    lines = [line.rstrip() for line in text.rstrip().split("\n")]
    return "\n".join(lines) + "\n"


def incomplete():
    """What lacks a part of its documentation, as messages."""
    for source in [OPS, *PASSES]:
        records = json.loads(tblgen("llvm-tblgen", ["--dump-json"], source))
        for kind in DOCUMENTED:
            for name in records["!instanceof"].get(kind, []):
                record = records[name]
                if is_ours(record) and not EXEMPT & set(record["!superclasses"]):
                    yield from missing_parts(name, record)


def is_ours(record):
    dialect = record.get("opDialect") or record.get("dialect")
    return dialect is None or dialect["def"] == "Spin_Dialect"


def missing_parts(name, record):
    if not record.get("summary"):
        yield f"{name} has no summary"
    description = record.get("description") or ""
    if not description.strip():
        yield f"{name} has no description"
    elif "Example:" not in description:
        yield f"{name} has no example"


def check():
    problems = list(incomplete())
    for path, text in pages().items():
        with open(os.path.join(ROOT, path), encoding="utf-8") as page:
            if page.read() != text:
                problems.append(f"{path} is stale: run scripts/dialect_docs.py")
    for problem in sorted(set(problems)):
        print(problem)
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        sys.exit(check())
    for path, text in pages().items():
        with open(os.path.join(ROOT, path), "w", encoding="utf-8") as page:
            page.write(text)


if __name__ == "__main__":
    main()
