#!/usr/bin/env python3
"""Early estimates against the final figures: early_budgets.py BIN PROGRAM|FOLDER …

Each handler of the programs gets budgets that allow nothing, or nothing for an
empty payload, so that spin-check-budgets says what it is sure of; that must be
no more than what the image says of the handler. Programs that spinc rejects are
left out."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

BIN = pathlib.Path(sys.argv[1])
HANDLER = re.compile(r"spin\.handler @.* kind\((header|payload|completion)\)")
FOUND = re.compile(r":(\d+):\d+: error: E0517: .* at least (\d+) (.*?)"
                   r"(?: where p.length is (\d+))?, the budget")
FREE = "<affine_map<() -> (0)>>"
ONLY_EMPTY = '<affine_map<()[s0] -> (s0 * 1000000)>, "p.length">'


def value_at(counts, values):
    """The largest of `counts`; None where a quantity is not known."""
    results = []
    for count in counts:
        total = count["const"]
        for term in count["terms"]:
            if not set(term["syms"]) <= set(values):
                return None
            inside = term["add"] + sum(factor * values[name]
                                       for name, factor in term["syms"].items())
            total += term["coef"] * (inside // term["div"])
        results.append(total)
    return max(results)


def final(handler, resource, length):
    """What the image says of the handler at this payload length."""
    if resource == "stack":
        return handler["stackBytes"]
    figure = handler["bound"]
    if resource == "occupancy":
        figure = figure["figures"]["occupancy"]
    values = {} if length is None else {"p.length": length}
    known = value_at(figure["cycles"], values)
    return figure["worst"] if known is None else known


def early(text, resource, limit):
    """Line of the handler, estimate and payload length of each refusal."""
    budget = f'budget <"", lineRate = false, {resource} = {limit}> '
    lines = []
    for line in text.splitlines():
        if HANDLER.search(line):
            line = re.sub(r'budget <"[^"]*", lineRate.*> \{', "{", line)
            if limit == FREE or "kind(payload)" in line:
                line = line.rstrip("{") + budget + "{"
        lines.append(line)
    said = subprocess.run([BIN / "spinc-opt", "--spin-check-budgets"],
                          input="\n".join(lines), text=True,
                          capture_output=True).stderr
    assert all("E0517" in line for line in said.splitlines()
               if "error:" in line), said
    for line, estimate, _, length in FOUND.findall(said):
        yield int(line), int(estimate), int(length) if length else None


def main():
    counts = {"cycles": 0, "occupancy": 0, "stack": 0}
    wrong = 0
    programs = [program for path in map(pathlib.Path, sys.argv[2:])
                for program in ([path] if path.is_file()
                                else sorted(path.rglob("*.spinc")))]
    with tempfile.TemporaryDirectory() as folder:
        image, meta = f"{folder}/image.elf", f"{folder}/meta"
        for program in programs:
            if subprocess.run([BIN / "spinc", program, "-o", image],
                              capture_output=True).returncode:
                continue
            subprocess.run(["llvm-objcopy-22", "--dump-section",
                            f".spin.meta={meta}", image, "/dev/null"],
                           check=True)
            handlers = [handler for context in
                        json.loads(pathlib.Path(meta).read_text())["contexts"]
                        for handler in context["handlers"]]
            text = subprocess.run([BIN / "spinc", program, "--emit=spin-opt"],
                                  check=True, capture_output=True,
                                  text=True).stdout
            at_line = [number for number, line in
                       enumerate(text.splitlines(), 1) if HANDLER.search(line)]
            for resource in counts:
                # A limit of stack is a constant.
                for limit in (FREE, ONLY_EMPTY)[:1 + (resource != "stack")]:
                    for line, estimate, length in early(text, resource, limit):
                        if line not in at_line or \
                                at_line.index(line) >= len(handlers):
                            continue
                        handler = handlers[at_line.index(line)]
                        sure = final(handler, resource, length)
                        counts[resource] += 1
                        if estimate > sure:
                            wrong += 1
                            print(f"{program}: {handler['symbol']}: "
                                  f"{resource} {estimate} > {sure}")
    for resource, count in counts.items():
        print(f"{resource}: {count} estimates")
    print(f"{wrong} above the final figure")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
