"""./dev bench ddt: receiving MPI datatypes through the card against unpacking
them on this host with MPI_Unpack. Everything comes from one run on this
machine: host times are measured, cold caches, the better of both MPI libraries;
the card is the simulator, with HPUs that compete (--contention), the packets in
order and at line rate. Nothing is asserted, but the simulator's host memory is
compared with the layout, and what is wrong ends the run.

Writes results.json and plots (SVG and PNG) to --out, tables to the output.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import images  # noqa: E402
import table  # noqa: E402

LINE_RATE = 400  # Gbit/s, of both presets
HEADER = 32
# Of the SC'17 paper, for a message of 4 MiB: unpacking after RDMA, and the card.
PUBLISHED_HOST, PUBLISHED_CARD = 11.44, 43.6  # GiB/s
VECTOR_BYTES = 4 << 20
# Name: bytes of payload, and what makes the machine. The SC'17 paper has two
# NICs: discrete, 250 ns from the host, and integrated, 50 ns away.
MACHINES = {
    "pspin": (2048, 'preset = "pspin"\n'),
    "sc17": (4096, 'preset = "sc17"\n'),
    "sc17-integrated": (4096, 'preset = "sc17"\n[host]\nwrite_ns = 50\n'
                        'rate_gbps = 1194\n'),
}
# A handler of its own for each layout, or one interpreter with tables.
STRATEGIES = ["specialised", "rw-checkpoints", "ro-checkpoints", "hpu-local"]
GENERAL = "rw-checkpoints"  # of application types
GIB = 2.0**30


def vector(block: int, total: int = VECTOR_BYTES) -> dict:
    """Blocks with gaps as long as they are."""
    return {"spinc_ddt": 1, "name": f"vector_{block}", "type": {
        "k": "vector", "count": total // block, "blocklen": block // 4,
        "stride": block // 2, "of": {"k": "named", "name": "MPI_INT"}}}


def applications(most_runs: int) -> list[dict]:
    """The application types of the tests that are small enough."""
    cases = ROOT / "test" / "Ddt" / "Inputs" / "cases.jsonl"
    found = []
    for line in cases.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["nblocks"] <= most_runs:
            found.append({"spinc_ddt": 1, "name": case["label"],
                          "count": case["count"], "type": case["type"]})
    return found


def lines_of(command: list, documents: list[dict]) -> dict[str, dict]:
    """One answer for each document, by name."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for document in documents:
            file.write(json.dumps(document, separators=(",", ":")) + "\n")
        file.flush()
        result = subprocess.run([str(word) for word in command] + [file.name],
                                capture_output=True, text=True)
    if result.returncode:
        raise images.Failure(f"{command[0]} ended with {result.returncode}:\n"
                             f"{result.stderr}")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    return {document["name"]: answer
            for document, answer in zip(documents, answers)}


def host_times(build: Path, runs: int, documents: list[dict]) -> dict:
    """Seconds of MPI_Unpack, the better library of both."""
    found = {name: lines_of([build / "bin" / f"ddt-host-{name}",
                             f"--runs={runs}"], documents)
             for name in ("mpich", "openmpi")}
    times = {}
    for document in documents:
        name = document["name"]
        answers = {mpi: answer[name] for mpi, answer in found.items()
                   if "error" not in answer[name]}
        if answers:
            best = min(answers, key=lambda mpi: answers[mpi]["cold"])
            times[name] = {**answers[best], "mpi": best}
    return times


def card_results(build: Path, machine: str, documents: list[dict],
                 strategy: str = STRATEGIES[0]) -> dict:
    payload, text = MACHINES[machine]
    results = lines_of([build / "bin" / "ddt-simulate", f"--machine={text}",
                        f"--payload={payload}", f"--strategy={strategy}"],
                       documents)
    wrong = [f"{name}: {answer['error']}" for name, answer in results.items()
             if "host memory" in answer.get("error", "")]
    if wrong:
        raise images.Failure("\n".join(wrong))
    return results


def gib(gbit: float) -> float:
    return gbit * 1e9 / 8 / GIB


def vectors(options: argparse.Namespace) -> dict:
    documents = [vector(4 << i) for i in range(0, 15, options.step)]
    host = host_times(options.build, options.runs, documents)
    card = {machine: card_results(options.build, machine, documents)
            for machine in MACHINES}
    rows = []
    for document in documents:
        name = document["name"]
        cold = VECTOR_BYTES / host[name]["cold"] / GIB
        row = [name.split("_")[1], f"{cold:.2f} ({host[name]['mpi']})"]
        for machine in MACHINES:
            answer = card[machine][name]
            row += ([f"{gib(answer['gbit']):.2f}", f"{answer['gbit']:.1f}",
                     str(answer["cycles"])]
                    if "gbit" in answer else [answer["error"][:40], "", ""])
        rows.append(row)
    print(f"\nVector of {VECTOR_BYTES >> 20} MiB, stride twice the block:\n")
    print(table.render(["block", "host GiB/s, cold"] + [
        f"{machine} {unit}" for machine in MACHINES
        for unit in ("GiB/s", "Gbit/s", "cycles")], rows))
    plot_vectors(options.out, documents, host, card)
    return {"host": host, "card": card}


def plot_vectors(out: Path, documents: list[dict], host: dict, card: dict
                 ) -> None:
    figure, axes = plt.subplots(figsize=(7, 4.5))
    names = [document["name"] for document in documents]
    blocks = [int(name.split("_")[1]) for name in names]
    axes.plot(blocks, [VECTOR_BYTES * 8 / host[name]["cold"] / 1e9
                       for name in names],
              "k--", label="MPI_Unpack here, cold caches")
    for machine, (payload, _) in MACHINES.items():
        points = [(block, card[machine][name]["gbit"])
                  for block, name in zip(blocks, names)
                  if "gbit" in card[machine][name]]
        axes.plot(*zip(*points), marker="o",
                  label=f"card, {machine}, packets of {payload} bytes")
    axes.text(blocks[0], LINE_RATE * 1.04, "line rate", color="grey")
    axes.axhline(PUBLISHED_HOST * GIB * 8 / 1e9, color="grey", linestyle=":")
    axes.text(blocks[0], PUBLISHED_HOST * GIB * 8 / 1e9 * 1.04,
              "published host, SC'17", color="grey")
    axes.set_title("Receiving a vector of 4 MiB")
    save_rates(figure, axes, out, "ddt-vector")


def strategies(options: argparse.Namespace) -> dict:
    documents = [vector(4 << i) for i in range(0, 15, 2 * options.step)]
    card = {strategy: card_results(options.build, "pspin", documents, strategy)
            for strategy in STRATEGIES}
    rows = []
    for document in documents:
        row = [document["name"].split("_")[1]]
        for strategy in STRATEGIES:
            answer = card[strategy][document["name"]]
            row += ([f"{answer['gbit']:.1f}", str(answer["cycles"]),
                     f"{answer['code_bytes'] + answer['table_bytes']:,}"]
                    if "gbit" in answer else [answer["error"][:30], "", ""])
        rows.append(row)
    print("\nThe same vector on PsPIN, by strategy (Gbit/s, median cycles of a "
          "packet, bytes of code and tables):\n")
    print(table.render(["block"] + [
        text for strategy in STRATEGIES
        for text in (strategy, "cycles", "bytes")], rows))
    plot_strategies(options.out, documents, card)
    return card


def plot_strategies(out: Path, documents: list[dict], card: dict) -> None:
    figure, axes = plt.subplots(figsize=(7, 4.5))
    for strategy, answers in card.items():
        points = [(int(document["name"].split("_")[1]),
                   answers[document["name"]]["gbit"])
                  for document in documents
                  if "gbit" in answers[document["name"]]]
        if points:
            axes.plot(*zip(*points), marker="o", label=strategy)
    axes.set_title("Receiving a vector of 4 MiB on PsPIN")
    save_rates(figure, axes, out, "ddt-strategies")


def save_rates(figure, axes, out: Path, name: str) -> None:
    """Rates over the sizes of blocks, with the rate of the link."""
    axes.axhline(LINE_RATE, color="grey", linewidth=0.8)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("bytes of a block (stride is twice that)")
    axes.set_ylabel("Gbit/s of payload")
    axes.grid(alpha=0.3)
    axes.legend()
    save(figure, out, name)


def save(figure, out: Path, name: str) -> None:
    figure.tight_layout()
    for suffix in ("png", "svg"):
        figure.savefig(out / f"{name}.{suffix}", dpi=120)
    plt.close(figure)


def table_seconds(answer: dict) -> float:
    """From the text of the description to the plan or the tables; of the
    interpreter only these are new."""
    return answer["read_s"] + answer["normalise_s"] + answer["plan_s"]


def build_seconds(answer: dict) -> float:
    return table_seconds(answer) + answer["compile_s"]


def uses(answer: dict, host_seconds: float, made: float) -> str:
    """Messages after which what took `made` seconds to make has paid."""
    saved = host_seconds - answer["bytes"] * 8 / (answer["gbit"] * 1e9)
    return f"{made / saved:,.0f}" if saved > 0 else "never"


def payers(answers: dict, host: dict, keys: tuple) -> int:
    """How many types have paid for these steps after four messages."""
    return sum(uses(answer, host[name]["cold"],
                    sum(answer[key] for key in keys)) in ("0", "1", "2", "3",
                                                          "4")
               for name, answer in answers.items()
               if name in host and "gbit" in answer)


def application_row(name: str, answer: dict, general: dict, host: dict
                    ) -> list[str]:
    size = answer["bytes"]
    rate = size * 8 / host["cold"] / 1e9
    # On the host: the message is written, read, and each line of the layout
    # read and written. By the card: each byte once.
    moved = (2 * size + 2 * 64 * answer["lines"]) / size
    return [name, f"{size:,}", f"{size / answer['runs']:.0f}",
            f"{rate:.1f} ({host['mpi']})", f"{answer['gbit']:.1f}",
            f"{answer['gbit'] / rate:.2f}",
            f"{gib(answer['gbit']) / PUBLISHED_HOST:.2f}",
            f"{moved:.1f}",
            f"{answer['code_bytes'] + answer['table_bytes']:,}",
            f"{build_seconds(answer) * 1e3:.0f}",
            uses(answer, host["cold"], build_seconds(answer)),
            *general_columns(general, host)]


def general_columns(answer: dict, host: dict) -> list[str]:
    if "gbit" not in answer:
        return [answer["error"][:20], "", "", ""]
    return [f"{answer['gbit']:.1f}", f"{answer['table_bytes']:,}",
            f"{table_seconds(answer) * 1e6:.0f}",
            uses(answer, host["cold"], table_seconds(answer))]


def geometric_mean(values: list[float]) -> float:
    product = 1.0
    for value in values:
        product *= value ** (1 / len(values))
    return product


def application_types(options: argparse.Namespace) -> dict:
    documents = applications(options.most_runs)
    host = host_times(options.build, options.runs, documents)
    card = card_results(options.build, "pspin", documents)
    general = card_results(options.build, "pspin", documents, GENERAL)
    rows, speedups, moved = [], [], []
    for name, answer in card.items():
        if "gbit" not in answer or name not in host:
            rows.append([name, answer.get("error", "no host time")[:60]]
                        + [""] * 13)
            continue
        rows.append(application_row(name, answer, general[name],
                                    host[name]))
        speedups.append(float(rows[-1][5]))
        moved.append(float(rows[-1][7]))
    print("\nApplication types, one message, PsPIN's parameters:\n")
    print(table.render(
        ["type", "bytes", "bytes / run", "host Gbit/s, cold", "card Gbit/s",
         "speed-up", "over 11.44 GiB/s", "host moves / card", "NIC bytes",
         "made in ms", "pays after uses", "tables: Gbit/s", "bytes",
         "made in us", "pays after uses"], rows))
    if speedups:
        print(f"\nGeometric means: speed-up {geometric_mean(speedups):.2f}, "
              f"host moves {geometric_mean(moved):.1f} times as much")
        plot_applications(options.out, rows)
        within = [payers(general, host, keys) for keys in (
            ("normalise_s", "plan_s"), ("read_s", "normalise_s", "plan_s"))]
        print(f"{within[0]} of {len(rows)} types pay within four uses with "
              f"tables for the interpreter ({GENERAL}), whose image is kept; "
              f"{within[1]} if the description is read from JSON first")
    return {"host": host, "card": card, "general": general}


def plot_applications(out: Path, rows: list[list[str]]) -> None:
    shown = sorted((row for row in rows if row[5]), key=lambda r: float(r[5]))
    figure, axes = plt.subplots(figsize=(7, 0.22 * len(shown) + 1.2))
    axes.barh([f"{row[0]} ({row[2]} B)" for row in shown],
              [float(row[5]) for row in shown], color="#0072b2")
    axes.axvline(1, color="grey", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xlabel("rate of the card / rate of MPI_Unpack here, cold caches")
    axes.tick_params(axis="y", labelsize=7)
    save(figure, out, "ddt-applications")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--out", type=Path,
                        default=ROOT / "build" / "bench" / "ddt")
    parser.add_argument("--runs", type=int, default=7,
                        help="unpackings of which the median counts")
    parser.add_argument("--step", type=int, default=1,
                        help="every how manyth block size of the vector")
    parser.add_argument("--most-runs", type=int, default=70000,
                        help="leave out types with more runs")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    try:
        results = {"vector": vectors(options),
                   "strategies": strategies(options),
                   "applications": application_types(options)}
    except images.Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    (options.out / "results.json").write_text(json.dumps(results, indent=1))
    print(f"\nresults.json and plots are in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
