"""./dev bench: the example handlers against C twins that use the PsPIN
interface, compiled by clang-22 -O2 for the base instruction set (clang knows no
Xpulp). All numbers come from this one run on this machine; nothing is asserted.

Both images are linked with our device runtime and run on the same packets. The
twins make the checks that their authors would make; spinc proves the rest.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import images  # noqa: E402
import table  # noqa: E402

CLANG = images.LLVM_BIN / "clang"
CLANG_FLAGS = [
    "--target=riscv32-unknown-elf", "-march=rv32imac", "-mabi=ilp32",
    "-mno-strict-align", "-std=c11", "-O2", "-ffreestanding", f"-I{ROOT}",
]


@dataclass
class Case:
    name: str
    context: str
    capture: str
    host_bytes: int = 0
    parameters: list[int] = field(default_factory=list)
    speed_runs: int = 0  # runs of the capture to time the simulator


CASES = [
    Case("udp_echo", "UdpEcho", "udp_echo_sizes"),
    Case("histogram", "Histogram", "histogram_sizes", 4 * 4096 + 8,
         speed_runs=1000),
    Case("strided", "Strided", "strided_sizes", 1023 * 100 + 64,
         [64, 100, 1024]),
    Case("ping_pong", "PingPong", "ping_pong_sizes"),
]


def median_time(command: list, runs: int) -> float:
    """Seconds of the whole process, warm file cache."""
    images.run(command)
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        images.run(command)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def twin_metadata(meta: dict, symbols: dict, context: str) -> dict:
    """spinc's metadata of the same handlers, with the twin's addresses."""
    meta = json.loads(json.dumps(meta))
    meta["loops"] = []
    for entry in meta["contexts"]:
        for state in entry.get("state", []):
            state["address"] = 0x14400
        if "params" in symbols:
            load = symbols["__spin_params_load"][0]
            offset = symbols["params"][0] - symbols["__spin_params_start"][0]
            entry["paramsAddress"] = load + offset
    meta["contexts"] = [c for c in meta["contexts"] if c["name"] == context]
    return meta


def link_twin(build: Path, obj: Path, elf: Path, meta: dict,
              context: str, flags=()) -> None:
    runtime = build / "lib" / "spinc"
    images.run([images.LLVM_BIN / "ld.lld", "-T", runtime / "pspin.ld",
                runtime / "crt0.o", obj, *flags, "-o", elf])
    with tempfile.NamedTemporaryFile("w", suffix=".json") as section:
        json.dump(twin_metadata(meta, images.symbols(elf), context), section)
        section.flush()
        images.run([images.LLVM_BIN / "llvm-objcopy", "--add-section",
                    f".spin.meta={section.name}", elf])


def handler_bytes(elf: Path, context: str) -> int:
    return sum(
        size for name, (_, size) in images.symbols(elf).items()
        if name in {f"{context}_{kind}" for kind in ("hh", "ph", "th")}
    )


def ratio(a: float, b: float, form: str = ".0f") -> str:
    quotient = f"{a / b:.2f}" if b else "-"
    return f"{a:{form}} / {b:{form}} = {quotient}"


def measure(case: Case, options: argparse.Namespace, runner: Path,
            out: Path) -> tuple[list[str], str]:
    build = options.build
    source = ROOT / "examples" / case.name / f"{case.name}.spinc"
    twin = ROOT / "bench" / "twins" / f"{case.name}.c"
    elf, obj = out / f"{case.name}.elf", out / f"{case.name}.twin.o"
    twin_elf = out / f"{case.name}.twin.elf"
    compile_spinc = [build / "bin" / "spinc", source, "-o", elf]
    compile_clang = [CLANG, *CLANG_FLAGS, "-c", twin, "-o", obj]
    ours = median_time(compile_spinc, options.runs)
    theirs = median_time(compile_clang, options.runs)
    link_twin(build, obj, twin_elf, images.metadata(elf), case.context)

    def run(image: Path, repeat: int = 1) -> dict:
        result = images.run([
            runner, image, case.context,
            build / "captures" / f"{case.capture}.pcap",
            case.host_bytes, repeat, *case.parameters])
        return json.loads(result.stdout)

    results = [run(elf), run(twin_elf)]
    payload = [result["handlers"]["payload"] for result in results]
    for image, handler in zip((elf, twin_elf), payload):
        if handler["faults"]:
            raise images.Failure(f"{image.name}: handlers were stopped")
    row = [
        case.name,
        ratio(ours * 1000, theirs * 1000, ".1f"),
        ratio(handler_bytes(elf, case.context),
              handler_bytes(twin_elf, case.context)),
        ratio(*(p["instructions"] / p["runs"] for p in payload), ".1f"),
        ratio(*(p["cycles"] / p["runs"] for p in payload), ".1f"),
    ]
    speed = ""
    if case.speed_runs:
        timed = run(elf, case.speed_runs)
        rate = timed["instructions"] / timed["seconds"] / 1e6
        speed = (f"Simulator on one core: {rate:.1f} million instructions a "
                 f"second ({case.name},\n{timed['packets']} packets, "
                 f"{timed['instructions'] / 1e6:.1f} million instructions, "
                 f"{timed['seconds']:.2f} s of processor time with reading the capture).")
    return row, speed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--runs", type=int, default=9,
                        help="compilations of which the median counts")
    parser.add_argument("names", nargs="*", metavar="EXAMPLE",
                        help="only these")
    options = parser.parse_args()
    out = options.build / "bench"
    out.mkdir(parents=True, exist_ok=True)
    runner = out / "run_image"
    rows, notes = [], []
    try:
        images.run(["gcc", *images.WARNINGS, "-O2",
                    f"-I{ROOT / 'runtime' / 'host'}",
                    ROOT / "bench" / "run_image.c", "-o", runner,
                    *images.link_flags(options.build)])
        for case in CASES:
            if options.names and case.name not in options.names:
                continue
            print(f"==> {case.name}: {options.runs} compilations each, then "
                  f"{case.capture}.pcap", flush=True)
            row, speed = measure(case, options, runner, out)
            rows.append(row)
            notes += [speed] if speed else []
    except images.Failure as failure:
        print(f"bench: error: {failure}", file=sys.stderr)
        return 1
    print("\n" + table.render(
        ["handlers", "compile ms, whole process", "code bytes",
         "instructions / packet", "cycles / packet"], rows))
    print("\nEach column: spinc / clang-22 -O2 = ratio. spinc links and proves "
          "as well; clang only\ncompiles. Per packet: payload handler alone.")
    for note in notes:
        print(note)
    return 0


if __name__ == "__main__":
    sys.exit(main())
