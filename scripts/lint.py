"""The gates that are no tests: formatting, clang-tidy, file sizes, rule
labels, links between documents, words and places that must not be committed.

Each check prints its offenders and counts as one test in the JSON result.
"""

import argparse
import json
import re
import subprocess
import sys
import time
from pathlib import Path

from check_labels import check_labels

ROOT = Path(__file__).resolve().parent.parent
CODE = (".cpp", ".h", ".c")
LLVM_BIN = Path("/usr/lib/llvm-22/bin")

# Largest number of lines: (pattern, limit). The first match counts.
SIZES = [
    (r"^test/.*\.(spinc|mlir|test)$", 800),
    (r"^(README\.md|examples/.*README\.md)$", 150),
    (r"\.td$", 800),
    (r"\.(cpp|h|c|g4|py|def|S)$", 800),
    (r"^dev$", 500),
]

FORBIDDEN = [
    (re.compile(r"\b(TODO|FIXME|XXX)\b"), "unfinished work"),
    (re.compile(r"/(home|work|root)/[a-z]"), "a path of one machine"),
]
# These files must be able to name what they look for.
FORBIDDEN_EXEMPT = {"scripts/lint.py"}


def tracked() -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(
        command, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    return sorted(name for name in set(names) if (ROOT / name).is_file())


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")


def check_format(files: list[str]) -> list[str]:
    sources = [name for name in files if name.endswith(CODE)]
    if not sources:
        return []
    result = subprocess.run(
        ["clang-format-22", "--dry-run", "-Werror", *sources],
        cwd=ROOT, capture_output=True, text=True,
    )
    found = re.findall(r"^(\S+?):\d+:\d+: error", result.stderr, re.MULTILINE)
    return [f"{name}: run ./dev fmt" for name in sorted(set(found))]


def check_sizes(files: list[str]) -> list[str]:
    offenders = []
    for name in files:
        for pattern, limit in SIZES:
            if re.search(pattern, name):
                lines = text_of(name).count("\n")
                if lines > limit:
                    offenders.append(f"{name}: {lines} lines, limit {limit}")
                break
    return offenders


def check_words(files: list[str]) -> list[str]:
    offenders = []
    for name in files:
        if name in FORBIDDEN_EXEMPT or name.endswith((".pcap", ".png")):
            continue
        for number, line in enumerate(text_of(name).splitlines(), 1):
            for pattern, what in FORBIDDEN:
                if pattern.search(line):
                    offenders.append(f"{name}:{number}: {what}")
    return offenders


def check_opening(files: list[str]) -> list[str]:
    """Every source file starts with a paragraph that says what it is for."""
    comment = re.compile(r"\A(#!.*\n)?\s*(//|/\*|#|;|\"\"\")")
    return [
        f"{name}: does not start with what it is for"
        for name in files
        if name.endswith((*CODE, ".td", ".g4", ".py", ".S"))
        and not name.startswith("test/")
        and not comment.match(text_of(name))
    ]


def check_links(files: list[str]) -> list[str]:
    offenders = []
    for name in files:
        if not name.endswith(".md"):
            continue
        prose = re.sub(r"```.*?```", "", text_of(name), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", prose):
            if "://" in target or target.startswith("mailto:"):
                continue
            if not ((ROOT / name).parent / target).exists():
                offenders.append(f"{name}: link to missing {target}")
    return offenders


def check_link_lines(_: list[str]) -> list[str]:
    """libMLIR.so and its archives never meet in one binary (ADR 002)."""
    ninja = ROOT / "build" / "build.ninja"
    if not ninja.exists():
        return []
    return [
        f"build.ninja: libMLIR.so in '{line.strip()[:60]}…'"
        for line in ninja.read_text(encoding="utf-8").splitlines()
        if "LINK_LIBRARIES" in line and re.search(r"libMLIR\w*\.so\b", line)
    ]


def changed_files(files: list[str], since: str) -> list[str]:
    base = subprocess.run(
        ["git", "merge-base", "HEAD", since],
        cwd=ROOT, capture_output=True, text=True,
    )
    if base.returncode:
        return files
    names = subprocess.run(
        ["git", "diff", "--name-only", base.stdout.strip()],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.splitlines()
    return [name for name in files if name in set(names)]


def check_tidy(files: list[str]) -> list[str]:
    database = ROOT / "build" / "compile_commands.json"
    if not database.exists():
        return ["no build/compile_commands.json: run ./dev build"]
    known = {
        str(Path(entry["file"]).resolve().relative_to(ROOT))
        for entry in json.loads(database.read_text(encoding="utf-8"))
        if ROOT in Path(entry["file"]).resolve().parents
    }
    sources = [name for name in files if name in known]
    running: list[tuple[str, subprocess.Popen]] = []
    offenders: list[str] = []
    start = time.monotonic()

    def finish(name: str, process: subprocess.Popen) -> None:
        output, _ = process.communicate()
        findings = [x for x in output.splitlines() if re.search(r": (error|warning): ", x)]
        offenders.extend(x.replace(f"{ROOT}/", "") for x in findings)
        if process.returncode and not findings:
            offenders.append(f"{name}: clang-tidy ended with {process.returncode}")

    for number, name in enumerate(sources, 1):
        print(f"    clang-tidy {number}/{len(sources)} {name} "
              f"({time.monotonic() - start:.0f} s)", flush=True)
        running.append((name, subprocess.Popen(
            [str(LLVM_BIN / "clang-tidy"), "--quiet", "-p", "build", name],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )))
        if len(running) == 2:
            finish(*running.pop(0))
    for name, process in running:
        finish(name, process)
    return sorted(set(offenders))


def fix_format(files: list[str]) -> int:
    sources = [name for name in files if name.endswith(CODE)]
    print(f"==> Formatting {len(sources)} files")
    return subprocess.run(
        ["clang-format-22", "-i", *sources], cwd=ROOT
    ).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fast", action="store_true",
                        help="every check but clang-tidy")
    parser.add_argument("--tidy", action="store_true",
                        help="clang-tidy on changed files as well")
    parser.add_argument("--all", action="store_true",
                        help="clang-tidy on every file")
    parser.add_argument("--since", default="main",
                        help="what changed files are compared with")
    parser.add_argument("--fix-format", action="store_true",
                        help="format the sources in place and stop")
    parser.add_argument("--json", type=Path, help="write results as lit does")
    options = parser.parse_args()

    files = tracked()
    if options.fix_format:
        return fix_format(files)
    checks = {
        "format": check_format,
        "sizes": check_sizes,
        "words": check_words,
        "opening": check_opening,
        "links": check_links,
        "labels": check_labels,
        "link-lines": check_link_lines,
    }
    results = []
    for name, check in checks.items():
        results.append((name, check(files)))
    if options.tidy:
        chosen = files if options.all else changed_files(files, options.since)
        results.append(("clang-tidy", check_tidy(chosen)))

    for name, offenders in results:
        for offender in offenders:
            print(f"{name}: {offender}")
        print(f"{'FAIL' if offenders else 'PASS'}: lint {name}")
    if options.json:
        tests = [
            {"name": f"lint :: {name}", "code": "FAIL" if bad else "PASS"}
            for name, bad in results
        ]
        options.json.write_text(json.dumps({"tests": tests}), encoding="utf-8")
    return 1 if any(bad for _, bad in results) else 0


if __name__ == "__main__":
    sys.exit(main())
