#!/usr/bin/env python3
"""Writes docs/stdlib.md from the comments of stdlib/. The comment right above a
declaration is its text; a module begins with a comment about itself. With
--check nothing is written: says what is missing or out of date, and fails.

usage: stdlib_docs.py [--check]
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STDLIB = ROOT / "stdlib"
TARGET = ROOT / "docs" / "stdlib.md"
HEAD = """# The standard library

Written in the language itself; `import net.ipv4;` is the file `stdlib/net/ipv4.spinc`. An import also shows what the module
imports. This page is made by `scripts/stdlib_docs.py` from the comments of the modules.

Built into the language, in no module: the actions, the atomic operations, the return codes, `strided`, `hpu`, `cluster`, `MTU`.
"""
DECLARATION = re.compile(
    r"^(?:const \w+ (?P<const>\w+)|header (?P<header>\w+)|enum (?P<enum>\w+)"
    r"|struct (?P<struct>\w+)|\w+(?:\[\])? (?P<function>\w+)\()"
)


def comment_above(lines, index):
    """The comment that ends right above line `index`."""
    text = []
    while index > 0 and lines[index - 1].startswith("//"):
        index -= 1
        text.insert(0, lines[index].removeprefix("//").strip())
    return " ".join(text)


def signature(lines, index):
    """A declaration as one line, without its body or value's end."""
    line = lines[index]
    if line.startswith("const"):
        return line.split(" = {")[0].rstrip(";")
    while "{" not in line:
        index += 1
        line += " " + lines[index].strip()
    head = line.split("{")[0].strip()
    if not line.startswith(("header", "struct", "enum")):
        return head
    fields = []
    for field in lines[index + 1 :]:
        if field.startswith("}"):
            break
        fields.append(" ".join(field.split("//")[0].split()))
    return f"{head} {{ {' '.join(fields)} }}"


def module_docs(path):
    """A module's section, and the names without a comment."""
    lines = path.read_text(encoding="utf-8").splitlines()
    name = ".".join(path.relative_to(STDLIB).with_suffix("").parts)
    about = []
    for line in lines:
        if not line.startswith("//"):
            break
        about.append(line.removeprefix("//").strip())
    missing = [] if about else [name]
    rows = []
    for index, line in enumerate(lines):
        found = DECLARATION.match(line)
        if not found:
            continue
        symbol = next(value for value in found.groups() if value)
        text = comment_above(lines, index)
        if not text:
            missing.append(f"{name}: {symbol}")
        code = signature(lines, index).replace("|", "\\|")
        rows.append(f"| `{code}` | {text} |")
    table = "\n".join(["| symbol | what it is |", "|---|---|", *rows])
    return f"\n## `{name}`\n\n{' '.join(about)}\n\n{table}\n", missing


def main():
    text, missing = HEAD, []
    for path in sorted(STDLIB.rglob("*.spinc")):
        section, without = module_docs(path)
        text += section
        missing += without
    for name in missing:
        print(f"{name} has no comment")
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(text, encoding="utf-8")
    elif not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
        missing.append("")
        print("docs/stdlib.md is out of date: run scripts/stdlib_docs.py")
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
