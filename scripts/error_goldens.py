#!/usr/bin/env python3
"""Checks what the compiler says and repairs, code by code. For the failing
program of each page of docs/errors:

* its messages are those of test/Diagnostics/text/<code>.txt, letter by letter;
* its SARIF log is valid by the schema of SARIF 2.1.0 and names the code;
* where the messages have a repair (`--fix`), the golden file has the
  difference, and the repaired program does not give the code again.

usage: error_goldens.py SPINC [--update] [CODE …]
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema

import check_error_pages as pages

ROOT = pages.ROOT
GOLDENS = ROOT / "test" / "Diagnostics" / "text"
SCHEMA = (
    ROOT / "test" / "Diagnostics" / "Inputs" / "sarif" / "sarif-schema-2.1.0.json"
)


def sarif_problems(code, kind, text, spinc, validator):
    """What is wrong with the SARIF log of a failing program."""
    if kind != "spinc":
        return []
    _, output = pages.run(kind, text, spinc, "--diagnostics=sarif")
    log = json.loads(output)
    found = [
        f"SARIF: {error.json_path}: {error.message}"
        for error in validator.iter_errors(log)
    ]
    results = log["runs"][0]["results"]
    if {result["ruleId"] for result in results} != {code}:
        found.append(f"SARIF: results are not {code}")
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    for result in results:
        rule = rules[result["ruleIndex"]]
        if rule["id"] != result["ruleId"] or "markdown" not in rule["help"]:
            found.append("SARIF: a result leads to a wrong rule")
    return found


def repaired(text, spinc):
    """Standard output and error of --fix, and the repaired program."""
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "page.spinc")
        program.write_text(text, encoding="utf-8")
        done = subprocess.run(
            [spinc, program.name, "--fix", "-o", "page.elf"],
            cwd=folder,
            capture_output=True,
            check=False,
        )
        fixed = program.read_text(encoding="utf-8")
        left = sorted(os.listdir(folder))
        messages = done.stderr.decode("utf-8", "replace")
        return done.returncode, messages, fixed, left


def fix_problems(code, text, spinc):
    """What is wrong with the repair of a program that has one."""
    status, messages, fixed, left = repaired(text, spinc)
    found = []
    if fixed == text:
        return ["--fix changes nothing, but --fix=dry does"]
    if f"[{code}]" in messages:
        found.append(f"--fix leaves {code}:\n{messages}")
    if status == 0 and left != ["page.elf", "page.spinc"]:
        found.append(f"--fix leaves the files {left}")
    return found


def check(code, spinc, validator, update):
    """Problems of a code, and whether its program has a repair."""
    blocks = pages.blocks_of(code)
    if "Failing" not in blocks:
        return [], False
    kind, text = blocks["Failing"]
    _, output = pages.run(kind, text, spinc)
    has_fix = False
    found = sarif_problems(code, kind, text, spinc, validator)
    if kind == "spinc":
        _, dry = pages.run(kind, text, spinc, "--fix=dry")
        difference = re.search(r"^--- page\.spinc\n(?:.*\n?)*?(?=\Z|^page\.spinc:)", dry, re.M)
        has_fix = difference is not None
        if has_fix:
            output += "\n" + difference.group(0)
            found += fix_problems(code, text, spinc)
    # The library stands beside the compiler, wherever that is.
    output = output.replace(os.path.dirname(os.path.dirname(spinc)), "BUILD")
    golden = GOLDENS / f"{code}.txt"
    if update:
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(output, encoding="utf-8")
    elif not golden.exists():
        found.append(f"has no golden {golden.name}")
    elif golden.read_text(encoding="utf-8") != output:
        found.append(f"differs from {golden.name}:\n{output}")
    return found, has_fix


def main():
    arguments = sys.argv[1:]
    update = "--update" in arguments
    names = [argument for argument in arguments if argument != "--update"]
    if not names:
        sys.exit(__doc__)
    spinc = os.path.abspath(names[0])
    validator = jsonschema.Draft4Validator(
        json.loads(SCHEMA.read_text(encoding="utf-8"))
    )
    failures = 0
    repairs = []
    chosen = names[1:] or list(pages.codes())
    for code in chosen:
        found, has_fix = check(code, spinc, validator, update)
        if has_fix:
            repairs.append(code)
        for problem in found:
            print(f"{code}: {problem}")
            failures += 1
    if failures:
        sys.exit(1)
    print(f"{len(chosen)} codes hold, {len(repairs)} with a repair:", *repairs)


if __name__ == "__main__":
    main()
