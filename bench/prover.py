"""How long the proofs take: generated handlers of 100 to 10 000 lines through
the passes that prove bounds, find loop bounds, and certify and check what is
proved. Writes a table, and a plot to BUILD/bench/prover.svg. Of a handler that
is refused for want of a certificate, the table says so.

usage: prover.py [--build=DIR] [--runs=N]
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

from matplotlib.figure import Figure

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
sys.path.insert(0, str(ROOT / "bench"))

import images  # noqa: E402
import scaling  # noqa: E402
import table  # noqa: E402

SIZES = [100, 200, 500, 1000, 2000, 5000, 10000]
# By what they are for.
PASSES = {
    "prove, twice": ["SpinProveBounds"],
    "loop bounds": ["SpinDemandLoopBounds", "SpinInferLoopBounds"],
    "certify, check": ["SpinCertify", "SpinCheckProofs", "CheckedPasses"],
}
# What the passes that CheckedPasses runs take together.
NESTED = "'builtin.module' Pipeline"


def pass_times(report: str) -> dict[str, float]:
    """Milliseconds by pass, from the list that --mlir-timing prints."""
    found: dict[str, float] = {}
    for seconds, name in re.findall(
            rf"^ +([\d.]+) \( *[\d.]+%\)  (\w+|{NESTED})", report, re.MULTILINE):
        found[name] = found.get(name, 0.0) + 1000 * float(seconds)
    # Within CheckedPasses run folding and unrolling, which prove nothing.
    found["CheckedPasses"] -= found.get(NESTED, 0.0)
    return found


def measure(build: Path, lines: int, runs: int,
            folder: Path) -> list[float] | None:
    """Lines of the handler, operations, and milliseconds by pass. None if it is
    refused."""
    source = folder / "long.spinc"
    source.write_text(scaling.program(lines))
    module = folder / "long.mlir"
    images.run([build / "bin/spinc", source, "--emit=spin", "-o", module])
    times = []
    for _ in range(runs):
        try:
            done = images.run([
                build / "bin/spinc-opt", "--spin-optimize", "--mlir-timing",
                "--mlir-timing-display=list", module, "-o", "/dev/null"])
        except images.Failure as failure:
            if "E0420" in str(failure):
                return None
            raise
        times.append(pass_times(done.stderr))
    # The least: other work on the machine only adds.
    least = [min(sum(t.get(name, 0.0) for name in names) for t in times)
             for names in PASSES.values()]
    operations = module.read_text().count("\n")
    return [lines, operations, *least]


def plot(rows: list[list[float]], path: Path) -> None:
    figure = Figure(figsize=(6, 4))
    axes = figure.subplots()
    lines = [row[0] for row in rows]
    for i, name in enumerate(PASSES):
        axes.loglog(lines, [row[2 + i] for row in rows], "o-", label=name)
    axes.loglog(lines, [rows[-1][2] * n / lines[-1] for n in lines], "--",
                color="grey", label="linear")
    axes.set_xlabel("lines of the handler")
    axes.set_ylabel("ms")
    axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measured = {lines: measure(options.build.resolve(), lines,
                                   options.runs, Path(folder))
                    for lines in SIZES}
    rows = [row for row in measured.values() if row]
    print(table.render(
        ["lines", "operations", *(f"{name} ms" for name in PASSES),
         "µs / line"],
        [[str(int(lines)), str(int(operations)),
          *(f"{time:.1f}" for time in times),
          f"{1000 * sum(times) / lines:.0f}"]
         for lines, operations, *times in rows]))
    for lines, row in measured.items():
        if not row:
            print(f"{lines} lines: refused, no certificate is found (E0420)")
    target = options.build / "bench/prover.svg"
    plot(rows, target)
    print(f"\nplot: {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
