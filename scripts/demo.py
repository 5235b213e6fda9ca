"""./dev demo: compiles the examples, runs them on captured packets, checks
each against its oracle, and prints one table.

Exit status 1 if an oracle fails, a handler is stopped, or a measured cycle
count is above the bound that the compiler has proved.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

import images
import table

ROOT = images.ROOT

HEADER = ["handler", "capture", "code bytes", "budget", "worst bound",
          "cycles min/med/max", "packets", "Gbit/s", "oracle"]


def examples() -> list[str]:
    """Folders of examples/ with a list of the captures they run on."""
    return sorted(path.parent.name
                  for path in (ROOT / "examples").glob("*/captures.txt"))


def captures_of(build: Path, example: str) -> list[Path]:
    """A name ending in .pcap is a file below examples/; any other is a capture
    that examples/captures/generate.py has written."""
    names = (ROOT / "examples" / example / "captures.txt").read_text().split()
    return [ROOT / "examples" / name if name.endswith(".pcap")
            else build / "captures" / f"{name}.pcap" for name in names]


def run_example(program: Path, capture: Path) -> dict:
    result = subprocess.run(
        [str(program), str(capture)], capture_output=True, text=True
    )
    sys.stderr.write(result.stderr)
    try:
        return json.loads(result.stdout)
    except ValueError:
        raise images.Failure(
            f"{program.name} on {capture.name} ended with "
            f"{result.returncode} and printed no result"
        ) from None


def rows_of(meta: dict, symbols: dict, result: dict) -> tuple[list, list]:
    """Rows for the handlers that ran, and what is wrong with them."""
    rows, wrong = [], []
    (context,) = [c for c in meta["contexts"] if c["name"] == result["context"]]
    stats = {h["handler"]: h for h in result["handlers"]}
    for handler in context["handlers"]:
        measured = stats[handler["kind"]]
        symbol = handler["symbol"]
        worst = handler["bound"]["worst"]
        budget = handler.get("budget")
        if measured["runs"] and measured["cyclesMax"] > worst:
            wrong.append(
                f"{symbol} on {result['capture']}: {measured['cyclesMax']} "
                f"cycles measured, above the bound of {worst}"
            )
        cycles = "/".join(
            str(measured[key])
            for key in ("cyclesMin", "cyclesMedian", "cyclesMax")
        )
        payload = handler["kind"] == "payload"
        rows.append([
            symbol, Path(result["capture"]).stem, symbols[symbol][1],
            budget["text"] if budget else "-", worst,
            cycles if measured["runs"] else "-",
            result["packets"] if payload else measured["runs"],
            f"{result['rate']:.1f}" if payload else "-",
            result["oracle"],
        ])
    if result["oracle"] != "pass":
        wrong.append(f"{result['program']} on {result['capture']}: "
                     f"{result['mismatch']}")
    return rows, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("examples", nargs="*", metavar="EXAMPLE",
                        help="only these")
    options = parser.parse_args()
    known = examples()
    unknown = [name for name in options.examples if name not in known]
    if unknown:
        parser.error(f"no example '{unknown[0]}'; there are "
                     f"{', '.join(known)}")

    build = options.build
    start = time.monotonic()
    rows, wrong = [], []
    try:
        for name in options.examples or known:
            print(f"==> {name}: compiling the handlers and the host program",
                  flush=True)
            out = build / "examples" / name
            out.mkdir(parents=True, exist_ok=True)
            elf = out / f"{name}.elf"
            images.compile_image(
                build, ROOT / "examples" / name / f"{name}.spinc", elf)
            program = images.build_host(build, name, out)
            meta, symbols = images.metadata(elf), images.symbols(elf)
            for path in captures_of(build, name):
                print(f"==> {name}: running on {path.name}", flush=True)
                new_rows, new_wrong = rows_of(
                    meta, symbols, run_example(program, path))
                rows += new_rows
                wrong += new_wrong
    except images.Failure as failure:
        print(f"demo: error: {failure}", file=sys.stderr)
        return 1
    print(f"\n{table.render(HEADER, rows)}\n")
    print("Cycles are those in which a core works, 1 cycle = 1 ns. Worst bound: "
          "proved by the\ncompiler for any packet. Gbit/s: packets taken, "
          "first arrival to last feedback,\nreceived at 400 Gbit/s by 32 "
          f"cores. Took {time.monotonic() - start:.0f} s.")
    for text in wrong:
        print(f"demo: error: {text}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
