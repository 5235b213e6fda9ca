#!/usr/bin/env python3
"""Tampers with certified IR in every way that a broken pass might, one change
at a time, and counts what spin-check-proofs lets through.

    scripts/tamper.py --tools build/bin examples test/Precision program.spinc... [--list]

A change that the checker accepts must be harmless: then spin-prove-bounds, which
shares no code with the checker, proves the changed module as well. Anything
else, and each accepted change that lowers a loop's bound, is a survivor, and the
exit code is 1."""
import argparse
import bisect
import functools
import itertools
import re
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

SEPARATOR = "// -----\n"
BATCH = 150

PREDICATES = ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"]


def others(found, choices):
    return [choice for choice in choices if choice != found]


def changes(line):
    """(kind, new line) for each way to tamper with one line of IR."""
    if re.match(r"\s*spin\.require ", line):
        yield "guard deleted", ""
    found = re.search(r"arith\.cmpi (\w+),", line)
    if found:
        for other in others(found[1], PREDICATES):
            yield "guard changed", line.replace(f"cmpi {found[1]},", f"cmpi {other},")
    found = re.search(r"(arith\.constant )(-?\d+)( : i\d+)", line)
    if found:
        value = int(found[2])
        for other in {value + 1, value - 1, value * 2, value + 4096, 0, 1} - {value}:
            yield "constant changed", line.replace(found[0], f"{found[1]}{other}{found[3]}")
    for name in ("count", "mtu", "guaranteed_bytes", "header_bytes"):
        found = re.search(name + r"\((\d+)\)", line)
        if found:
            for other in {int(found[1]) + 1, int(found[1]) - 1, int(found[1]) * 2} - {int(found[1])}:
                if other >= 0:
                    yield f"{name} changed", line.replace(found[0], f"{name}({other})")
    for found in re.finditer(r"(mask|min|max|offset) = (\d+)", line):
        for other in (int(found[2]) + 1, max(int(found[2]) - 1, 0)):
            yield "rule changed", line[: found.start()] + f"{found[1]} = {other}" + line[found.end():]
    found = re.search(r"scf\.for (unsigned )?(%\S+) = (%\S+) to (%\S+) step (%\S+)", line)
    if found:
        for place, new in (("to " + found[4], "to " + found[5]), ("step " + found[5], "step " + found[3]),
                           (" = " + found[3], " = " + found[5])):
            yield "loop changed", line.replace(place, new, 1)
    if "spin.bound = " in line and "spin.loops" not in line:
        yield from bounds(line)
    found = re.search(r'(spin\.(?:certificate|claims) = ")([^"]*)(")', line)
    if found:
        yield "certificate deleted", line.replace(found[0], found[1] + found[3])
        words = found[2].split()
        for i, word in enumerate(words):
            for new in ([""] if not word.lstrip("-").isdigit() else ["", str(int(word) + 1), "0"]):
                text = " ".join(words[:i] + ([new] if new else []) + words[i + 1:])
                yield "certificate changed", line.replace(found[2], text + " ")
    if "overflow<" not in line:
        found = re.search(r"(arith\.(?:addi|subi|muli|shli) %\S+, %\S+)( : i\d+| \{)", line)
        if found:
            for flag in ("nuw", "nsw"):
                yield "flag added", line.replace(found[0], f"{found[1]} overflow<{flag}>{found[2]}")


def bounds(line):
    found = re.search(r"spin\.bound = #spin\.bound<affine_map<(\(\)(?:\[.*?\])?) -> \((.*?)\)>(?:, \"|>)", line)
    if not found:
        return
    body = found[2]
    # Of a loop that never runs only a negative bound is less.
    lower = {f"({body}) - 1"} if body == "0" else {f"({body}) - 1", f"({body}) floordiv 2", "0"}
    for new in lower:
        yield "bound understated", line.replace(f"-> ({body})>", f"-> ({new})>", 1)


def swaps(lines):
    """Gives an access or a guard another operand of the same type."""
    access = re.compile(r"spin\.(?:load|store|wire_load|wire_store|subslice|atomic_rmw|state_copy)\b|arith\.cmpi|scf\.if|spin\.require|arith\.divui|arith\.shrui|arith\.shli")
    defined = {}
    for at, line in enumerate(lines):
        if re.match(r"\s*spin\.(handler|contract|state) ", line) or line.strip().startswith("^bb0"):
            if "spin.handler" in line:
                defined = {}
        if access.search(line):
            before = line.split(" proof ")[0].split(" : ")[0]
            start = before.find("=") + 1
            for found in list(re.finditer(r"%[\w#]+", before[start:])):
                kind = defined.get(found[0])
                near = [name for name, other in defined.items() if other == kind and name != found[0]]
                for name in near[-2:]:
                    at0, at1 = start + found.start(), start + found.end()
                    yield at, "operand swapped", line[:at0] + name + line[at1:]
        found = re.match(r"\s*(%\w+) = (?:arith\.cmpi|arith\.andi .* : i1|arith\.ori .* : i1)", line)
        if found:
            defined[found[1]] = "i1"
            continue
        found = re.match(r"\s*(%\w+) = .*(?: : | -> )(i\d+)\s*$", line)
        if found:
            defined[found[1]] = found[2]
        found = re.match(r"\s*(%\w+) = (?:spin\.slice_length|spin\.hpu_id)", line)
        if found:
            defined[found[1]] = "i32"


def unguarded(lines):
    """Moves the first statement out of each scf.if, and out of the loop that a
    body belongs to, by closing the region before it."""
    for at, line in enumerate(lines):
        if not re.match(r"\s*scf\.if %\S+ \{", line):
            continue
        depth, end = 1, at + 1
        while depth:
            depth += lines[end].count("{") - lines[end].count("}")
            end += 1
        body = lines[at + 1: end - 1]
        if lines[end - 1].strip() == "}" and not any("spin.exit" in inner for inner in body):
            yield at, end, "guard removed", body


def mutants(text):
    lines = text.splitlines(keepends=True)
    for at, line in enumerate(lines):
        for kind, new in changes(line.rstrip("\n")):
            yield kind, at, new, "".join(lines[:at] + [new + "\n"] + lines[at + 1:])
    for at, kind, new in swaps([line.rstrip("\n") for line in lines]):
        yield kind, at, new, "".join(lines[:at] + [new + "\n"] + lines[at + 1:])
    for at, end, kind, body in unguarded(lines):
        yield kind, at, "", "".join(lines[:at] + body + lines[end:])


def run(opt, passes, modules):
    """Per module whether the passes succeed; None if it does not parse."""
    verdicts = []
    for start in range(0, len(modules), BATCH):
        part = modules[start: start + BATCH]
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            begins = []
            line = 1
            for module in part:
                begins.append(line)
                file.write(module + SEPARATOR)
                line += module.count("\n") + 1
            file.flush()
            done = subprocess.run([opt, "--split-input-file", "--mlir-print-op-on-diagnostic=false", *passes, file.name, "-o", "/dev/null"],
                                  capture_output=True, text=True)
            if done.returncode < 0:
                raise SystemExit(f"{opt} died on {file.name}: {done.stderr[-6000:]}")
        failed = {}
        for found in re.finditer(r"\.mlir:(\d+):\d+: error: (.*)", done.stderr):
            failed.setdefault(bisect.bisect(begins, int(found[1])) - 1, found[2])
        if done.stderr and not failed:
            raise SystemExit(f"errors without a place: {done.stderr[:1000]}")
        verdicts += [failed.get(index) for index in range(len(part))]
    return verdicts


# What spin-check-proofs says of a module that it refuses. Other messages are of
# other verifiers: the module is not well-formed.
REFUSALS = ("spin-check-proofs", "op has no valid certificate", "behind its end", "does not name a loop")


@dataclass
class Outcome:
    """What became of the changes of one program, by their kinds."""
    rows: dict = field(default_factory=dict)  # made, refused, harmless, survived
    survivors: list = field(default_factory=list)

    def count(self, kind, column):
        row = self.rows.setdefault(kind, [0, 0, 0, 0])
        row[0] += 1
        row[column] += 1


def try_program(spinc, opt, every, program):
    """Tampers with the certified IR of one program; None if it has none."""
    done = subprocess.run([spinc, program, "--emit=spin-opt", "-o", "-"], capture_output=True, text=True)
    if done.returncode != 0 or "spin.handler" not in done.stdout:
        return None
    outcome, passed = Outcome(), []
    # Another first change for each program, so that each kind has its turn.
    made = list(itertools.islice(mutants(done.stdout), zlib.crc32(Path(program).name.encode()) % every, None, every))
    for (kind, at, new, module), reason in zip(made, run(opt, ["--spin-check-proofs"], [made_one[3] for made_one in made])):
        if reason and any(refusal in reason for refusal in REFUSALS):
            outcome.count(kind, 1)
        elif not reason and kind.startswith("certificate"):
            outcome.count(kind, 2)  # the program is the same and still proved
        elif not reason:
            passed.append((kind, at, new, module))
    again = run(opt, ["--spin-strip-certificates", "--spin-prove-bounds"], [module for *_, module in passed])
    for (kind, at, new, _), reason in zip(passed, again):
        survived = reason is not None or kind.startswith("bound")
        outcome.count(kind, 3 if survived else 2)
        if survived:
            outcome.survivors.append((at + 1, kind, new.strip(), reason))
    return outcome


def print_table(outcomes):
    table = {}
    for outcome in outcomes:
        for kind, row in outcome.rows.items():
            table[kind] = [a + b for a, b in zip(table.get(kind, [0, 0, 0, 0]), row)]
    print(f"{'change':22}{'made':>8}{'refused':>9}{'harmless':>10}{'survived':>10}")
    rows = sorted(table.items()) + [("all", [sum(column) for column in zip([0, 0, 0, 0], *table.values())])]
    for kind, row in rows:
        print(f"{kind:22}{row[0]:8}{row[1]:9}{row[2]:10}{row[3]:10}" + (f"   in {len(outcomes)} programs" if kind == "all" else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", required=True, type=Path)
    parser.add_argument("--list", action="store_true", help="print the survivors")
    parser.add_argument("--every", type=int, default=1, help="make only each N-th change")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time")
    parser.add_argument("programs", nargs="+", type=Path, help="programs, or folders of them; what spinc rejects is left out")
    options = parser.parse_args()
    programs = [file for name in options.programs for file in (sorted(name.rglob("*.spinc")) if name.is_dir() else [name])]
    work = functools.partial(try_program, options.tools / "spinc", options.tools / "spinc-opt", options.every)
    with ThreadPoolExecutor(options.jobs) as pool:
        tried = dict(zip(programs, pool.map(work, programs)))
    outcomes = {program: outcome for program, outcome in tried.items() if outcome}
    print_table(outcomes.values())
    if options.list:
        for program, outcome in outcomes.items():
            for line, kind, new, reason in outcome.survivors:
                print(f"{program}:{line}: {kind}: {new}  [{reason}]")
    return 1 if any(outcome.survivors for outcome in outcomes.values()) else 0


sys.exit(main())
