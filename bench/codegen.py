"""./dev bench codegen: the machine code of spinc against that of clang-22 -O3 on
the same handlers in C, with CORE-V instructions (re-encoded for PsPIN by the
compiler's own re-encoder) and with the base instruction set alone.

The kernels of bench/codegen work on the payload in place and send the packet;
the example handlers have their twins in bench/twins. All images run in
spinc-sim on the same packets, and what they send and write to the host is
compared; once more for small code, and with CORE-V's own encodings. Cycles and
bytes are the same on every machine; compile times are of this run on this
machine.

Writes results.json and plots (SVG and PNG) to --out, tables to the output.
"""

import argparse
import json
import math
import re
import sys
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "scripts"), str(ROOT / "bench")]

import bench  # noqa: E402
import images  # noqa: E402
import table  # noqa: E402
from codegen_runs import (  # noqa: E402
    CLANGS, KERNELS, PAYLOAD, SHORTER, Program, clang_command, compile_ours,
    examples, kernels, measure, run_image, without_budgets)

PRINTED = KERNELS / "printed.S"
# What manuals of the core print for d[i] = a[i] + b[i], cycles per output.
PRINTED_CYCLES = [11, 8, 5, 1.25]
PRINTED_FORMS = ["base instructions", "post-increment", "hardware loop",
                 "packed bytes"]
# What spinc may use for them: everything else of --disable is left out. The
# address of the packet is in a register in all of them.
PRINTED_SWITCHES = [{"share-task-reads"},
                    {"share-task-reads", "post-increment"},
                    {"share-task-reads", "post-increment", "hardware-loops"},
                    None]
# What both compilers may be asked for instead: title, options of spinc, level
# of clang, instructions of the cores.
VARIANTS = [("-Os", ["-Os"], "-Os", "pspin"),
            ("--target=corev", ["--target=corev"], "-O3", "corev")]
# Instructions of handlers in the SC'17 paper, without their puts: name, source,
# options of spinc-sim, published instructions, puts of a packet. spinc's put is
# a store for each word of the command, one for its kind, a load that issues it.
PUT_INSTRUCTIONS = 9
# Of those, in a loop where nothing but the destination changes.
REPEATED_PUT_INSTRUCTIONS = 2
PUBLISHED = [
    ("ping-pong", "examples/ping_pong/ping_pong.spinc", "PingPong",
     ["match_bits=10"], 18, 1),
    ("broadcast, 1024 ranks", "bench/codegen/published/broadcast.spinc",
     "Broadcast", ["match_bits=20", "ranks=1024"], 24, 10),
    ("RAID data node", "bench/codegen/published/raid_data.spinc", "RaidData",
     ["match_bits=50"], 58, 1),
    ("RAID parity node", "bench/codegen/published/raid_parity.spinc",
     "RaidParity", ["match_bits=53"], 46, 1),
    ("vector datatype", "examples/strided/strided.spinc", "Strided",
     ["match_bits=0", "block=64", "stride=100", "count=1024"], 54, 0),
]
PUBLISHED_REGION = 13  # instructions for each region of the vector datatype


# --- figures -----------------------------------------------------------------


def geometric_mean(values) -> float:
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


def ratios(results: dict, column: str, what: str) -> dict[str, float]:
    return {name: getattr(runs["spinc"], what) / getattr(runs[column], what)
            for name, runs in results.items()}


def comparison(title: str, results: dict) -> str:
    """One table: worst against clang with CORE-V first, means and maxima."""
    order = sorted(results, key=ratios(results, "clang xcv", "cycles").get,
                   reverse=True)
    rows = []
    for name in order:
        runs = results[name]
        row = [name]
        for what in ("cycles", "bytes"):
            values = [getattr(runs[c], what) for c in ("spinc", *CLANGS)]
            row += [f"{value:.0f}" for value in values]
            row += [f"{values[0] / other:.2f}" for other in values[1:]]
        rows.append(row)
    for text, pick in (("geometric mean", geometric_mean), ("maximum", max)):
        row = [text]
        for what in ("cycles", "bytes"):
            row += [""] * 3 + [f"{pick(ratios(results, c, what).values()):.2f}"
                               for c in CLANGS]
        rows.append(row)
    return table.render(
        [title, "cycles", "xcv", "rv32", "/ xcv", "/ rv32",
         "bytes", "xcv", "rv32", "/ xcv", "/ rv32"], rows)


def variant_results(build: Path, programs: list[Program], out: Path,
                    variant: tuple, results: dict) -> dict:
    """Both compilers' runs when asked for something else, with the results of
    `results`. Such code may break a budget that the usual code keeps."""
    _, flags, level, isa = variant
    found = {}
    for program in programs:
        runs = measure(build, without_budgets(program, out), out,
                       {"clang xcv": CLANGS["clang xcv"]}, flags, level, isa)
        if runs["spinc"].results != results[program.name]["spinc"].results:
            raise images.Failure(f"{program.name}: results differ with "
                                 f"{' '.join(flags)}")
        found[program.name] = runs
    return found


def variant_table(title: str, found: dict, results: dict) -> str:
    """Sorted by cycles against clang's, with what both take by default."""
    by_xcv = ratios(found, "clang xcv", "cycles")
    rows = []
    for name in sorted(found, key=by_xcv.get, reverse=True):
        row = [name]
        for what in ("cycles", "bytes"):
            ours, xcv = (getattr(found[name][c], what)
                         for c in ("spinc", "clang xcv"))
            usual = getattr(results[name]["spinc"], what)
            row += [f"{ours:.0f}", f"{xcv:.0f}", f"{ours / xcv:.2f}",
                    f"{ours / usual:.2f}"]
        rows.append(row)
    row = ["geometric mean"]
    for what in ("cycles", "bytes"):
        usual = [getattr(runs["spinc"], what)
                 / getattr(results[name]["spinc"], what)
                 for name, runs in found.items()]
        row += ["", "",
                f"{geometric_mean(ratios(found, 'clang xcv', what).values()):.2f}",
                f"{geometric_mean(usual):.2f}"]
    return table.render([title, "cycles", "xcv", "/ xcv", "/ usual",
                         "bytes", "xcv", "/ xcv", "/ usual"], [*rows, row])


def slope(build: Path, out: Path, name: str, flags: list, outputs: int) -> float:
    """Cycles per output of a kernel: from two lengths, so without what it does
    once. `outputs` are those between the lengths."""
    cycles = []
    for size in (PAYLOAD, SHORTER):
        program = next(p for p in kernels(out, size) if p.name == name)
        elf = out / f"{name}.slope.elf"
        compile_ours(build, program, elf, flags)
        cycles.append(run_image(build, program, elf).cycles)
    return (cycles[0] - cycles[1]) / outputs


def printed_forms(build: Path, out: Path) -> list[float]:
    """Cycles per output of the printed loops, by hand, on the simulator."""
    found = []
    for form in range(len(PRINTED_CYCLES)):
        cycles = []
        for count in (128, 256):
            elf = out / "printed.elf"
            images.run([
                bench.CLANG, "--target=riscv32", "-march=rv32imac",
                "-mabi=ilp32", "-nostdlib", "-fuse-ld=lld", f"-DFORM={form}",
                f"-DCOUNT={count}", PRINTED, "-o", elf])
            said = images.run([build / "bin" / "spinc-sim", "--bare", elf])
            cycles.append(int(re.search(r"(\d+) cycles", said.stderr)[1]))
        found.append((cycles[1] - cycles[0]) / 128)
    return found


def switches() -> list[str]:
    """The names that --disable takes."""
    rows = (ROOT / "compiler" / "Backend" / "Ablations.def").read_text()
    return re.findall(r'^ABLATION\(\w+, "([^"]+)"\)', rows, re.MULTILINE)


def printed_table(build: Path, out: Path) -> str:
    outputs = (PAYLOAD - SHORTER) // 3
    rows = []
    for form, printed, found, used in zip(
            PRINTED_FORMS, PRINTED_CYCLES, printed_forms(build, out),
            PRINTED_SWITCHES):
        off = [] if used is None else [n for n in switches() if n not in used]
        flags = [f"--disable={','.join(off)}"] if off else []
        ours = slope(build, out, "add8", flags, outputs)
        rows.append([form, f"{printed:g}", f"{found:g}", f"{ours:.4g}"])
    return table.render(
        ["cycles per output", "printed", "simulated", "spinc (add8)"], rows)


def ablations(build: Path, programs: list[Program], out: Path,
              results: dict) -> dict[str, dict[str, tuple[float, float]]]:
    """For each switch, cycles and bytes of the image without it over those with
    everything; also of the programs that have no twin. Without budgets nothing
    is unrolled for them: see kept_budgets."""
    programs = [*programs, *kernels(out, folder=KERNELS / "domain")]
    results = results | {p.name: measure(build, p, out, {}) for p in programs
                         if p.name not in results}
    found = {}
    for name in switches():
        if name == "budget-unrolling":
            continue
        found[name] = {}
        for program in programs:
            elf = out / f"{program.name}.without.elf"
            compile_ours(build, without_budgets(program, out), elf,
                         [f"--disable={name}"])
            run = run_image(build, program, elf)
            ours = results[program.name]["spinc"]
            if run.results != ours.results:
                raise images.Failure(f"{program.name}: results differ with "
                                     f"--disable={name}")
            found[name][program.name] = (run.cycles / ours.cycles,
                                         run.image / ours.image)
    return found


def ablation_table(found: dict) -> str:
    rows = []
    for name, both in found.items():
        slower = {program: cycles for program, (cycles, _) in both.items()}
        most = max(slower, key=slower.get)
        changed = sum(value != 1 for value in slower.values())
        rows.append([name, f"{geometric_mean(slower.values()):.3f}",
                     f"{slower[most]:.2f} ({most})" if changed else "-",
                     str(changed),
                     f"{geometric_mean(code for _, code in both.values()):.3f}"])
    return table.render(["without", "geometric mean", "most", "programs changed",
                         "bytes of code"], rows)


def payload_bound(build: Path, source: Path) -> int | None:
    """The bound of the payload handler; nothing if it is over its budget."""
    try:
        said = images.run([build / "bin" / "spinc", source, "--emit=report",
                           "--report=json", "-o", "-"])
    except images.Failure as failure:
        if "[E0510]" not in str(failure):
            raise
        return None
    return next(h["worst"] for h in json.loads(said.stdout)
                if h.get("name", "").startswith("handler payload"))


def kept_budgets(build: Path, programs: list[Program], out: Path,
                 results: dict) -> dict[str, dict[str, int]]:
    """The bound that a payload handler has without a budget, and the least that
    a budget leads to: one cycle less is asked for until that is refused."""
    found = {}
    for program in programs:
        bare = without_budgets(program, out)
        text = bare.source.read_text()
        usual = bound = payload_bound(build, bare.source)
        kept = replace(bare, source=out / f"{program.name}.budget.spinc")
        run = results[program.name]["spinc"]
        size = run.bytes
        while bound is not None:
            least = bound
            kept.source.write_text(re.sub(
                r"^(  handler payload\(.*?\)) \{$",
                rf"\1 budget(cycles <= {least - 1}) {{", text,
                flags=re.MULTILINE))
            bound = payload_bound(build, kept.source)
            if bound is None:
                break
            elf = out / f"{program.name}.budget.elf"
            compile_ours(build, kept, elf)
            other = run_image(build, kept, elf)
            if other.results != run.results:
                raise images.Failure(f"{program.name}: results differ with a "
                                     f"budget of {least - 1} cycles")
            size = other.bytes
        found[program.name] = {"usual": usual, "kept": least,
                               "usual bytes": run.bytes, "bytes": size}
    return found


def kept_table(found: dict) -> str:
    """Only where a budget asks with success."""
    rows = [[name, str(row["usual"]), str(row["kept"]),
             f"{row['kept'] / row['usual']:.2f}", str(row["usual bytes"]),
             str(row["bytes"])]
            for name, row in found.items() if row["kept"] < row["usual"]]
    return table.render(["unrolled for the budget", "usual bound",
                         "least kept", "ratio", "bytes", "then"], rows)


def overlaps(build: Path, out: Path) -> dict[str, dict[str, dict[str, float]]]:
    """Cycles from a packet's arrival to its feedback, and those of them in which
    its HPU waits for the card, with scheduled commands and without."""
    found = {}
    for program in kernels(out, folder=KERNELS / "overlap"):
        runs, results = {}, set()
        for column, flags in (("without", ["--disable=schedule-commands"]),
                              ("with", [])):
            elf = out / f"{program.name}.overlap.elf"
            compile_ours(build, program, elf, flags)
            results.add(run_image(build, program, elf).results)
            report = json.loads(elf.with_suffix(".json").read_text())
            payload = next(h for h in report["handlers"]
                           if h["kind"] == "payload")
            runs[column] = {
                "latency": report["latency"]["median"],
                "waits": payload["stalls"]["command"] / payload["count"]}
        if len(results) != 1:
            raise images.Failure(f"{program.name}: results differ with "
                                 "--disable=schedule-commands")
        found[program.name] = runs
    return found


def overlap_table(found: dict) -> str:
    rows = [[name, *(f"{runs[column][what]:.0f}" for what in ("latency", "waits")
                     for column in ("without", "with"))]
            for name, runs in found.items()]
    return table.render(["commands scheduled", "arrival to feedback", "then",
                         "waits for the card", "then"], rows)


def instructions_of(build: Path, elf: Path, function: str) -> int:
    """How many its code has."""
    listing = images.run([build / "bin" / "spinc-objdump", elf, "--no-source",
                          f"--function={function}"]).stdout
    return sum(not line.endswith(":") for line in listing.splitlines() if line)


def published_run(build: Path, out: Path, elf: Path, context: str,
                  options: list, size: int) -> float:
    """Instructions of the payload handler for a packet with `size` bytes."""
    traffic = f"kind=portals,messages=2,size={size},{options[0]}"
    sets = [f"--set={context}.{option}" for option in options[1:]]
    report = out / "published.json"
    images.run([build / "bin" / "spinc-sim", elf, f"--generate={traffic}",
                *sets, f"--json={report}"])
    payload = next(h for h in json.loads(report.read_text())["handlers"]
                   if h["kind"] == "payload")
    return payload["instructions"]["min"]


def published_table(build: Path, out: Path) -> str:
    """In the code of the handler with -Os, where loops stay loops, and run for a
    packet of 64 bytes."""
    rows = []
    for name, source, context, options, published, puts in PUBLISHED:
        elf = out / "published.elf"
        # Small code may break a budget that the fast code keeps.
        program = without_budgets(Program(
            f"published.{context}", ROOT / source, Path(), context, []), out)
        compile_ours(build, program, elf, ["-Os"])
        sites = min(puts, 1)
        static = (instructions_of(build, elf, f"{context}_ph")
                  - PUT_INSTRUCTIONS * sites)
        ran = (published_run(build, out, elf, context, options, 64)
               - PUT_INSTRUCTIONS * sites
               - REPEATED_PUT_INSTRUCTIONS * (puts - sites))
        rows.append([name, str(published), str(static), f"{ran:g}"])
        if context == "Strided":
            longer = published_run(build, out, elf, context, options, 1024)
            each = (longer - ran) / ((1024 - 64) / 64)
            rows.append(["  each region", str(PUBLISHED_REGION), "",
                         f"{each:.1f}"])
    return table.render(["instructions without puts", "published",
                         "in the code", "run for 64 bytes"], rows)


def compile_times(build: Path, programs: list[Program], out: Path,
                  runs: int) -> dict[str, tuple[float, float]]:
    """Milliseconds of both compilers, whole processes, medians."""
    return {
        p.name: (
            1000 * bench.median_time(
                [build / "bin" / "spinc", p.source, "-o", out / "time.elf"], runs),
            1000 * bench.median_time(
                clang_command(CLANGS["clang xcv"], p.twin, out / "time.o"), runs))
        for p in programs
    }


def compile_table(times: dict) -> str:
    rows = [[name, f"{a:.1f}", f"{b:.1f}", f"{a / b:.2f}"]
            for name, (a, b) in times.items()]
    mean = geometric_mean(a / b for a, b in times.values())
    return table.render(["compile ms", "spinc", "clang -O3 -c", "ratio"],
                        [*rows, ["geometric mean", "", "", f"{mean:.2f}"]])


def plot(path: Path, title: str, results: dict) -> None:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    by_xcv = ratios(results, "clang xcv", "cycles")
    names = sorted(results, key=by_xcv.get)
    figure, axes = plt.subplots(figsize=(8, 0.35 * len(names) + 1.5))
    for shift, (column, colour) in enumerate(
            zip(CLANGS, ("tab:blue", "tab:orange"))):
        values = ratios(results, column, "cycles")
        axes.barh([i + 0.4 * shift - 0.2 for i in range(len(names))],
                  [values[name] for name in names], 0.38, color=colour,
                  label=f"/ {column}")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("cycles of spinc / cycles of clang -O3")
    axes.set_title(title)
    axes.legend()
    figure.tight_layout()
    for suffix in (".svg", ".png"):
        figure.savefig(path.with_suffix(suffix), dpi=120)
    plt.close(figure)


# --- what is run -------------------------------------------------------------


def golden(build: Path, out: Path) -> str:
    """Cycles, bytes and bound of each kernel and example, one a line."""
    lines = []
    for program in [*kernels(out), *examples(build)]:
        run = measure(build, program, out,
                      {"clang rv32": CLANGS["clang rv32"]})["spinc"]
        lines.append(f"{program.name} {run.cycles:.1f} cycles {run.bytes} bytes,"
                     f" bound {payload_bound(build, program.source)}\n")
    for form, cycles in zip(PRINTED_FORMS, printed_forms(build, out)):
        lines.append(f"printed loop, {form}: {cycles:g} cycles per output\n")
    return "".join(lines)


def as_document(results: dict) -> dict:
    return {name: {column: {"cycles": run.cycles, "bytes": run.bytes,
                            "instructions": run.instructions}
                   for column, run in runs.items()}
            for name, runs in results.items()}


def full(options: argparse.Namespace, out: Path) -> None:
    build = options.build
    document, every_result = {}, {}
    every = [*kernels(out), *examples(build)]
    chosen = [p for p in every if not options.names or p.name in options.names]
    for title, programs in (("kernels", [p for p in chosen if p.kernel]),
                            ("handlers", [p for p in chosen if not p.kernel])):
        if not programs:
            continue
        results = {p.name: measure(build, p, out, CLANGS) for p in programs}
        print(comparison(title, results) + "\n", flush=True)
        every_result |= results
        plot(out / f"codegen-{title}", title, results)
        document[title] = as_document(results)
    for variant in VARIANTS:
        found = variant_results(build, chosen, out, variant, every_result)
        print(variant_table(variant[0], found, every_result) + "\n", flush=True)
        document[variant[0]] = as_document(found)
    print(printed_table(build, out) + "\n", flush=True)
    print(published_table(build, out) + "\n", flush=True)
    document["ablations"] = ablations(build, chosen, out, every_result)
    print(ablation_table(document["ablations"]) + "\n", flush=True)
    document["kept budgets"] = kept_budgets(build, chosen, out, every_result)
    print(kept_table(document["kept budgets"]) + "\n", flush=True)
    document["overlaps"] = overlaps(build, out)
    print(overlap_table(document["overlaps"]) + "\n", flush=True)
    if options.runs:
        times = compile_times(build, chosen, out, options.runs)
        print(compile_table(times))
        document["compile_ms"] = times
    (out / "results.json").write_text(json.dumps(document, indent=1) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--out", type=Path, help="default: BUILD/bench/codegen")
    parser.add_argument("--runs", type=int, default=5,
                        help="compilations of which the median counts (0: none)")
    parser.add_argument("--golden", action="store_true",
                        help="print cycles and bytes only, for the test")
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="only these kernels and examples")
    options = parser.parse_args()
    options.build = options.build.resolve()
    out = (options.out or options.build / "bench" / "codegen").resolve()
    out.mkdir(parents=True, exist_ok=True)
    try:
        if options.golden:
            sys.stdout.write(golden(options.build, out))
        else:
            full(options, out)
    except images.Failure as failure:
        print(f"codegen: error: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
