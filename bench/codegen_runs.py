"""The programs of codegen.py, in spinc and in C, as images that run in the
simulator: how they are made, and what their payload handlers do.
"""

import json
import random
import re
import struct
import sys
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "scripts"), str(ROOT / "bench")]

import bench  # noqa: E402
import images  # noqa: E402

KERNELS = ROOT / "bench" / "codegen"
PORT, PAYLOAD, SHORTER = 9330, 1152, 768  # bytes; multiples of 12 and of 128
PROGRAM_MEMORY = 0x1D000000  # nothing is behind it
HOST_BYTES = 4096  # the region of kernels that have one
XCV = "xcvmem_xcvalu_xcvbi_xcvbitmanip_xcvmac_xcvsimd"
CLANGS = {"clang xcv": f"rv32imac_{XCV}", "clang rv32": "rv32imac"}
# What marks an image of CORE-V (runtime/isa).
COREV_NOTE = "__spin_corev"


@dataclass
class Run:
    """What one image did with the packets: the payload handler's part."""
    cycles: float
    instructions: float
    bytes: int
    image: int  # bytes of code, with the runtime and what it calls
    results: bytes


@dataclass
class Program:
    name: str
    source: Path
    twin: Path
    context: str
    packets: list  # options of spinc-sim
    kernel: bool = True


# --- packets -----------------------------------------------------------------


def udp(payload: bytes) -> bytes:
    """An IP packet whose last byte of the source address is 0xB5."""
    ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 28 + len(payload), 0, 0, 64, 17,
                     0, b"\x0a\0\0\xb5", b"\x0a\0\0\x02")
    return ip + struct.pack("!HHHH", 4000, PORT, 8 + len(payload), 0) + payload


def payload_of(name: str, size: int) -> bytes:
    """Random bytes, the same ones everywhere; `compare` gets two halves that
    differ in their last byte."""
    bytes_ = random.Random(size).randbytes(size)
    if name == "compare":
        half = bytes_[: size // 2]
        return half + half[:-1] + bytes([half[-1] ^ 0x80])
    return bytes_


def write_capture(path: Path, packets: list[bytes]) -> None:
    """Raw IP, one packet each millisecond."""
    with path.open("wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101))
        for number, packet in enumerate(packets):
            out.write(struct.pack("<IIII", 0, 1000 * number, len(packet),
                                  len(packet)) + packet)


# --- images ------------------------------------------------------------------


def kernels(out: Path, size: int = PAYLOAD,
            folder: Path = KERNELS) -> list[Program]:
    found = []
    for source in sorted(folder.glob("*.spinc")):
        capture = out / f"{source.stem}.{size}.pcap"
        write_capture(capture, [udp(payload_of(source.stem, size))] * 2)
        packets = [f"--pcap={capture}"]
        if re.search(r"^  host ", source.read_text(), re.MULTILINE):
            packets.append(f"--host-size={HOST_BYTES}")
        found.append(Program(source.stem, source, source.with_suffix(".c"),
                             "Kernel", packets))
    return found


def examples(build: Path) -> list[Program]:
    found = []
    for case in bench.CASES:
        context = case.context
        names = ["block", "stride", "count"]
        # So slow that handlers do not overlap: which cluster counts what is
        # then the same for each image.
        packets = [f"--pcap={build / 'captures' / case.capture}.pcap",
                   "--line-rate=1G"]
        packets += [f"--set={context}.{name}={value}"
                    for name, value in zip(names, case.parameters)]
        if case.host_bytes:
            packets.append(f"--host-size={case.host_bytes}")
        found.append(Program(
            case.name, ROOT / "examples" / case.name / f"{case.name}.spinc",
            ROOT / "bench" / "twins" / f"{case.name}.c", context, packets,
            kernel=False))
    return found


def clang_command(march: str, twin: Path, obj: Path, level="-O3") -> list:
    flags = [flag for flag in bench.CLANG_FLAGS if flag != "-O2"]
    flags[flags.index("-march=rv32imac")] = f"-march={march}"
    return [bench.CLANG, *flags, level, "-fno-builtin", "-c", twin, "-o", obj]


def build_twin(build: Path, program: Program, march: str, ours: Path,
               elf: Path, level="-O3", isa="pspin") -> None:
    """The twin's image, with spinc's metadata of the same handlers."""
    obj = elf.with_suffix(".o")
    images.run(clang_command(march, program.twin, obj, level))
    bench.link_twin(build, obj, elf, images.metadata(ours), program.context,
                    [f"--defsym={COREV_NOTE}=1"] if isa == "corev" else [])
    if "xcv" in march and isa == "pspin":
        images.run([build / "bin" / "codegen-reencode", elf, elf])


def code_bytes(elf: Path) -> int:
    return sum(size for address, size in images.symbols(elf).values()
               if address >= PROGRAM_MEMORY)


def run_image(build: Path, program: Program, elf: Path, isa="pspin") -> Run:
    report, sent, host = (elf.with_suffix(s) for s in (".json", ".out", ".mem"))
    host.write_bytes(b"")
    command = [build / "bin" / "spinc-sim", elf, f"--isa={isa}",
               f"--json={report}",
               f"--out={sent}", *program.packets]
    if any(str(word).startswith("--host-size") for word in program.packets):
        command.append(f"--host-out={host}")
    images.run(command)
    payload = [handler for handler in json.loads(report.read_text())["handlers"]
               if handler["kind"] == "payload"][0]
    runs = payload["count"]
    if payload["faults"] or not runs:
        raise images.Failure(f"{elf.name}: handlers were stopped or did not run")
    # The times of packets that come out are not part of the result.
    packets = sent.read_bytes()[24:]
    results, at = [host.read_bytes()], 0
    while at < len(packets):
        size = struct.unpack_from("<I", packets, at + 8)[0]
        results.append(packets[at + 16: at + 16 + size])
        at += 16 + size
    return Run(payload["cycles"]["total"] / runs,
               payload["instructions"]["total"] / runs,
               bench.handler_bytes(elf, program.context), code_bytes(elf),
               b"".join(results))


def compile_ours(build: Path, program: Program, elf: Path, flags=()) -> None:
    images.run([build / "bin" / "spinc", program.source, "-o", elf, *flags])


def measure(build: Path, program: Program, out: Path, clangs: dict,
            flags=(), level="-O3", isa="pspin") -> dict[str, Run]:
    """spinc's run and those of the twins, with equal results."""
    ours = out / f"{program.name}.elf"
    compile_ours(build, program, ours, flags)
    runs = {"spinc": run_image(build, program, ours, isa)}
    for column, march in clangs.items():
        elf = out / f"{program.name}.{column.replace(' ', '-')}.elf"
        build_twin(build, program, march, ours, elf, level, isa)
        runs[column] = run_image(build, program, elf, isa)
        if runs[column].results != runs["spinc"].results:
            raise images.Failure(f"{program.name}: results of spinc and of "
                                 f"{column} differ")
    return runs


def without_budgets(program: Program, out: Path) -> Program:
    """A handler may need an optimisation to keep its budget."""
    source = out / f"{program.name}.spinc"
    source.write_text(re.sub(r"^(  handler .*?\)) budget\(.*\{$", r"\1 {",
                             program.source.read_text(), flags=re.MULTILINE))
    return replace(program, source=source)
