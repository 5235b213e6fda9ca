"""What demo.py, bench.py and the tests share: compiling a program with its
host side, and reading an image's metadata and code sizes.

As a command, `images.py build NAME --build DIR --out DIR` makes the host
program of an example; tests use it.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LLVM_BIN = Path("/usr/lib/llvm-22/bin")
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"]


class Failure(Exception):
    """A tool said no; the text is what it said."""


def run(command: list, **options) -> subprocess.CompletedProcess:
    command = [str(word) for word in command]
    result = subprocess.run(command, capture_output=True, text=True, **options)
    if result.returncode:
        raise Failure(
            f"{Path(command[0]).name} ended with {result.returncode}: "
            f"{' '.join(command)}\n{result.stdout}{result.stderr}"
        )
    return result


def compile_image(build: Path, source: Path, elf: Path, *flags: str) -> None:
    run([build / "bin" / "spinc", source, "-o", elf, *flags])


def link_flags(build: Path) -> list[str]:
    lib = (build / "lib").resolve()
    return [f"-L{lib}", f"-Wl,-rpath,{lib}", "-lSpinHost", "-lpcap"]


def build_host(build: Path, name: str, out: Path, compiler: str = "gcc",
               extra: tuple[str, ...] = (), flags: tuple[str, ...] = (),
               program: Path | None = None) -> Path:
    """Stubs and host program of examples/`name`; returns the executable.

    `program` takes the place of the example's, compiled with `flags`.

    Stubs and host program are checked as strictly as the language allows;
    the shared part needs BSD's names for libpcap.
    """
    example = ROOT / "examples" / name
    out.mkdir(parents=True, exist_ok=True)
    run([build / "bin" / "spinc", program or example / f"{name}.spinc",
         "--emit=stubs", "-o", out / f"{name}.c", *flags])
    executable = out / name
    common = out / "example.o"
    includes = [f"-I{out}", f"-I{ROOT / 'runtime' / 'host'}"]
    compile_c = [compiler, *WARNINGS, "-O2", *includes, *extra]
    run([*compile_c, "-D_DEFAULT_SOURCE", "-c",
         ROOT / "examples" / "common" / "example.c", "-o", common])
    run([*compile_c, example / "host.c", out / f"{name}.c", common,
         "-o", executable, *link_flags(build)])
    return executable


def metadata(elf: Path) -> dict:
    """The JSON of section .spin.meta."""
    with tempfile.TemporaryDirectory() as folder:
        section = Path(folder) / "meta.json"
        run([LLVM_BIN / "llvm-objcopy", f"--dump-section=.spin.meta={section}",
             elf, "/dev/null"])
        return json.loads(section.read_bytes().rstrip(b"\0"))


def symbols(elf: Path) -> dict[str, tuple[int, int]]:
    """Address and size of each symbol."""
    listing = run([LLVM_BIN / "llvm-nm", "-S", "--format=posix", elf]).stdout
    found = {}
    for line in listing.splitlines():
        words = line.split()
        if len(words) >= 3:
            size = int(words[3], 16) if len(words) > 3 else 0
            found[words[0]] = (int(words[2], 16), size)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=["build"])
    parser.add_argument("name")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--extra", action="append", default=[])
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--program", type=Path)
    options = parser.parse_args()
    try:
        build_host(options.build, options.name, options.out, options.cc,
                   tuple(x for x in options.extra if x), tuple(options.flag),
                   options.program)
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
