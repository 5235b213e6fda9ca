"""Random descriptions under each MPI library and under spinc-ddt.

    compare.py --bin DIR --first SEED --count N [--large] [--keep DIR] LIBRARY…

For each tree and each library (mpich, openmpi):

- the map of MPI_Pack is the map of spinc-ddt for the description that the
  import library wrote, bounds of the library included, and MPI_Unpack does the
  reverse of MPI_Pack;
- the map of spinc-ddt for the description as generated, with bounds by the
  formulas of the standard, is that of the libraries. Where those disagree, it is
  that of one of them: two of three agree.

What a library is known to do wrong is listed in defects.json, and so is where
libraries go their own ways about bounds. Both are counted, nothing is left out.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import random_types

HERE = Path(__file__).resolve().parent


def nodes(tree: dict):
    yield tree
    for child in [tree["of"]] if "of" in tree else tree.get("types", []):
        yield from nodes(child)


def has_empty_part(tree: dict) -> bool:
    """A part without data, or blocks of none."""
    return any(node["size"] == 0 or node.get("blocklen") == 0 or
               0 in node.get("blocklens", []) for node in nodes(tree))


def has_marker(tree: dict) -> bool:
    """Bounds that were set, which outdo the bounds of other members."""
    return any(node["k"] in ("resized", "subarray", "darray")
               for node in nodes(tree))


def has_stride_of_minus_one(tree: dict) -> bool:
    """One byte back from block to block."""
    return any(node.get("stride_bytes") == -1 or node["k"] == "vector" and
               node["stride"] * node["of"]["extent"] == -1
               for node in nodes(tree))


def bounds(answer: dict) -> list:
    """Lower bounds and extents of all nodes, as a library sees them."""
    description = answer.get("description")
    return [[node["lb"], node["extent"]]
            for node in nodes(description["type"])] if description else []


def run_lines(command: list, cases: list[dict]) -> list[dict]:
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for case in cases:
            file.write(json.dumps(case, separators=(",", ":")) + "\n")
        file.flush()
        result = subprocess.run([*command, file.name], capture_output=True,
                                text=True)
    if result.returncode:
        sys.exit(f"{command[0]} ended with {result.returncode}: "
                 f"{result.stderr[-2000:]}")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    if len(found) != len(cases):
        sys.exit(f"{command[0]}: {len(found)} answers to {len(cases)} cases")
    return found


class Library:
    def __init__(self, name: str, options: argparse.Namespace,
                 cases: list[dict]):
        self.name = name
        folder = options.bin
        flags = ["--large"] if options.large else []
        self.found = run_lines([options.tools / f"spinc-ddt-mpi-{name}", *flags], cases)
        # What cannot be imported is compared with nothing.
        described = [answer.get("description", case)
                     for answer, case in zip(self.found, cases)]
        self.imported = run_lines([folder / "ddt-blocks"], described)

    def complaint(self, index: int) -> str | None:
        """How the library and spinc-ddt differ on the imported description."""
        found, imported = self.found[index], self.imported[index]
        for key in ("died", "error"):
            if key in found:
                return f"{key}: {found[key]}"
        if "error" in imported:
            return f"spinc-ddt refuses the import: {imported['error']}"
        if found["not_moved"]:
            return f"{found['not_moved']} bytes are not moved"
        if found["hash"] != imported["hash"]:
            return "map"
        if found.get("unpack", "same") != "same":
            return found["unpack"]
        return None


class Comparison:
    def __init__(self, options: argparse.Namespace):
        self.cases = [random_types.case(seed) for seed in range(
            options.first, options.first + options.count)]
        self.libraries = [Library(name, options, self.cases)
                          for name in options.libraries]
        self.plain = run_lines([options.bin / "ddt-blocks"], self.cases)
        defects = json.loads((HERE / "defects.json").read_text())
        self.defects = defects["defects"]
        self.freedoms = defects["bounds"]
        self.counts: Counter = Counter()
        self.failures: list[tuple[dict, str]] = []

    def holds(self, condition: str, index: int) -> bool:
        # Of a library that could describe it, if any: with sizes.
        tree = next((library.found[index]["description"]["type"]
                     for library in self.libraries
                     if "description" in library.found[index]), None)
        if tree is None:
            return False
        if condition == "empty part":
            return has_empty_part(tree)
        if condition == "stride of -1 byte":
            return has_stride_of_minus_one(tree)
        if condition == "marker":
            return has_marker(tree)
        if condition == "libraries differ":
            return len({json.dumps(bounds(library.found[index]))
                        for library in self.libraries}) > 1
        sys.exit(f"defects.json: there is no condition '{condition}'")

    def known(self, entries: list, index: int, library: str = "",
              complaint: str = "") -> dict | None:
        for entry in entries:
            if (entry.get("library", "") == library
                    and complaint.startswith(entry.get("symptom", ""))
                    and all(self.holds(name, index)
                            for name in entry["when"])):
                return entry
        return None

    def check_imports(self, index: int) -> list[Library]:
        """Libraries that have given a map, after checking each alone."""
        usable = []
        for library in self.libraries:
            complaint = library.complaint(index)
            if complaint is None:
                self.counts[f"{library.name}: same map as imported"] += 1
                usable.append(library)
                continue
            defect = self.known(self.defects, index, library.name, complaint)
            if defect:
                self.counts[f"{library.name}: {defect['name']}"] += 1
            else:
                self.fail(index, f"{library.name}: {complaint}")
        return usable

    def check_plain(self, index: int, usable: list[Library]) -> None:
        plain = self.plain[index]
        if "error" in plain:
            self.fail(index, f"spinc-ddt refuses: {plain['error']}")
            return
        maps = [library.found[index]["hash"] for library in usable]
        if all(found == plain["hash"] for found in maps):
            self.counts["standard's bounds: all agree"] += bool(maps)
        elif plain["hash"] in maps:
            self.counts["standard's bounds: two of three agree"] += 1
        else:
            entry = self.known(self.freedoms, index)
            if entry:
                self.counts[f"standard's bounds: {entry['name']}"] += 1
            else:
                self.fail(index, "no library has the map of spinc-ddt with "
                                 "the standard's bounds")

    def fail(self, index: int, reason: str) -> None:
        self.failures.append((self.cases[index], reason))

    def run(self) -> None:
        for index in range(len(self.cases)):
            usable = self.check_imports(index)
            # With one library there are no two of three.
            if len(self.libraries) > 1:
                self.check_plain(index, usable)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=Path, required=True,
                        help="folder of ddt-blocks")
    parser.add_argument("--tools", type=Path, required=True,
                        help="folder of spinc-ddt-mpi-<library>")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--large", action="store_true",
                        help="build with the constructors with large counts "
                             "where a library has them")
    parser.add_argument("--keep", type=Path,
                        help="write the trees that fail to this folder")
    parser.add_argument("libraries", nargs="+", metavar="LIBRARY")
    options = parser.parse_args()
    comparison = Comparison(options)
    comparison.run()
    for text, count in sorted(comparison.counts.items()):
        print(f"{count:6} {text}")
    for case, reason in comparison.failures[:20]:
        print(f"{case['name']}: {reason}\n  {json.dumps(case['type'])}")
    if options.keep and comparison.failures:
        options.keep.mkdir(parents=True, exist_ok=True)
        for case, reason in comparison.failures:
            text = json.dumps({**case, "comment": reason}, indent=1)
            (options.keep / f"{case['name']}.json").write_text(text + "\n")
    print(f"{len(comparison.cases)} trees, {len(comparison.failures)} failures")
    return 1 if comparison.failures else 0


if __name__ == "__main__":
    sys.exit(main())
