"""Rule labels: each rule of docs/language.md comes back, by its label, in the
code that enforces it and in a test. A test says it in its text or in its file
name (`hdl_3.spinc`).
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = "docs/language.md"
LABEL = re.compile(r"\*\*([a-z]{2,5}-[0-9]+)\*\*")
ENFORCERS = ("compiler/", "dialect/", "runtime/", "stdlib/")


def check_labels(files: list[str]) -> list[str]:
    """Offenders among `files`, which are paths from the repository's root."""
    if RULES not in files:
        return []

    def text_of(name: str) -> str:
        return (ROOT / name).read_text(encoding="utf-8", errors="replace")

    code = "\n".join(text_of(f) for f in files if f.startswith(ENFORCERS))
    tests = "\n".join(
        f + "\n" + text_of(f) for f in files if f.startswith("test/")
    )
    offenders = []
    for label in dict.fromkeys(LABEL.findall(text_of(RULES))):
        word = re.compile(rf"\b{label}\b")
        file_word = re.compile(rf"(?<![a-z]){label.replace('-', '_')}(?![0-9])")
        if not word.search(code):
            offenders.append(f"{RULES}: no code names rule {label}")
        if not word.search(tests) and not file_word.search(tests):
            offenders.append(f"{RULES}: no test names rule {label}")
    return offenders


def main() -> int:
    files = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True,
        text=True,
    ).stdout.splitlines()
    offenders = check_labels(files)
    print("\n".join(offenders) if offenders else "every rule has its code and test")
    return 1 if offenders else 0


if __name__ == "__main__":
    sys.exit(main())
